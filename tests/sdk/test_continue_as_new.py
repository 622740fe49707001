"""Workflows that go on as a new run."""

from __future__ import annotations

import threading
from collections.abc import Generator
from typing import Any

from durable_workflow import activity, workflow
from durable_workflow.client import WorkflowHandle
from durable_workflow.workflow import WorkflowContext

from tests.sdk.histories import check_replay, decoded, payload_of, received_signals, types_of
from tests.sdk.rig import Rig
from tests.sdk.waiting import until

Steps = Generator[Any, Any, Any]


@activity.defn(name="continuing.increment")
def increment(value: int) -> int:
    return value + 1


@workflow.defn(name="continuing.counter")
class Counter:
    def run(self, ctx: WorkflowContext, value: int, limit: int) -> Steps:
        value = yield ctx.schedule_activity("continuing.increment", [value])
        return value if value == limit else ctx.continue_as_new(value, limit)


async def _next_run(rig: Rig, handle: WorkflowHandle) -> WorkflowHandle:
    continued = payload_of(await rig.history(handle), "WorkflowContinuedAsNew")
    return rig.client.get_workflow_handle(handle.workflow_id, run_id=continued["continued_to_run_id"])


async def test_each_run_has_its_own_history_and_the_last_one_the_result(rig: Rig) -> None:
    async with rig.worker([Counter], [increment]):
        first = await rig.start(Counter, 0, 3, memo={"owner": "Byssa"})
        whole = rig.client.get_workflow_handle(first.workflow_id)
        assert await rig.result(whole) == 3

    second = await _next_run(rig, first)
    third = await _next_run(rig, second)
    assert len({first.run_id, second.run_id, third.run_id}) == 3
    ends = ["WorkflowContinuedAsNew", "WorkflowContinuedAsNew", "WorkflowCompleted"]
    earlier = [None, first.run_id, second.run_id]
    for value, (run, end) in enumerate(zip([first, second, third], ends, strict=True)):
        events = await rig.history(run)
        assert types_of(events) == ["WorkflowStarted", "ActivityScheduled", "ActivityCompleted", end]
        check_replay(Counter, events, [value, 3])
        assert payload_of(events, "WorkflowStarted").get("continued_from_run_id") == earlier[value]

    described = await rig.client.describe_workflow(first.workflow_id)
    assert described.run_id == third.run_id
    assert described.input == [2, 3]
    assert described.output == 3
    assert described.memo == {"owner": "Byssa"}


async def test_a_signal_on_the_way_reaches_the_next_run(rig: Rig) -> None:
    """It arrives while the worker is busy with the task that continues the workflow."""
    running, go_on = threading.Event(), threading.Event()

    @workflow.defn(name="continuing.signalled")
    class Signalled:
        def __init__(self) -> None:
            self.notes: list[str] = []

        @workflow.signal("note")
        def note(self, text: str) -> None:
            self.notes.append(text)

        def run(self, ctx: WorkflowContext, is_first: bool) -> Steps:
            if is_first:
                running.set()
                go_on.wait(30)
                return ctx.continue_as_new(False)
            yield ctx.wait_condition(lambda: bool(self.notes), key="noted")
            return self.notes

    async with rig.worker([Signalled]):
        first = await rig.start(Signalled, True)
        await until(running.is_set, "the first task runs")
        await rig.client.signal_workflow(first.workflow_id, "note", args=["hello"])
        go_on.set()
        whole = rig.client.get_workflow_handle(first.workflow_id)
        assert await rig.result(whole) == ["hello"]

    second = await _next_run(rig, first)
    events = await rig.history(second)
    assert received_signals(events) == [["hello"]]
    assert decoded(payload_of(events, "WorkflowCompleted"), "output") == ["hello"]
    check_replay(Signalled, events, [False])
