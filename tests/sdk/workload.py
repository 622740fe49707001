"""Workflows and activities for workers in other processes. What they do is seen in the files of a folder."""

from __future__ import annotations

import os
import threading
from collections.abc import Generator
from pathlib import Path
from typing import Any

from durable_workflow import activity, workflow
from durable_workflow.workflow import WorkflowContext

Steps = Generator[Any, Any, Any]

EFFECTS = "effects"
STUCK = "stuck"
APPROVALS = 2


@activity.defn(name="load.effect")
def effect(folder: str) -> str:
    """Note its idempotency key and attempt in the file of effects; give the worker's id."""
    info = activity.context().info
    note = f"{info.task_id} {info.attempt_number}\n".encode()
    with (Path(folder) / EFFECTS).open("ab", buffering=0) as effects:
        effects.write(note)
    return info.worker_id


@activity.defn(name="load.stuck")
def stuck(folder: str) -> dict[str, Any]:
    """Never come back from the first attempt."""
    info = activity.context().info
    if info.attempt_number == 1:
        block_once(folder)
    return {"attempt": info.attempt_number, "worker": info.worker_id}


def block_once(folder: str) -> None:
    """Make the file that says so, and wait for ever; return at once when it is there already."""
    try:
        os.close(os.open(Path(folder) / STUCK, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return
    threading.Event().wait()


@workflow.defn(name="load.order")
class Order:
    """Two effects at a time, a timer, approvals, and one more effect."""

    def __init__(self) -> None:
        self.approvals: list[str] = []

    @workflow.signal("approve")
    def approve(self, who: str) -> None:
        """Somebody approves."""
        self.approvals.append(who)

    def run(self, ctx: WorkflowContext, folder: str) -> Steps:
        """The workers that did the work, and who approved."""
        workers = yield [ctx.schedule_activity("load.effect", [folder]) for _ in range(2)]
        yield ctx.start_timer(1)
        yield ctx.wait_condition(lambda: len(self.approvals) >= APPROVALS, key="approved")
        last = yield ctx.schedule_activity("load.effect", [folder])
        return {"workers": [*workers, last], "approvals": self.approvals}


@workflow.defn(name="load.stuck-activity")
class StuckActivity:
    """Waits for an activity that gets stuck."""

    def run(self, ctx: WorkflowContext, folder: str) -> Steps:
        """What the activity says when it answers at last."""
        answer = yield ctx.schedule_activity("load.stuck", [folder])
        return answer


@workflow.defn(name="load.stuck-workflow")
class StuckWorkflow:
    """Gets stuck itself, between two activities."""

    def run(self, ctx: WorkflowContext, folder: str) -> Steps:
        """The workers that did the work."""
        first = yield ctx.schedule_activity("load.effect", [folder])
        block_once(folder)
        last = yield ctx.schedule_activity("load.effect", [folder])
        return [first, last]


WORKFLOWS = [Order, StuckActivity, StuckWorkflow]
ACTIVITIES = [effect, stuck]
