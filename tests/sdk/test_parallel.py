"""Lists of operations that run at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from typing import Any

from durable_workflow import activity, workflow
from durable_workflow.errors import ActivityFailed
from durable_workflow.workflow import WorkflowContext

from tests.sdk.histories import of_type, types_of
from tests.sdk.rig import Rig, TaskLog

Steps = Generator[Any, Any, Any]


@activity.defn(name="parallel.echo")
def echo(value: str) -> str:
    return value


@activity.defn(name="parallel.fail")
def fail(value: str) -> str:
    raise ValueError(value)


class Gate:
    """An activity that does not end before the test says so."""

    def __init__(self) -> None:
        self.open = asyncio.Event()

    def activity(self) -> Any:
        @activity.defn(name="parallel.gated")
        async def gated(value: str) -> str:
            await self.open.wait()
            return value

        return gated


@workflow.defn(name="parallel.nested")
class Nested:
    def run(self, ctx: WorkflowContext) -> Steps:
        results = yield [
            ctx.schedule_activity("parallel.gated", ["slow"]),
            ctx.schedule_activity("parallel.echo", ["fast"]),
            [ctx.schedule_activity("parallel.echo", ["inner"]), ctx.start_timer(1)],
        ]
        last = yield ctx.schedule_activity("parallel.echo", ["last"])
        return [*results, last]


async def test_results_come_in_the_order_of_the_list_whatever_ends_first(rig: Rig) -> None:
    gate = Gate()
    tasks = TaskLog()
    async with rig.worker([Nested], [echo, gate.activity()], interceptors=[tasks]):
        handle = await rig.start(Nested)
        await rig.recorded(handle, "TimerFired")
        await rig.recorded(handle, "ActivityCompleted", times=2)
        gate.open.set()
        assert await rig.result(handle) == ["slow", "fast", ["inner", None], "last"]

    events = await rig.history(handle)
    leaves = of_type(events, "ActivityScheduled", "TimerScheduled")[:4]
    assert [leaf["payload"]["sequence"] for leaf in leaves] == [1, 2, 3, 4]
    assert len(leaves[3]["payload"]["parallel_group_path"]) == 2
    assert len(tasks.tasks) == 3, "one for the start, one for the whole list, one for the last activity"


@workflow.defn(name="parallel.failing")
class Failing:
    def run(self, ctx: WorkflowContext) -> Steps:
        try:
            yield [
                ctx.schedule_activity("parallel.gated", ["slow"]),
                ctx.schedule_activity("parallel.fail", ["no luck"]),
            ]
        except ActivityFailed as failure:
            return str(failure)
        return "not reached"


async def test_a_failure_is_raised_once_the_whole_list_has_ended(rig: Rig) -> None:
    gate = Gate()
    async with rig.worker([Failing], [fail, gate.activity()]):
        handle = await rig.start(Failing)
        await rig.recorded(handle, "ActivityFailed")
        gate.open.set()
        assert await rig.result(handle) == "no luck"
    assert types_of(await rig.history(handle)) == [
        "WorkflowStarted",
        "ActivityScheduled",
        "ActivityScheduled",
        "ActivityFailed",
        "ActivityCompleted",
        "WorkflowCompleted",
    ]


@workflow.defn(name="parallel.interrupted")
class Interrupted:
    def __init__(self) -> None:
        self.notes: list[str] = []

    @workflow.signal("note")
    def note(self, text: str) -> None:
        self.notes.append(text)

    def run(self, ctx: WorkflowContext) -> Steps:
        results = yield [
            ctx.schedule_activity("parallel.gated", ["slow"]),
            ctx.schedule_activity("parallel.echo", ["fast"]),
        ]
        yield ctx.wait_condition(lambda: len(self.notes) == 2, key="both")
        return [*results, *self.notes]


async def test_a_signal_in_the_middle_of_a_list_schedules_nothing_twice(rig: Rig) -> None:
    gate = Gate()
    tasks = TaskLog()
    async with rig.worker([Interrupted], [echo, gate.activity()], interceptors=[tasks]):
        handle = await rig.start(Interrupted)
        await rig.recorded(handle, "ActivityCompleted")
        await handle.signal("note", args=["early"])
        await tasks.has_worked_on(2)
        await handle.signal("note", args=["later"])
        await tasks.has_worked_on(3)
        gate.open.set()
        assert await rig.result(handle) == ["slow", "fast", "early", "later"]
    assert len(of_type(await rig.history(handle), "ActivityScheduled")) == 2


@workflow.defn(name="parallel.many")
class Many:
    def run(self, ctx: WorkflowContext, size: int) -> Steps:
        echoes = yield [ctx.schedule_activity("parallel.echo", [str(number)]) for number in range(size)]
        return [int(value) for value in echoes]


async def test_a_long_list_of_activities(rig: Rig) -> None:
    async with rig.worker([Many], [echo]):
        handle = await rig.start(Many, 40)
        assert await rig.result(handle) == list(range(40))
