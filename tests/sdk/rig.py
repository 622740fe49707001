"""The official SDK's client and workers, at work on one server."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from durable_workflow import Client, Worker
from durable_workflow.client import WorkflowHandle
from durable_workflow.interceptors import (
    PassthroughWorkerInterceptor,
    WorkflowTaskHandler,
    WorkflowTaskInterceptorContext,
)

from tests.engines.server import Server
from tests.sdk.histories import Event, check_replay, of_type
from tests.sdk.waiting import LONGEST_SECONDS, until

LONGEST_LOAD_SECONDS = 150.0
"""A load takes a few seconds, or far more: after a fault the SDK's pollers rest for up to half a minute."""


def unique(prefix: str) -> str:
    """An id that no other test uses."""
    return f"{prefix}-{uuid.uuid4().hex[:12]}"


def client_of(server: Server) -> Client:
    """An SDK client that has the tokens it needs for both planes."""
    return Client(server.url, token=server.tokens["operator"], worker_token=server.tokens["worker"])


@dataclass(frozen=True)
class Started:
    """A workflow that a test has started, with what is needed to replay it."""

    handle: WorkflowHandle
    workflow: type
    arguments: list[Any]


class Rig:
    """Workflows and workers of one test, on a task queue of its own.

    Every history that the test leaves behind is replayed by the SDK's verifier at its end.
    """

    def __init__(self, server: Server, client: Client) -> None:
        self.server = server
        self.client = client
        self.queue = unique("queue")
        self._started: list[Started] = []

    async def start(
        self, workflow: Any, *arguments: Any, workflow_id: str | None = None, **options: Any
    ) -> WorkflowHandle:
        """Start a workflow of the class, with positional arguments and options of the SDK."""
        handle = await self.client.start_workflow(
            workflow_type=workflow.__workflow_name__,
            workflow_id=workflow_id or unique("wf"),
            task_queue=self.queue,
            input=list(arguments),
            **options,
        )
        self._started.append(Started(handle, workflow, list(arguments)))
        return handle

    @asynccontextmanager
    async def worker(
        self,
        workflows: Iterable[type] = (),
        activities: Iterable[Callable[..., Any]] = (),
        **options: Any,
    ) -> AsyncIterator[Worker]:
        """A worker of this process that runs inside the block, and is stopped at its end."""
        worker = Worker(
            self.client,
            **{"task_queue": self.queue, "workflows": workflows, "activities": activities, **options},
        )
        running = asyncio.create_task(worker.run())
        try:
            yield worker
        finally:
            await worker.stop()
            await running

    async def result(self, handle: WorkflowHandle) -> Any:
        """What the workflow returns."""
        return await self.client.get_result(handle, poll_interval=0.05, timeout=LONGEST_SECONDS)

    async def history(self, handle: WorkflowHandle, page_size: int = 1000) -> list[Event]:
        """All events of a handle's run."""
        assert handle.run_id is not None
        events: list[Event] = []
        token: str | None = None
        while True:
            page = await self.client.get_history(
                handle.workflow_id, handle.run_id, page_size=page_size, next_page_token=token
            )
            events += page["events"]
            token = page["next_page_token"]
            if token is None:
                return events

    async def recorded(self, handle: WorkflowHandle, event_type: str, times: int = 1) -> list[Event]:
        """The events of a type, once history has so many of them."""
        found: list[Event] = []

        async def are_there() -> bool:
            found[:] = of_type(await self.history(handle), event_type)
            return len(found) >= times

        await until(are_there, f"{times} x {event_type} in history")
        return found

    async def have_all_ended(self, workflow: Any) -> None:
        """Return once no workflow of the class is running."""

        async def none_runs() -> bool:
            page = await self.client.list_workflows(
                workflow_type=workflow.__workflow_name__, status="running", page_size=1
            )
            return not page.executions

        await until(none_runs, "all workflows have ended", seconds=LONGEST_LOAD_SECONDS, pause=0.2)

    async def check_replays(self) -> None:
        """Replay whatever has been recorded of the test's workflows."""
        for started in self._started:
            events = await self.history(started.handle)
            check_replay(started.workflow, events, started.arguments)


class TaskLog(PassthroughWorkerInterceptor):
    """Keeps the workflow tasks that a worker has worked on, in order of their end."""

    def __init__(self) -> None:
        self.tasks: list[dict[str, Any]] = []

    async def execute_workflow_task(
        self, context: WorkflowTaskInterceptorContext, next: WorkflowTaskHandler
    ) -> list[dict[str, Any]] | None:
        """Work on the task, then note it."""
        try:
            return await next(context)
        finally:
            self.tasks.append(context.task)

    async def has_worked_on(self, times: int) -> None:
        """Return once so many tasks have been worked on."""
        await until(lambda: len(self.tasks) >= times, f"{times} workflow tasks worked on")
