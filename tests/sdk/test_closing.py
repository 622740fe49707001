"""How runs end otherwise than by completing."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from typing import Any

import pytest
from durable_workflow import activity, workflow
from durable_workflow.client import WorkflowHandle
from durable_workflow.errors import (
    ActivityCancelled,
    ServerError,
    WorkflowCancelled,
    WorkflowFailed,
    WorkflowTerminated,
    WorkflowTimedOut,
)
from durable_workflow.workflow import WorkflowContext

from tests.sdk.histories import of_type, payload_of, types_of
from tests.sdk.rig import Rig
from tests.sdk.waiting import until

Steps = Generator[Any, Any, Any]


class Work:
    """An activity that beats until it is told to stop."""

    def __init__(self) -> None:
        self.beats = 0
        self.ended_by: BaseException | None = None

    def activity(self) -> Any:
        @activity.defn(name="closing.work")
        async def work() -> None:
            try:
                while True:
                    await activity.context().heartbeat({"beats": self.beats})
                    self.beats += 1
                    await asyncio.sleep(0.02)
            except BaseException as error:
                self.ended_by = error
                raise

        return work


@workflow.defn(name="closing.working")
class Working:
    def run(self, ctx: WorkflowContext) -> Steps:
        yield [ctx.schedule_activity("closing.work", []), ctx.start_timer(3600)]


@workflow.defn(name="closing.waiting")
class Waiting:
    def run(self, ctx: WorkflowContext) -> Steps:
        yield ctx.wait_condition(lambda: False, key="never", timeout=3600)


async def _working(rig: Rig, work: Work) -> WorkflowHandle:
    handle = await rig.start(Working)
    await until(lambda: work.beats > 0, "the activity works")
    return handle


async def test_cancelling_stops_the_activity_and_the_timer(rig: Rig) -> None:
    work = Work()
    async with rig.worker([Working], [work.activity()]):
        handle = await _working(rig, work)
        await handle.cancel(reason="changed my mind")
        with pytest.raises(WorkflowCancelled, match="changed my mind"):
            await rig.result(handle)
        await until(lambda: work.ended_by is not None, "the activity is told")
    assert isinstance(work.ended_by, ActivityCancelled)
    assert types_of(await rig.history(handle)) == [
        "WorkflowStarted",
        "ActivityScheduled",
        "TimerScheduled",
        "CancelRequested",
        "ActivityCancelled",
        "TimerCancelled",
        "WorkflowCancelled",
    ]
    assert (await handle.describe()).status == "cancelled"


async def test_terminating_stops_the_activity_too(rig: Rig) -> None:
    work = Work()
    async with rig.worker([Working], [work.activity()]):
        handle = await _working(rig, work)
        await handle.terminate(reason="enough")
        with pytest.raises(WorkflowTerminated, match="enough"):
            await rig.result(handle)
        await until(lambda: work.ended_by is not None, "the activity is told")
    assert isinstance(work.ended_by, ActivityCancelled)
    assert types_of(await rig.history(handle))[-4:] == [
        "TerminateRequested",
        "ActivityCancelled",
        "TimerCancelled",
        "WorkflowTerminated",
    ]


@pytest.mark.parametrize("is_worked_on", [False, True])
async def test_a_run_is_cancelled_without_the_help_of_a_worker(rig: Rig, is_worked_on: bool) -> None:
    handle = await rig.start(Waiting)
    if is_worked_on:
        async with rig.worker([Waiting]):
            await rig.recorded(handle, "ConditionWaitOpened")
    await handle.cancel()
    with pytest.raises(WorkflowCancelled):
        await rig.result(handle)


async def test_a_closed_run_is_not_cancelled_again(rig: Rig) -> None:
    handle = await rig.start(Waiting)
    await handle.terminate()
    with pytest.raises(ServerError) as refused:
        await handle.cancel()
    assert (refused.value.status, refused.value.reason()) == (409, "run_not_active")
    assert not of_type(await rig.history(handle), "CancelRequested")


async def test_a_run_that_takes_too_long_times_out(rig: Rig) -> None:
    async with rig.worker([Waiting]):
        handle = await rig.start(Waiting, run_timeout_seconds=1)
        with pytest.raises(WorkflowTimedOut):
            await rig.result(handle)
    assert types_of(await rig.history(handle))[-1] == "WorkflowTimedOut"


@workflow.defn(name="closing.failing")
class Failing:
    def run(self, ctx: WorkflowContext, message: str) -> Steps:
        yield ctx.start_timer(0)
        raise LookupError(message)


async def test_an_error_in_workflow_code_fails_the_run(rig: Rig) -> None:
    async with rig.worker([Failing]):
        handle = await rig.start(Failing, "nothing there")
        with pytest.raises(WorkflowFailed, match="nothing there") as failed:
            await rig.result(handle)
    assert failed.value.exception_class is not None
    assert failed.value.exception_class.endswith("LookupError")
    assert payload_of(await rig.history(handle), "WorkflowFailed")["exception_type"] == "LookupError"
    assert (await handle.describe()).status == "failed"
