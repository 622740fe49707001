"""A sticky worker's part in the transitions: what it says of its cache, and what it is told."""

from __future__ import annotations

from typing import Any

from tests.transitions.driver import HOLD_SECONDS, WORKER, Driver, Reply, WorkflowTask

OTHER = "worker-2"
TTL_SECONDS = 300


async def register_suffix_worker(driver: Driver, worker: str = WORKER, **members: Any) -> Reply:
    """A worker that takes history suffixes."""
    members = {"sticky_execution": True, "sticky_history_suffix": True, **members}
    reply = await driver.register(worker, **members)
    assert reply.outcome == "registered", reply
    return reply


def sticky_cache(task: WorkflowTask, last: int | None = None, **members: Any) -> dict[str, Any]:
    """That the task's worker keeps the run in its cache, through history sequence `last` (None: not said)."""
    claim: dict[str, Any] = {
        "worker_id": task.lease_owner,
        "workflow_id": task.body["workflow_id"],
        "run_id": task.run_id,
        "build_id": "2.12.0",
        "ttl_seconds": TTL_SECONDS,
        "hold_seconds": HOLD_SECONDS,
        "protocol_version": "1.20",
        "hit": 0,
        "miss": 0,
        "eviction": 0,
        "forced_cold_replay": 0,
        **members,
    }
    if last is not None:
        claim["history_last_sequence"] = last
    return claim


async def retain(driver: Driver, task: WorkflowTask, *commands: dict[str, Any], **members: Any) -> Reply:
    """Completes the task; its worker keeps the whole history that the task announced."""
    claim = sticky_cache(task, task.body["history_last_sequence"], **members)
    reply = await driver.complete(task, *commands, sticky=claim)
    assert reply.outcome == "completed", reply
    return reply


def boundaries(task: WorkflowTask) -> tuple[str, int, int, list[int]]:
    """Replay mode, the sequence that history begins behind, the last one, and those sent inline."""
    body = task.body
    sequences = [event["sequence"] for event in body["history_events"]]
    return (
        body["sticky_replay_mode"],
        body["history_after_sequence"],
        body["history_last_sequence"],
        sequences,
    )
