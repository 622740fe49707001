"""Signals, whenever they come."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Generator
from typing import Any

import pytest
from durable_workflow import activity, workflow
from durable_workflow.errors import SignalFailed
from durable_workflow.workflow import WorkflowContext

from tests.sdk.histories import of_type, received_signals, types_of
from tests.sdk.rig import Rig, TaskLog
from tests.sdk.waiting import until

Steps = Generator[Any, Any, Any]


class Noting:
    def __init__(self) -> None:
        self.notes: list[str] = []

    @workflow.signal("note")
    def note(self, text: str) -> None:
        self.notes.append(text)


@workflow.defn(name="signals.waiting")
class Waiting(Noting):
    def run(self, ctx: WorkflowContext, times: int) -> Steps:
        yield ctx.wait_condition(lambda: len(self.notes) >= times, key="noted")
        return self.notes


async def test_a_signal_before_the_first_task_is_kept_for_the_first_wait(rig: Rig) -> None:
    handle = await rig.start(Waiting, 1)
    await handle.signal("note", args=["early"])
    assert types_of(await rig.history(handle)) == ["WorkflowStarted"], "held until the first task is answered"
    async with rig.worker([Waiting]):
        assert await rig.result(handle) == ["early"]
    assert types_of(await rig.history(handle)) == [
        "WorkflowStarted",
        "ConditionWaitOpened",
        "SignalReceived",
        "ConditionWaitSatisfied",
        "WorkflowCompleted",
    ]


async def test_a_signal_during_a_workflow_task_follows_what_the_task_decided(rig: Rig) -> None:
    running, go_on = threading.Event(), threading.Event()

    @workflow.defn(name="signals.busy")
    class Busy(Noting):
        def run(self, ctx: WorkflowContext) -> Steps:
            running.set()
            go_on.wait(30)
            yield ctx.start_timer(0)
            yield ctx.wait_condition(lambda: bool(self.notes), key="noted")
            return self.notes

    async with rig.worker([Busy]):
        handle = await rig.start(Busy)
        await until(running.is_set, "the first task runs")
        await handle.signal("note", args=["while busy"])
        assert types_of(await rig.history(handle)) == ["WorkflowStarted"]
        go_on.set()
        assert await rig.result(handle) == ["while busy"]
    assert types_of(await rig.history(handle))[:3] == ["WorkflowStarted", "TimerScheduled", "SignalReceived"]


async def test_a_signal_during_an_activity_is_seen_after_it(rig: Rig) -> None:
    gate = asyncio.Event()

    @activity.defn(name="signals.gated")
    async def gated() -> str:
        await gate.wait()
        return "activity"

    @workflow.defn(name="signals.pending")
    class Pending(Noting):
        def run(self, ctx: WorkflowContext) -> Steps:
            result = yield ctx.schedule_activity("signals.gated", [])
            return [result, *self.notes]

    tasks = TaskLog()
    async with rig.worker([Pending], [gated], interceptors=[tasks]):
        handle = await rig.start(Pending)
        await rig.recorded(handle, "ActivityScheduled")
        await handle.signal("note", args=["first"])
        await tasks.has_worked_on(2)
        await handle.signal("note", args=["second"])
        await tasks.has_worked_on(3)
        gate.set()
        assert await rig.result(handle) == ["activity", "first", "second"]
    assert types_of(await rig.history(handle)) == [
        "WorkflowStarted",
        "ActivityScheduled",
        "SignalReceived",
        "SignalReceived",
        "ActivityCompleted",
        "WorkflowCompleted",
    ]


async def test_signals_of_many_senders_are_each_received_once(rig: Rig) -> None:
    texts = [f"note {number}" for number in range(30)]
    async with rig.worker([Waiting]):
        handle = await rig.start(Waiting, len(texts))
        await asyncio.gather(*(handle.signal("note", args=[text]) for text in texts))
        result = await rig.result(handle)
    assert sorted(result) == sorted(texts)
    assert received_signals(await rig.history(handle)) == [[text] for text in result]


async def test_a_repeated_request_is_one_signal(rig: Rig) -> None:
    async with rig.worker([Waiting]):
        handle = await rig.start(Waiting, 2)
        for _ in range(2):
            await rig.client.signal_workflow(handle.workflow_id, "note", args=["a"], request_id="request-1")
        with pytest.raises(SignalFailed) as conflict:
            await rig.client.signal_workflow(handle.workflow_id, "note", args=["b"], request_id="request-1")
        await handle.signal("note", args=["c"])
        assert await rig.result(handle) == ["a", "c"]
    assert conflict.value.reason == "request_id_conflict"


async def test_a_signal_that_no_handler_is_for_does_no_harm(rig: Rig) -> None:
    async with rig.worker([Waiting]):
        handle = await rig.start(Waiting, 1)
        await rig.recorded(handle, "ConditionWaitOpened")
        await handle.signal("unheard-of", args=[1])
        await rig.recorded(handle, "ConditionWaitOpened")
        await handle.signal("note", args=["known"])
        assert await rig.result(handle) == ["known"]


async def test_a_closed_run_takes_no_signal(rig: Rig) -> None:
    async with rig.worker([Waiting]):
        handle = await rig.start(Waiting, 0)
        await rig.result(handle)
    with pytest.raises(SignalFailed) as refused:
        await handle.signal("note", args=["late"])
    assert refused.value.reason == "run_not_active"
    assert not of_type(await rig.history(handle), "SignalReceived")
