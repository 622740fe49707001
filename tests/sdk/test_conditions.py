"""Waiting for a condition that signals make true."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from durable_workflow import activity, workflow
from durable_workflow.workflow import WorkflowContext

from tests.sdk.histories import of_type, seconds_between, types_of
from tests.sdk.rig import Rig, TaskLog

Steps = Generator[Any, Any, Any]


class Noting:
    def __init__(self) -> None:
        self.notes: list[str] = []

    @workflow.signal("note")
    def note(self, text: str) -> None:
        self.notes.append(text)


@activity.defn(name="conditions.echo")
def echo(value: str) -> str:
    return value


@workflow.defn(name="conditions.timed")
class Timed(Noting):
    def run(self, ctx: WorkflowContext, seconds: int) -> Steps:
        satisfied = yield ctx.wait_condition(lambda: bool(self.notes), key="noted", timeout=seconds)
        yield ctx.schedule_activity("conditions.echo", ["after"])
        return [satisfied, *self.notes]


async def test_a_wait_that_times_out_is_false(rig: Rig) -> None:
    async with rig.worker([Timed], [echo]):
        handle = await rig.start(Timed, 1)
        assert await rig.result(handle) == [False]
    events = await rig.history(handle)
    assert types_of(events) == [
        "WorkflowStarted",
        "ConditionWaitOpened",
        "TimerScheduled",
        "TimerFired",
        "ActivityScheduled",
        "ActivityCompleted",
        "WorkflowCompleted",
    ]
    scheduled, fired = of_type(events, "TimerScheduled", "TimerFired")
    assert scheduled["payload"]["timer_kind"] == fired["payload"]["timer_kind"] == "condition_timeout"
    assert seconds_between(scheduled, fired) >= 1


async def test_a_wait_that_is_satisfied_in_time_is_true_and_its_timer_never_fires(rig: Rig) -> None:
    async with rig.worker([Timed], [echo]):
        handle = await rig.start(Timed, 3600)
        await rig.recorded(handle, "ConditionWaitOpened")
        await handle.signal("note", args=["in time"])
        assert await rig.result(handle) == [True, "in time"]
    assert types_of(await rig.history(handle)) == [
        "WorkflowStarted",
        "ConditionWaitOpened",
        "TimerScheduled",
        "SignalReceived",
        "ConditionWaitSatisfied",
        "ActivityScheduled",
        "ActivityCompleted",
        "WorkflowCompleted",
    ]


async def test_a_wait_of_no_time_is_over_at_once(rig: Rig) -> None:
    async with rig.worker([Timed], [echo]):
        handle = await rig.start(Timed, 0)
        assert await rig.result(handle) == [False]
    events = await rig.history(handle)
    assert of_type(events, "ConditionWaitTimedOut")
    assert not of_type(events, "TimerScheduled")


@workflow.defn(name="conditions.collecting")
class Collecting(Noting):
    def run(self, ctx: WorkflowContext, times: int) -> Steps:
        taken: list[str] = []
        while len(taken) < times:
            yield ctx.wait_condition(lambda: len(self.notes) > len(taken), key="one more")
            taken.append((yield ctx.schedule_activity("conditions.echo", [self.notes[len(taken)]])))
        return taken


async def test_equal_waits_in_a_loop_are_each_fed_by_a_signal_of_their_own(rig: Rig) -> None:
    async with rig.worker([Collecting], [echo]):
        handle = await rig.start(Collecting, 3)
        for number in (1, 2, 3):
            await rig.recorded(handle, "ConditionWaitOpened", times=number)
            await handle.signal("note", args=[f"note {number}"])
        assert await rig.result(handle) == ["note 1", "note 2", "note 3"]
    events = await rig.history(handle)
    assert len(of_type(events, "ConditionWaitOpened")) == len(of_type(events, "ConditionWaitSatisfied")) == 3


async def test_equal_waits_in_a_loop_take_signals_that_came_all_at_once(rig: Rig) -> None:
    async with rig.worker([Collecting], [echo]):
        handle = await rig.start(Collecting, 5)
        await rig.recorded(handle, "ConditionWaitOpened")
        for number in range(5):
            await handle.signal("note", args=[f"note {number}"])
        assert await rig.result(handle) == [f"note {number}" for number in range(5)]


@workflow.defn(name="conditions.counting")
class Counting(Noting):
    def run(self, ctx: WorkflowContext, times: int) -> Steps:
        satisfied = yield ctx.wait_condition(lambda: len(self.notes) >= times, key="enough", timeout=3600)
        return [satisfied, *self.notes]


async def test_one_wait_goes_on_through_signals_that_are_not_enough(rig: Rig) -> None:
    tasks = TaskLog()
    async with rig.worker([Counting], interceptors=[tasks]):
        handle = await rig.start(Counting, 4)
        await rig.recorded(handle, "ConditionWaitOpened")
        for number in range(4):
            await tasks.has_worked_on(number + 1)
            await handle.signal("note", args=[str(number)])
        assert await rig.result(handle) == [True, "0", "1", "2", "3"]


@workflow.defn(name="conditions.chained")
class Chained(Noting):
    def run(self, ctx: WorkflowContext) -> Steps:
        first = yield ctx.wait_condition(lambda: "a" in self.notes, key="a")
        second = yield ctx.wait_condition(lambda: "b" in self.notes, key="b", timeout=1)
        third = yield ctx.wait_condition(lambda: "c" in self.notes, key="c", timeout=3600)
        return [first, second, third, self.notes]


async def test_waits_one_after_the_other_without_anything_between(rig: Rig) -> None:
    async with rig.worker([Chained]):
        handle = await rig.start(Chained)
        await rig.recorded(handle, "ConditionWaitOpened")
        await handle.signal("note", args=["a"])
        await rig.recorded(handle, "TimerFired")
        await handle.signal("note", args=["c"])
        assert await rig.result(handle) == [True, False, True, ["a", "c"]]


@workflow.defn(name="conditions.foreseen")
class Foreseen(Noting):
    def run(self, ctx: WorkflowContext) -> Steps:
        yield ctx.wait_condition(lambda: True, key="always")
        return "no need to wait"


async def test_a_condition_that_already_holds_leaves_no_trace(rig: Rig) -> None:
    async with rig.worker([Foreseen]):
        handle = await rig.start(Foreseen)
        assert await rig.result(handle) == "no need to wait"
    assert types_of(await rig.history(handle)) == ["WorkflowStarted", "WorkflowCompleted"]
