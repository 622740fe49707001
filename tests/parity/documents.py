"""The documents that transitions read: mostly sensible, sometimes odd."""

from __future__ import annotations

from typing import Any

import msgspec

from tests.parity.callers import Lease
from tests.parity.draw import Draw
from tests.parity.odd import HUGE_PAYLOAD, ODD_NAMES, ODD_TEXTS, PAYLOADS
from tests.transitions import commands as c

LATEST = 2**31 - 1
"""The longest time in seconds that a command may name."""

Document = dict[str, Any]


def name(draw: Draw, *usual: str, odd: int = 4) -> str:
    """One of the usual names, or, so many times in a hundred, an odd one."""
    return draw.of(ODD_NAMES) if draw.percent(odd) else draw.of(usual)


def workflow_type(draw: Draw) -> str:
    return name(draw, *["order"] * 12, "Order", "order ")


def activity_type(draw: Draw) -> str:
    return name(draw, *["charge"] * 8, "Charge", "charge ")


def queue(draw: Draw) -> str:
    return name(draw, *["main"] * 20, "Main", "main ", odd=2)


def payload(draw: Draw) -> str:
    """JSON text."""
    return HUGE_PAYLOAD if draw.percent(1) else draw.of(PAYLOADS)


def optional_payload(draw: Draw) -> str | None:
    return payload(draw) if draw.percent(70) else None


def text(draw: Draw) -> str:
    return draw.of(ODD_TEXTS) if draw.percent(20) else "no"


def registration(draw: Draw) -> str:
    """What `register_worker` reads. The usual types are nearly always among its types."""
    usual = [] if draw.percent(3) else ["order"]
    types = list(dict.fromkeys([*usual, *draw.some(("Order", "order ", *ODD_NAMES), 4)]))
    activities = list(dict.fromkeys(["charge", *draw.some(("Charge", "charge ", *ODD_NAMES), 4)]))
    fingerprints = {kind: draw.of(("f", "f", "f", "f", "F")) for kind in types if draw.percent(50)}
    document = c.registration(
        workflow_types=tuple(types),
        activity_types=tuple(activities),
        build_id=name(draw, "build", "Build") if draw.percent(4) else None,
        fingerprints=fingerprints,
    )
    document["sticky_execution"] = draw.percent(90)
    document["sticky_history_suffix"] = document["sticky_execution"] and draw.percent(90)
    document["merged_transitions"] = draw.percent(90)
    document["stale_seconds"] = draw.of((600, 600, 5))
    document["capabilities"] = draw.some(("history_pages", *ODD_NAMES), 3)
    document["capability_manifest"] = {
        capability: {"supported": draw.percent(50)} for capability in draw.some(ODD_NAMES, 3)
    }
    document["task_slots"] = {"workflow_available": draw.number(0, 9)}
    document["process_metrics"] = draw.of(({}, {"cpu_percent": 1.5, "memory_bytes": 12345678901234}))
    if draw.percent(8):
        del document["sdk_version"]
    return c.registration_text(document)


def start(draw: Draw) -> str:
    """What `start_run` reads."""
    document: Document = {"priority": draw.of((5, 5, 5, 0, 9, 3)), "fairness_weight": draw.of((1, 1, 1000))}
    if (given := optional_payload(draw)) is not None:
        document["input"] = given
    for member in ("memo", "search_attributes"):
        if draw.percent(15):
            document[member] = payload(draw)
    for member in ("business_key", "fairness_key"):
        if draw.percent(10):
            document[member] = draw.of(ODD_NAMES)
    if draw.percent(15):
        document["execution_timeout_seconds"] = draw.of((60, 600, LATEST))
    if draw.percent(10):
        document["run_timeout_seconds"] = draw.of((30, 300, LATEST))
    if draw.percent(3):
        document["build_id"] = draw.of(("build", "Build"))
    return c.text_of(document)


def commands(draw: Draw, lease: Lease | None) -> str:
    """A completion: perhaps the open wait again, else some commands or a group of them, perhaps the end."""
    if lease is not None and lease.wait is not None and draw.percent(50):
        chosen = [_same_wait(lease.wait)]
    elif draw.percent(25):
        chosen = _group(draw, (lease.position if lease else 0) + 1)
    else:
        chosen = [_command(draw) for _ in range(draw.of((1, 1, 2, 3, 5)))]
        if draw.percent(40):  # workflow code blocks on a wait, so it is the last and the only one
            chosen.append(_wait(draw))
    if draw.percent(12):
        chosen = [*chosen[: draw.number(0, len(chosen))], _end(draw)]
    return c.text_of(chosen)


def scheduling_commands(draw: Draw, lease: Lease) -> str:
    """A completion that leaves something to the worker that sends it."""
    queue = "Main" if lease.fence["lease_owner"] == "Worker" else "main"
    return c.text_of(
        [*[_command(draw) for _ in range(draw.of((0, 0, 1)))], c.schedule("charge", queue=queue)]
    )


def continuing_commands(draw: Draw, lease: Lease) -> str:
    """What a continuation has: commands or a group of them, perhaps the end or one that it may not have."""
    if draw.percent(15):
        chosen = _group(draw, lease.position + 1)
    else:
        chosen = [_command(draw) for _ in range(draw.of((0, 1, 1, 2, 3)))]
    if draw.percent(60):
        chosen.append(c.schedule("charge"))
    if draw.percent(10) or not chosen:
        chosen.append(draw.of((_end, _end, _wait))(draw))
    return c.text_of(chosen)


