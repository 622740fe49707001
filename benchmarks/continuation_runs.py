"""One workflow in one mode, and what its tasks brought over the wire."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

import durable_workflow
from durable_workflow.client import WorkflowHandle

from byssus.worker import Worker
from tests.engines.server import Server
from tests.sdk.rig import client_of, unique
from tests.worker.traffic import POLL, TASKS, WHOLE_HISTORY_TOKEN, Document, Exchange, compact, listen
from tests.worker.workloads import Sequential, double

_LONGEST_SECONDS = 1800.0


@dataclass(frozen=True)
class Workload:
    """A workflow of sequential steps, of one kind or the other."""

    name: str
    activities: int = 0
    timers: int = 0

    @property
    def continuations(self) -> int:
        """How many steps wake the workflow."""
        return self.activities + self.timers

    def references(self) -> Iterator[str]:
        """What to compare the figures with, for the sizes for which that is known."""
        if self.timers == 25:
            yield "Others: 573,224 B without suffixes; 41,441 B with them, 25 hits of 26 tasks."
        if self.activities == 332:
            yield "Aim: all tasks but the first are hits, and no more than 1,000,000 B with suffixes."


@dataclass(frozen=True)
class Mode:
    """A worker, how many runs it keeps, and what it needs the server to offer."""

    name: str
    worker: Callable[..., durable_workflow.Worker]
    capacity: int
    needs: str | None


MODES = (
    Mode("without a cache", durable_workflow.Worker, 0, None),
    Mode("sticky, official worker", durable_workflow.Worker, 10, "sticky_execution"),
    # Merged, tasks would come with completions, or not at all.
    Mode("sticky, with suffixes", partial(Worker, merged_transitions=False), 10, "sticky_history_suffix"),
)


@dataclass
class Measured:
    """What a worker's client received: sizes of the history that came with each task, and counts.

    `events` is the last sequence, `wire_bytes` the size of those answers as they were sent.
    """

    history_bytes: list[int] = field(default_factory=list)
    events: int = 0
    hits: int = 0
    suffixes: int = 0
    forced_cold_replays: int = 0
    refetches: int = 0
    wire_bytes: int = 0
    requests: int = 0
    seconds: float = 0.0

    def note(self, exchange: Exchange) -> None:
        """Count one exchange."""
        self.requests += 1
        if exchange.path == POLL and exchange.answer.get("task"):
            self._task(exchange)
        elif exchange.path.startswith(TASKS) and exchange.path.endswith("/history"):
            self.refetches += exchange.request["next_history_page_token"] == WHOLE_HISTORY_TOKEN
            self._events(exchange, exchange.answer)

    def _task(self, exchange: Exchange) -> None:
        task = exchange.answer["task"]
        self.history_bytes.append(0)
        self.hits += task.get("sticky_replay_mode") == "sticky_hit_expected"
        self.forced_cold_replays += task.get("sticky_replay_mode") == "forced_cold_replay"
        self.suffixes += task.get("history_after_sequence", 0) > 0
        self._events(exchange, task)

    def _events(self, exchange: Exchange, page: Document) -> None:
        """Add events to the task that came last: the run has one at a time."""
        events = page["history_events"]
        self.history_bytes[-1] += len(compact(events))
        self.events = events[-1]["sequence"] if events else self.events
        self.wire_bytes += exchange.wire_bytes


async def is_offered(server: Server, mode: Mode) -> bool:
    """Whether the server offers what the mode needs."""
    async with client_of(server) as client:
        info = await client.get_cluster_info()
    offer = info["worker_protocol"]["server_capabilities"].get(mode.needs, {})
    return mode.needs is None or offer.get("supported") is True


async def measure(server: Server, workload: Workload, mode: Mode) -> Measured:
    """Run the workflow to its end with a worker of its own."""
    measured, queue = Measured(), unique("queue")
    async with client_of(server) as starter, client_of(server) as client:
        listen(client, measured.note)
        worker = mode.worker(
            client,
            task_queue=queue,
            workflows=[Sequential],
            activities=[double],
            sticky_cache_capacity=mode.capacity,
        )
        running = asyncio.create_task(worker.run())
        began = time.perf_counter()
        handle = await starter.start_workflow(
            workflow_type="suffix.sequential",
            workflow_id=unique("wf"),
            task_queue=queue,
            input=[workload.activities, workload.timers],
        )
        await _ended(starter, handle)
        measured.seconds = time.perf_counter() - began
        await worker.stop()
        await running
    return measured


async def _ended(client: durable_workflow.Client, handle: WorkflowHandle) -> None:
    result = await client.get_result(handle, poll_interval=0.1, timeout=_LONGEST_SECONDS)
    if not isinstance(result, list):
        raise RuntimeError(f"the workflow ended with {result!r}")
