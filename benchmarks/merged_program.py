"""A worker, or a client that starts workflows, in a process of its own.

A worker works until SIGTERM, and then says in a line of JSON what it has merged.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import Generator
from typing import Any

from durable_workflow import Client, activity, workflow
from durable_workflow.workflow import WorkflowContext

from byssus.worker import Worker

STEPS = 5
STEP_SECONDS = 0.02
RUNS_KEPT = 1000
STARTERS = 8

Steps = Generator[Any, Any, Any]


@activity.defn(name="merged.step")
async def step(number: int) -> int:
    """Twenty milliseconds, and the next number."""
    await asyncio.sleep(STEP_SECONDS)
    return number + 1


@workflow.defn(name="activities")
class Activities:
    """Steps that any worker may run."""

    def run(self, ctx: WorkflowContext) -> Steps:
        """How many steps there were."""
        number = 0
        for _ in range(STEPS):
            number = yield ctx.schedule_activity("merged.step", [number])
        return number


@workflow.defn(name="local activities")
class LocalActivities:
    """Steps that the worker of the workflow runs."""

    def run(self, ctx: WorkflowContext) -> Steps:
        """How many steps there were."""
        number = 0
        for _ in range(STEPS):
            number = yield ctx.local_activity("merged.step", [number])
        return number


async def work(url: str, token: str, queue: str, merged: str) -> None:
    """Work until SIGTERM; `merged` is "True" or "False"."""
    async with Client(url, worker_token=token) as client:
        worker = Worker(
            client,
            task_queue=queue,
            workflows=[Activities, LocalActivities],
            activities=[step],
            sticky_cache_capacity=RUNS_KEPT,
            merged_transitions=merged == "True",
        )
        running = asyncio.create_task(worker.run())
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)
        await asyncio.wait({running})
    print(json.dumps(worker.merged_metrics()))


async def start(url: str, token: str, queue: str, workflow_type: str, prefix: str, workflows: str) -> None:
    """Start so many workflows, some at a time; their ids are the prefix, a dot and a number."""
    waiting = iter(range(int(workflows)))

    async def starter() -> None:
        for number in waiting:
            await client.start_workflow(
                workflow_type=workflow_type, workflow_id=f"{prefix}.{number}", task_queue=queue, input=[]
            )

    async with Client(url, token=token) as client, asyncio.TaskGroup() as group:
        for _ in range(STARTERS):
            group.create_task(starter())


if __name__ == "__main__":
    way, *arguments = sys.argv[1:]
    asyncio.run(work(*arguments) if way == "work" else start(*arguments))