def sticky_cache(draw: Draw, lease: Lease) -> str:
    """What a completion says of its worker's cache: mostly the truth, through where the claim ended."""
    wrong = draw.of((None,) * 25 + ("worker_id", "workflow_id", "run_id", "build_id"))
    last = draw.of((lease.last_sequence,) * 12 + (lease.last_sequence + 1, 1, None, LATEST))
    document: Document = {
        "worker_id": lease.fence["lease_owner"],
        "workflow_id": lease.workflow_id,
        "run_id": lease.run_id,
        "build_id": "2.12.0",
        "ttl_seconds": draw.of((300, 300, 20, 1)),
        "hold_seconds": draw.of((5, 5, 5, 0, 30)),
        "protocol_version": draw.of(("1.20", "1.19")),
        "hit": draw.number(0, 9),
        "miss": draw.of((0, 2**40)),
        "eviction": 0,
        "forced_cold_replay": 1,
    }
    if wrong is not None:
        document[wrong] = draw.of(ODD_NAMES)
    if last is not None:
        document["history_last_sequence"] = last
    return c.text_of(document)


def task_failure(draw: Draw) -> str:
    """What `fail_workflow_task` reads."""
    waiting = "WorkflowTaskWaitingForHistory"
    kind = draw.of(("ValueError", waiting, waiting, "NonDeterministicReplayError", 'X"é', None))
    document = {"type": kind, "message": text(draw), "reason": draw.of((None, None, "reason"))}
    return c.text_of({member: value for member, value in document.items() if value is not None})


def activity_failure(draw: Draw) -> str:
    """What `fail_activity` reads."""
    document = c.failure(
        text(draw), type=draw.of(("Other", "Bad", "bad", "bad ")), non_retryable=draw.percent(15)
    )
    if draw.percent(30):
        fields = {"message": "no", "exception": {"details": msgspec.Raw(payload(draw).encode())}}
        document["fields"] = c.text_of(fields)
    if draw.percent(10):
        del document["type"]
    return c.text_of(document)


def _command(draw: Draw) -> Document:
    return draw.of((_schedule, _schedule, _schedule, _timer, _side_effect, _local_activity))(draw)


def _schedule(draw: Draw) -> Document:
    timeouts = {
        "start_to_close_timeout": (10, 40),
        "schedule_to_start_timeout": (8, 50, 300),
        "schedule_to_close_timeout": (60, 200, LATEST),
        "heartbeat_timeout": (4, 20),
    }
    retried = draw.percent(50)
    command = c.schedule(
        activity_type(draw),
        queue=queue(draw),
        arguments=msgspec.Raw(payload(draw).encode()),
        max_attempts=draw.of((2, 3, None)) if retried else 1,
        backoff=draw.of(((), (1,), (1, 5, 20))) if retried else (),
        non_retryable=draw.of(((), ("Bad", "bad "))) if retried else (),
        **{timeout: draw.of(values) for timeout, values in timeouts.items() if draw.percent(30)},
    )
    return command | ({"retry_policy": '{"maximum_attempts": 3}'} if retried else {})


def _timer(draw: Draw) -> Document:
    return c.timer(draw.of((0, 1, 5, 30, LATEST)))


def _wait(draw: Draw) -> Document:
    fields: Document = {}
    if draw.percent(70):
        fields["condition_key"] = name(draw, "paid", "Paid")
    if draw.percent(30):
        fields["condition_definition_fingerprint"] = "sha256:f"
    if draw.percent(50):
        fields["timeout_seconds"] = draw.of((0, 5, 20))
    return _wait_of(fields)


def _same_wait(wait: Document) -> Document:
    members = ("condition_key", "condition_definition_fingerprint", "timeout_seconds")
    return _wait_of({member: wait[member] for member in members if member in wait})


def _wait_of(fields: Document) -> Document:
    return {"type": "open_condition_wait", "fields": c.text_of(fields), **fields}


def _side_effect(draw: Draw) -> Document:
    return c.side_effect(msgspec.Raw(payload(draw).encode()))


def _local_activity(draw: Draw) -> Document:
    members: Document = {"retry_policy": msgspec.Raw(payload(draw).encode())} if draw.percent(30) else {}
    return c.local_activity(
        activity_type(draw),
        outcome=draw.of(("completed", "completed", "failed", "timed_out", "cancelled")),
        arguments=msgspec.Raw(payload(draw).encode()),
        result=msgspec.Raw(payload(draw).encode()),
        attempts=draw.of((1, 1, 3)),
        message=text(draw),
        **members,
    )


def _group(draw: Draw, base: int) -> list[Document]:
    if draw.percent(15):
        base = max(1, base + draw.number(-2, 2))
    members = [draw.of((_schedule, _timer))(draw) for _ in range(draw.of((2, 3)))]
    return c.group(*members, base=base)


def _end(draw: Draw) -> Document:
    kind = draw.of(("complete_workflow", "complete_workflow", "fail_workflow", "continue_as_new"))
    if kind == "fail_workflow":
        return c.fail_workflow(text(draw), exception_type="E")
    if kind == "continue_as_new":
        given = optional_payload(draw)
        return c.continue_as_new(
            queue=queue(draw),
            workflow_type=workflow_type(draw) if draw.percent(30) else None,
            input=None if given is None else msgspec.Raw(given.encode()),
        )
    if draw.percent(20):
        return {"type": kind, "fields": "{}"}
    return c.complete_workflow(msgspec.Raw(payload(draw).encode()))
