"""Whatever is lost, late or repeated: a worker that follows the acceptance rule replays the run's history.

Random interleavings of deliveries, lost answers, signals, ends of leases, page fetches, evictions and
registrations. A small model of the rules says of each claim what it has to be told; the histories that the
workers put together are compared with the run's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from byssus.worker.suffix import announced, may_replay
from tests.engines.clock import Clock
from tests.transitions.commands import side_effect, wait
from tests.transitions.driver import LEASE_SECONDS, Driver, Reply, WorkflowTask, page_token, workflow_task
from tests.transitions.sticky import TTL_SECONDS, sticky_cache

_examples = count(1)


@dataclass
class Worker:
    """A process: its cache of the one run, and the claim that it thinks it holds."""

    name: str
    token: str = ""
    cached: list[dict[str, Any]] = field(default_factory=list)
    task: WorkflowTask | None = None
    history: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class Affinity:
    """What the model knows of the last completion that retained the run."""

    token: str
    until: float
    reported: int | None
    delivered: int


@dataclass
class World:
    """One run, two workers, and the model."""

    driver: Driver
    clock: Clock
    run_id: str
    workflow_id: str
    queue: str
    workers: list[Worker]
    affinity: Affinity | None = None
    delivered: Counter[tuple[str, int]] = field(default_factory=Counter)

    def now(self) -> float:
        return self.clock.now.timestamp()

    async def evict(self, worker: Worker) -> None:
        worker.cached = []

    async def signal(self) -> None:
        await self.driver.signal(workflow_id=self.workflow_id)

    async def register(self, worker: Worker) -> None:
        """A new process under the same id: it knows nothing."""
        reply = await self.driver.register(
            worker.name,
            queue=self.queue,
            sticky_execution=True,
            sticky_history_suffix=True,
            stale_seconds=3600,
        )
        worker.token = reply["registration_token"]
        worker.cached, worker.history, worker.task = [], [], None

    async def pass_time(self, seconds: float) -> None:
        self.clock.advance(seconds)
        await self.driver.expire_leases()

    async def claim(self, worker: Worker, page_size: int) -> WorkflowTask | None:
        """What a poll is given, which has to be what the model says."""
        reply = await self.driver.claim(worker.name, task_queue=self.queue, page_size=page_size)
        if reply.outcome != "leased":
            return None
        task = workflow_task(reply)
        mode, after = self.expected(worker, task.body["history_last_sequence"])
        assert (task.body["sticky_replay_mode"], task.body["history_after_sequence"]) == (mode, after)
        self.deliver(task, [event["sequence"] for event in task.body["history_events"]] or [after])
        return task

    def expected(self, worker: Worker, last: int) -> tuple[str, int]:
        known = self.affinity
        if known is None:
            return "cold_replay", 0
        if known.until <= self.now() or known.token != worker.token:
            return "forced_cold_replay", 0
        if known.reported is None:
            return "sticky_hit_expected", 0
        if known.reported > known.delivered or known.reported > last:
            return "forced_cold_replay", 0
        return "sticky_hit_expected", known.reported

    def deliver(self, task: WorkflowTask, sequences: list[int]) -> None:
        key = (task.task_id, task.attempt)
        self.delivered[key] = max(self.delivered[key], *sequences)

    async def poll(self, worker: Worker, page_size: int) -> None:
        """A claim whose history the worker puts together, by the rule or from the beginning."""
        task = await self.claim(worker, page_size)
        if task is None:
            return
        said = announced(task.body)
        assert said is not None
        events = task.body["history_events"] + await self.pages(
            task, task.body["next_history_page_token"], page_size
        )
        if said.after == 0:
            history = events
        elif may_replay(range(1, len(worker.cached) + 1), said, events):
            history = worker.cached + events
        else:
            history = await self.pages(task, "MA==", page_size)
        true_history = await self.driver.history(self.run_id, self.workflow_id)
        assert history == true_history[: said.last]
        worker.task, worker.history = task, history

    async def pages(self, task: WorkflowTask, token: str | None, page_size: int) -> list[dict[str, Any]]:
        """The events behind a token; signals may come in between, and belong to a later claim."""
        events: list[dict[str, Any]] = []
        while token is not None:
            page = await self.driver.read_page(task, int(page_token(token)), page_size)
            assert page.outcome == "page"
            self.deliver(task, [event["sequence"] for event in page["history_events"]])
            events += page["history_events"]
            token = page["next_history_page_token"]
            if len(events) % 3 == 0:
                await self.signal()
        return events

    async def complete(self, worker: Worker, last: int | None, *, retains: bool = True) -> None:
        """Complete the claim; a refused completion changes nothing, neither here nor there."""
        task = worker.task
        if task is None:
            return
        worker.task = None
        claim = sticky_cache(task, last) if retains else None
        reply = await self.driver.complete(task, side_effect(), wait(str(len(worker.history))), sticky=claim)
        if reply.outcome != "completed":
            assert reply.outcome in (
                "task_not_leased",
                "lease_expired",
                "workflow_task_attempt_mismatch",
                "lease_owner_mismatch",
            )
            return
        delivered = self.delivered[(task.task_id, task.attempt)]
        self.affinity = Affinity(worker.token, self.now() + TTL_SECONDS, last, delivered) if retains else None
        worker.cached = worker.history if retains else []

    async def give_up(self, worker: Worker, how: Any) -> None:
        if worker.task is not None:
            reply: Reply = await how(worker.task)
            assert reply.outcome
            worker.task = None


async def _world(driver: Driver, clock: Clock) -> World:
    number = next(_examples)
    queue, workflow_id = f"queue-{number}", f"order-{number}"
    started = await driver.start(workflow_id, queue=queue)
    workers = [Worker(f"{name}-{number}") for name in ("left", "right")]
    world = World(driver, clock, started["run_id"], workflow_id, queue, workers)
    for worker in workers:
        await world.register(worker)
    return world


_Step = Callable[[World, Worker, int], Awaitable[object]]

STEPS: list[tuple[int, str, _Step]] = [
    (8, "poll", lambda world, worker, size: world.poll(worker, size)),
    (2, "lose the answer of a poll", lambda world, worker, size: world.claim(worker, size)),
    (10, "retain", lambda world, worker, _: world.complete(worker, len(worker.history))),
    (1, "retain without a boundary", lambda world, worker, _: world.complete(worker, None)),
    (1, "claim to hold more", lambda world, worker, _: world.complete(worker, len(worker.history) + 1)),
    (1, "retain nothing", lambda world, worker, _: world.complete(worker, None, retains=False)),
    (8, "signal", lambda world, _, __: world.signal()),
    (1, "fail", lambda world, worker, _: world.give_up(worker, world.driver.fail)),
    (1, "release", lambda world, worker, _: world.give_up(worker, world.driver.release)),
    (1, "evict", lambda world, worker, _: world.evict(worker)),
    (1, "register again", lambda world, worker, _: world.register(worker)),
    (2, "a second passes", lambda world, _, __: world.pass_time(1)),
    (2, "the lease passes", lambda world, _, __: world.pass_time(LEASE_SECONDS)),
    (1, "the affinity passes", lambda world, _, __: world.pass_time(TTL_SECONDS)),
]
_PERFORM = {name: perform for _, name, perform in STEPS}
_names = st.sampled_from([name for weight, name, _ in STEPS for _ in range(weight)])
_steps = st.lists(
    st.tuples(_names, st.sampled_from((0, 0, 0, 1)), st.sampled_from((500, 500, 3, 1))),
    min_size=20,
    max_size=60,
)


@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=_steps)
async def test_a_worker_that_follows_the_rule_replays_the_runs_own_history(
    driver: Driver, clock: Clock, steps: list[tuple[str, int, int]]
) -> None:
    world = await _world(driver, clock)
    for name, index, page_size in steps:
        await _PERFORM[name](world, world.workers[index], page_size)
    await driver.cancel(world.workflow_id)
