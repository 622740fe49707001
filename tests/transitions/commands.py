"""Builders of the documents that the transitions read, in the form that the HTTP layer gives them."""

from __future__ import annotations

from typing import Any

import msgspec

Document = dict[str, Any]


def text_of(document: object) -> str:
    """A document as JSON text without white space; msgspec.Raw in it stays byte for byte."""
    return msgspec.json.encode(document).decode()


def envelope(value: str) -> Document:
    """A payload. The transitions never look into it, so any blob does."""
    return {"codec": "avro", "blob": value}


def schedule(
    activity_type: str = "charge",
    *,
    queue: str = "main",
    arguments: Any = None,
    max_attempts: int | None = 1,
    backoff: tuple[int, ...] = (),
    non_retryable: tuple[str, ...] = (),
    **timeouts: int,
) -> Document:
    """`schedule_activity`. `max_attempts` None is without limit; `timeouts` are named as in the command."""
    arguments = envelope("arguments") if arguments is None else arguments
    attempts = {} if max_attempts is None else {"max_attempts": max_attempts}
    return {
        "type": "schedule_activity",
        "fields": text_of(
            {"activity_type": activity_type, "arguments": arguments, "queue": queue, **timeouts}
        ),
        "activity_type": activity_type,
        "task_queue": queue,
        "arguments": text_of(arguments),
        **timeouts,
        **attempts,
        "backoff_seconds": list(backoff),
        "non_retryable_error_types": list(non_retryable),
    }


def timer(seconds: int) -> Document:
    """`start_timer`."""
    return {"type": "start_timer", "fields": text_of({"delay_seconds": seconds}), "delay_seconds": seconds}


def wait(key: str = "paid", *, fingerprint: str = "sha256:f", timeout: int | None = None) -> Document:
    """`open_condition_wait`."""
    fields: Document = {"condition_key": key, "condition_definition_fingerprint": fingerprint}
    if timeout is not None:
        fields["timeout_seconds"] = timeout
    return {"type": "open_condition_wait", "fields": text_of(fields), **fields}


def side_effect(result: Any = "AAEC") -> Document:
    """`record_side_effect`."""
    return {"type": "record_side_effect", "fields": text_of({"result": result, "payload_codec": "avro"})}


def local_activity(
    activity_type: str = "charge",
    *,
    outcome: str = "completed",
    arguments: Any = None,
    result: Any = None,
    attempts: int = 1,
    message: str = "card declined",
    **members: Any,
) -> Document:
    """`record_local_activity`, after so many attempts; `members` are more of what was asked for."""
    kind: Document = {"activity_type": activity_type, "execution_mode": "local"}
    if outcome == "completed":
        end: Document = {
            "result": envelope("result") if result is None else result,
            "payload_codec": "avro",
        }
    else:
        end = {"message": message, "exception_type": "Declined", "non_retryable": False}
    return {
        "type": "record_local_activity",
        "fields": text_of(
            {
                **kind,
                "local_activity": True,
                "arguments": envelope("arguments") if arguments is None else arguments,
                **members,
            }
        ),
        "outcome": outcome,
        "outcome_fields": text_of({**kind, "attempts": _trail(outcome, attempts), **end}),
    }


def _trail(outcome: str, attempts: int) -> list[Document]:
    """Attempts that failed, and a last one that came to the outcome."""
    return [
        {
            "attempt_id": f"{number:064x}",
            "attempt_number": number,
            "outcome": outcome if number == attempts else "failed",
            "duration_ms": 5,
            "heartbeats": [],
        }
        for number in range(1, attempts + 1)
    ]


def complete_workflow(output: Any = None) -> Document:
    """`complete_workflow`."""
    output = envelope("output") if output is None else output
    return {
        "type": "complete_workflow",
        "fields": text_of({"output": output, "payload_codec": "avro"}),
        "output": text_of(output),
    }


def fail_workflow(message: str = "out of stock", **fields: Any) -> Document:
    """`fail_workflow`."""
    return {"type": "fail_workflow", "fields": text_of({"message": message, **fields})}


def continue_as_new(*, queue: str = "main", workflow_type: str | None = None, input: Any = None) -> Document:
    """`continue_as_new`."""
    command: Document = {"type": "continue_as_new", "task_queue": queue}
    if workflow_type is not None:
        command["workflow_type"] = workflow_type
    if input is not None:
        command["input"] = text_of(input)
    return command


def group(*commands: Document, base: int) -> list[Document]:
    """The commands as one parallel group whose first leaf has authored position `base`."""
    return [_leaf(command, base, index, len(commands)) for index, command in enumerate(commands)]


def _leaf(command: Document, base: int, index: int, size: int) -> Document:
    entry = {
        "parallel_group_id": f"parallel-calls:{base}:{size}",
        "parallel_group_kind": "mixed",
        "parallel_group_base_sequence": base,
        "parallel_group_size": size,
        "parallel_group_index": index,
    }
    return {
        **command,
        "group": text_of({**entry, "parallel_group_path": [entry]}),
        "group_position": base + index,
        "group_base": base,
        "group_size": size,
    }


def failure(
    message: str = "card declined", *, type: str = "Declined", non_retryable: bool = False
) -> Document:
    """What `fail_activity` reads."""
    fields: Document = {"message": message, "exception_type": type}
    if non_retryable:
        fields["non_retryable"] = True
    fields["exception"] = {"type": type, "message": message}
    return {"type": type, "non_retryable": non_retryable, "fields": text_of(fields)}


def registration(
    *,
    workflow_types: tuple[str, ...] = ("order",),
    activity_types: tuple[str, ...] = ("charge", "ship"),
    build_id: str | None = None,
    fingerprints: dict[str, str] | None = None,
    sdk_version: str | None = "2.12.0",
    sticky_execution: bool = False,
    sticky_history_suffix: bool = False,
    merged_transitions: bool = False,
    stale_seconds: int = 60,
) -> Document:
    """What a worker says of itself; see `registration_text`."""
    document: Document = {
        "runtime": "python",
        "workflow_types": list(workflow_types),
        "activity_types": list(activity_types),
        "workflow_definition_fingerprints": fingerprints or {},
        "workflow_command_contracts": {},
        "capabilities": ["history_pages"],
        "capability_manifest": {"schema": "manifest", "version": 1},
        "sticky_execution": sticky_execution,
        "sticky_history_suffix": sticky_history_suffix,
        "merged_transitions": merged_transitions,
        "max_concurrent_workflow_tasks": 10,
        "max_concurrent_activity_tasks": 10,
        "max_concurrent_worker_sessions": 0,
        "task_slots": {},
        "process_metrics": {},
        "stale_seconds": stale_seconds,
        "protocol_version": "1.20",
    }
    if build_id is not None:
        document["build_id"] = build_id
    if sdk_version is not None:
        document["sdk_version"] = sdk_version
    return document


def registration_text(document: Document) -> str:
    """What `register_worker` reads: lists and objects are JSON text in strings."""
    return text_of(
        {name: text_of(part) if isinstance(part, list | dict) else part for name, part in document.items()}
    )
