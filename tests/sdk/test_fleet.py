"""Many workflows at a time, on two worker processes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.sdk import workload
from tests.sdk.conftest import StartWorker
from tests.sdk.histories import decoded, of_type, payload_of
from tests.sdk.rig import Rig

WORKFLOWS = 50


@pytest.mark.timeout(240)
async def test_fifty_workflows_complete_on_two_workers(
    rig: Rig, start_worker: StartWorker, folder: Path
) -> None:
    handles = [await rig.start(workload.Order, str(folder)) for _ in range(WORKFLOWS)]
    for worker_id in ("left", "right"):
        start_worker(rig.server, rig.queue, worker_id)
    for number in range(workload.APPROVALS):
        await asyncio.gather(*(handle.signal("approve", args=[f"approver {number}"]) for handle in handles))

    await rig.have_all_ended(workload.Order)
    workers: set[str] = set()
    for handle in handles:
        events = await rig.history(handle)
        result = decoded(payload_of(events, "WorkflowCompleted"), "output")
        assert result["approvals"] == ["approver 0", "approver 1"]
        assert len(of_type(events, "ActivityScheduled")) == len(of_type(events, "ActivityCompleted")) == 3
        workers.update(result["workers"])
    assert workers == {"left", "right"}
    effects = (folder / workload.EFFECTS).read_text().splitlines()
    assert len(effects) == len(set(effects)) == 3 * WORKFLOWS
    assert all(effect.endswith(" 1") for effect in effects), "no attempt was lost on the way"
