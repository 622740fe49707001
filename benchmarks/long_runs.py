"""Open runs with long histories that a worker holds in its cache, all but the last events, with ready tasks.

All but the length is made by transitions: the worker was given the whole history, said so when it answered,
and then an activity ended. The runs of each length have a task queue and a worker of their own, so that a
poll finds one of them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from benchmarks.histories import Event, Histories
from benchmarks.leased_tasks import PAYLOAD
from byssus.store import Store
from tests.transitions import commands as c
from tests.transitions.driver import Driver
from tests.transitions.sticky import register_suffix_worker, retain

SUFFIX_EVENTS = 3
"""What the worker does not hold: a side effect, and an activity that was scheduled and has ended."""

FULL_PAGE = 500

_DAY_SECONDS = 86_400
_PATTERN = "pattern"


@dataclass(frozen=True)
class LongRuns:
    """Runs with histories of that many events."""

    events: int

    @property
    def queue(self) -> str:
        """Where their tasks are."""
        return f"events-{self.events}"

    @property
    def worker(self) -> str:
        """Who holds them."""
        return f"worker-{self.events}"


async def prepare(store: Store, histories: Histories, lengths: list[int], runs: int) -> list[LongRuns]:
    """Make that many runs of each length."""
    driver = Driver(store)
    pattern = await _pattern(driver, histories)
    prepared = [LongRuns(events) for events in lengths]
    for long_runs in prepared:
        await register_suffix_worker(
            driver, long_runs.worker, queue=long_runs.queue, stale_seconds=_DAY_SECONDS
        )
        for number in range(runs):
            await _begin(driver, histories, long_runs, number, pattern)
        # Not before all are that far: the task of one would be in the way of the next.
        for _ in range(runs):
            activity = await driver.claimed_activity(long_runs.worker, task_queue=long_runs.queue)
            await driver.complete_activity(activity, PAYLOAD)
    return prepared


async def _pattern(driver: Driver, histories: Histories) -> list[Event]:
    """The two events of an activity."""
    await register_suffix_worker(driver, _PATTERN, queue=_PATTERN)
    run_id = (await driver.start(_PATTERN, queue=_PATTERN))["run_id"]
    task = await driver.claimed(_PATTERN, task_queue=_PATTERN)
    await retain(driver, task, c.schedule(queue=_PATTERN, arguments=PAYLOAD))
    await driver.complete_activity(await driver.claimed_activity(_PATTERN, task_queue=_PATTERN), PAYLOAD)
    return histories.read(run_id, 2, 3)


async def _begin(
    driver: Driver, histories: Histories, long_runs: LongRuns, number: int, pattern: list[Event]
) -> None:
    """A run whose worker holds its long history, and goes on with an activity."""
    started = await driver.start(f"{long_runs.queue}-{number}", queue=long_runs.queue, input=PAYLOAD)
    histories.prolong(started["run_id"], long_runs.events - SUFFIX_EVENTS, pattern)
    task = await driver.claimed(long_runs.worker, task_queue=long_runs.queue, page_size=FULL_PAGE)
    delivered = len(task.body["history_events"])
    while delivered < long_runs.events - SUFFIX_EVENTS:
        page = await driver.read_page(task, delivered, FULL_PAGE)
        delivered += len(page["history_events"])
    going_on = (c.side_effect(), c.schedule(queue=long_runs.queue, arguments=PAYLOAD))
    # Held for no one: otherwise how many tasks a claim looks at would depend on when it comes.
    await retain(driver, task, *going_on, ttl_seconds=_DAY_SECONDS, hold_seconds=0)


def polls_for(long_runs: LongRuns, request_id: str, *, is_sticky: bool = True) -> str:
    """One poll of the worker. When it is not sticky, as while that is switched off: for full history."""
    poll = {
        "namespace": "default",
        "worker_id": long_runs.worker,
        "task_queue": long_runs.queue,
        "poll_request_id": request_id,
        "page_size": FULL_PAGE,
        "lease_seconds": 60,
        "sticky_execution": is_sticky,
        "hold_seconds": 0,
        "polling_seconds": 10,
    }
    return json.dumps([poll])
