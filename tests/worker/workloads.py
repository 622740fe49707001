"""Workflows for the tests and benchmarks of the adapter."""

from __future__ import annotations

import threading
from collections.abc import Generator
from typing import Any

from durable_workflow import activity, workflow
from durable_workflow.workflow import WorkflowContext

Steps = Generator[Any, Any, Any]


@activity.defn(name="suffix.double")
def double(value: int) -> int:
    """Twice the value."""
    return 2 * value


def _doubles(ctx: WorkflowContext, activities: int) -> Steps:
    values = []
    for number in range(activities):
        value = yield ctx.schedule_activity("suffix.double", [number])
        values.append(value)
    return values


@workflow.defn(name="suffix.sequential")
class Sequential:
    """Activities and timers, one after the other."""

    def run(self, ctx: WorkflowContext, activities: int, timers: int) -> Steps:
        """The results of the activities."""
        doubles = yield from _doubles(ctx, activities)
        for _ in range(timers):
            yield ctx.start_timer(1)
        return doubles


@workflow.defn(name="suffix.parallel")
class Parallel:
    """Many activities at once, then one."""

    def run(self, ctx: WorkflowContext, activities: int) -> Steps:
        """The sum of their results."""
        doubles = yield [ctx.schedule_activity("suffix.double", [number]) for number in range(activities)]
        last = yield ctx.schedule_activity("suffix.double", [activities])
        return sum(doubles) + last


@workflow.defn(name="suffix.gated")
class Gated:
    """Activities, of which the first waits at the gate; signals may come at any time."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    @workflow.signal("note")
    def note(self, text: str) -> None:
        """Somebody leaves a note."""
        self.notes.append(text)

    def run(self, ctx: WorkflowContext, activities: int) -> Steps:
        """What the activities said, and the notes."""
        gate = yield ctx.schedule_activity("suffix.gate", [])
        doubles = yield from _doubles(ctx, activities)
        return {"gate": gate, "doubles": doubles, "notes": self.notes}


class Gate:
    """An activity that waits until the test lets it go on."""

    def __init__(self) -> None:
        self.opened = threading.Event()

        @activity.defn(name="suffix.gate")
        def gate() -> str:
            if not self.opened.wait(60):
                raise TimeoutError("nobody opened the gate")
            return "open"

        self.activity = gate


WORKFLOWS = [Sequential, Parallel, Gated]
