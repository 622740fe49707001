"""A worker is killed in the middle of its work, and another one finishes it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.sdk import workload
from tests.sdk.conftest import StartWorker
from tests.sdk.histories import check_replay, of_type, payload_of, types_of
from tests.sdk.rig import Rig, TaskLog, client_of
from tests.sdk.serving import Serve
from tests.sdk.waiting import until

LEASE_SECONDS = 2


@pytest.fixture
async def short(serve: Serve) -> AsyncIterator[Rig]:
    """The SDK on a server with short leases."""
    server = serve(DW_WORKFLOW_TASK_TIMEOUT=str(LEASE_SECONDS), DW_ACTIVITY_TASK_TIMEOUT=str(LEASE_SECONDS))
    async with client_of(server) as client:
        rig = Rig(server, client)
        yield rig
        await rig.check_replays()


async def test_an_activity_is_finished_by_another_worker(
    short: Rig, start_worker: StartWorker, folder: Path
) -> None:
    victim = start_worker(short.server, short.queue, "victim")
    handle = await short.start(workload.StuckActivity, str(folder))
    await until((folder / workload.STUCK).exists, "the activity is stuck")
    async with short.worker(workload.WORKFLOWS, workload.ACTIVITIES, worker_id="heir"):
        victim.kill()
        assert await short.result(handle) == {"attempt": 2, "worker": "heir"}

    events = await short.history(handle)
    assert types_of(events) == [
        "WorkflowStarted",
        "ActivityScheduled",
        "ActivityCompleted",
        "WorkflowCompleted",
    ]
    assert payload_of(events, "ActivityCompleted")["attempt_number"] == 2


async def test_a_workflow_task_is_finished_by_another_worker(
    short: Rig, start_worker: StartWorker, folder: Path
) -> None:
    tasks = TaskLog()
    victim = start_worker(short.server, short.queue, "victim")
    handle = await short.start(workload.StuckWorkflow, str(folder))
    await until((folder / workload.STUCK).exists, "the workflow is stuck")
    async with short.worker(workload.WORKFLOWS, workload.ACTIVITIES, worker_id="heir", interceptors=[tasks]):
        victim.kill()
        assert await short.result(handle) == ["victim", "heir"]

    assert [task["workflow_task_attempt"] for task in tasks.tasks] == [2, 1]
    events = await short.history(handle)
    assert len(of_type(events, "ActivityScheduled")) == len(of_type(events, "ActivityCompleted")) == 2
    check_replay(workload.StuckWorkflow, events, [str(folder)])
