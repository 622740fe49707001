"""The replay bundle of one run: what the store keeps of it, in the form that verifiers elsewhere read.

The bundle ends with a SHA-256 of its canonical form (`json-recursive-ksort-v1`): members sorted by name, no
blanks, everything outside ASCII escaped, and floats written as PHP writes them.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

SCHEMA = "durable-workflow.v2.history-export"
CANONICALIZATION = "json-recursive-ksort-v1"

Document = dict[str, Any]

_FAILURES = ("ActivityFailed", "ActivityTimedOut", "WorkflowFailed", "WorkflowTimedOut")
_FIXED_NOTATION = range(-4, 17)
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


def bundle(exported: str) -> bytes:
    """The bundle, from the body of an `exported` answer of export_run."""
    run = json.loads(exported)
    workflow = run["workflow"]
    events = [_event(event) for event in run["events"]]
    document: Document = {
        "schema": SCHEMA,
        "schema_version": 1,
        "exported_at": run["exported_at"],
        "dedupe_key": f"{workflow['run_id']}:{workflow['last_history_sequence']}:{run['exported_at']}",
        "history_complete": workflow["is_terminal"],
        "workflow": {"instance_id": workflow["workflow_id"], **workflow},
        "payloads": {
            "codec": "avro",
            "arguments": _payload(run["input"]),
            "output": _payload(run["output"]),
        },
        "history_events": events,
        "commands": [],
        "signals": [_signal(event) for event in events if event["type"] == "SignalReceived"],
        "updates": [],
        "tasks": run["tasks"],
        "activities": run["activities"],
        "timers": run["timers"],
        "failures": [_failure(event) for event in events if event["type"] in _FAILURES],
        "links": {
            "continued_from_run_id": workflow["continued_from_run_id"],
            "continued_to_run_id": workflow["continued_to_run_id"],
        },
        "codec_schemas": {},
        "redaction": {"applied": False, "policy": None, "paths": []},
    }
    document["payload_manifest"] = {"version": 1, "entries": list(_manifest(document, ""))}
    document["integrity"] = {
        "canonicalization": CANONICALIZATION,
        "checksum_algorithm": "sha256",
        "checksum": hashlib.sha256(canonical(document).encode()).hexdigest(),
        "signature_algorithm": None,
        "signature": None,
        "key_id": None,
    }
    return json.dumps(document, separators=(",", ":")).encode()


def canonical(value: Any) -> str:
    """A JSON value in canonical form."""
    if isinstance(value, dict):
        members = (f"{_canonical_text(name)}:{canonical(value[name])}" for name in sorted(value))
        return f"{{{','.join(members)}}}"
    if isinstance(value, list):
        return f"[{','.join(map(canonical, value))}]"
    if isinstance(value, str):
        return _canonical_text(value)
    if isinstance(value, float):
        return _canonical_float(value)
    return json.dumps(value)


def _canonical_text(value: str) -> str:
    # With ensure_ascii, DEL would be escaped too.
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isascii() else _NOT_ASCII.sub(_escaped, text)


def _escaped(character: re.Match[str]) -> str:
    units = character[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[i : i + 4]}" for i in range(0, len(units), 4))


def _canonical_float(value: float) -> str:
    mantissa, _, exponent = repr(value).partition("e")
    if not exponent:
        return mantissa
    if int(exponent) in _FIXED_NOTATION:
        fixed = format(Decimal(repr(value)), "f")
        return fixed if "." in fixed else f"{fixed}.0"
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}e{int(exponent):+d}"


def _event(event: Document) -> Document:
    return {
        "id": event["id"],
        "sequence": event["sequence"],
        "type": event["event_type"],
        "workflow_task_id": None,
        "workflow_command_id": None,
        "recorded_at": event["recorded_at"],
        "payload": event["payload"],
    }


def _payload(envelope: Document | None) -> Document:
    return {"available": envelope is not None, "data": envelope}


def _signal(event: Document) -> Document:
    return {
        "id": event["payload"]["signal_id"],
        "name": event["payload"]["signal_name"],
        "history_event_id": event["id"],
        "received_at": event["recorded_at"],
    }


def _failure(event: Document) -> Document:
    return {
        "id": event["id"],
        "source_kind": "activity" if event["type"].startswith("Activity") else "workflow",
        "message": event["payload"].get("message"),
        "exception_class": event["payload"].get("exception_class"),
        "recorded_at": event["recorded_at"],
    }


def _manifest(value: Any, path: str) -> Iterator[Document]:
    """An entry for each payload envelope in the document."""
    if isinstance(value, dict):
        if value.keys() == {"codec", "blob"}:
            yield {
                "path": path,
                "codec": value["codec"],
                "available": True,
                "redacted": False,
                "avro_framing": "single_object",
            }
            return
        for name, member in value.items():
            yield from _manifest(member, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from _manifest(member, f"{path}[{index}]")
