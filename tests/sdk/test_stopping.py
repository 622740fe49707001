"""Workers that stop, and what becomes of what they held."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from typing import Any

import pytest
from durable_workflow import activity, workflow
from durable_workflow.client import WorkflowHandle
from durable_workflow.errors import ServerError
from durable_workflow.workflow import WorkflowContext

from tests.sdk.rig import Rig, unique

Steps = Generator[Any, Any, Any]


@workflow.defn(name="stopping.calling")
class Calling:
    def run(self, ctx: WorkflowContext) -> Steps:
        result = yield ctx.schedule_activity("stopping.work", [])
        return result


class Work:
    """An activity whose first attempt is given up without a word."""

    def __init__(self) -> None:
        self.given_up = asyncio.Event()

    def activity(self) -> Any:
        @activity.defn(name="stopping.work")
        async def work() -> int:
            attempt = activity.context().info.attempt_number
            if attempt == 1:
                self.given_up.set()
                raise asyncio.CancelledError
            return attempt

        return work


async def test_a_stopped_worker_is_deregistered(rig: Rig) -> None:
    async with rig.worker([Calling], worker_id=unique("worker")) as worker:
        handle = await rig.start(Calling)
        await rig.recorded(handle, "ActivityScheduled")
    with pytest.raises(ServerError) as refused:
        await rig.client.poll_workflow_task(worker_id=worker.worker_id, task_queue=rig.queue, timeout=1)
    assert (refused.value.status, refused.value.reason()) == (412, "worker_not_registered")


async def test_what_a_stopped_worker_held_is_offered_to_another_at_once(rig: Rig) -> None:
    """Nobody waits for the lease, which lasts for minutes."""
    work = Work()
    async with rig.worker([Calling], [work.activity()]):
        handle = await rig.start(Calling)
        await asyncio.wait_for(work.given_up.wait(), 30)
    async with rig.worker([Calling], [work.activity()]):
        assert await rig.result(handle) == 2


async def test_a_worker_comes_back_under_its_id(rig: Rig) -> None:
    worker_id = unique("worker")
    for _ in range(2):
        async with rig.worker([Calling], worker_id=worker_id):
            handle = await rig.start(Calling)
            await rig.recorded(handle, "ActivityScheduled")


async def test_a_worker_that_goes_takes_no_task_with_it(rig: Rig) -> None:
    """A workflow starts just as the only worker stops, with its poll held; the next worker has it."""
    handles: list[WorkflowHandle] = []
    for _ in range(10):
        async with rig.worker([Calling]):
            handles.append(await rig.start(Calling))
    async with rig.worker([Calling]):
        for handle in handles:
            await rig.recorded(handle, "ActivityScheduled")
