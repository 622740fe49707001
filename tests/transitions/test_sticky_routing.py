"""Where a task goes: first to the worker that holds its run, after a bounded hold to any."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engines.clock import Clock
from tests.transitions.commands import timer, wait
from tests.transitions.driver import HOLD_SECONDS, POLLING_SECONDS, WORKER, Driver, Reply
from tests.transitions.sticky import OTHER, TTL_SECONDS, register_suffix_worker, retain

QUEUE = ["workflow", "default", "main"]


@pytest.fixture
async def workers(driver: Driver) -> Driver:
    """Two sticky workers of one queue."""
    await register_suffix_worker(driver)
    await register_suffix_worker(driver, OTHER)
    return driver


async def hold(driver: Driver, workflow_id: str = "order-1", worker: str = WORKER, **start: Any) -> None:
    """A run that waits for a signal, in the cache of the worker."""
    await driver.start(workflow_id, **start)
    await retain(driver, await driver.claimed(worker), wait())


async def held_run(driver: Driver) -> Reply:
    """A run in the cache of the first worker, woken by a signal."""
    await hold(driver)
    return await driver.signal()


async def test_a_held_task_goes_to_its_worker_at_once_and_to_no_other(workers: Driver) -> None:
    await held_run(workers)
    assert (await workers.claim(OTHER)).outcome == "empty"
    assert (await workers.claim()).outcome == "leased"


async def test_the_hint_of_a_held_task_names_its_worker_and_the_end_of_the_hold(workers: Driver) -> None:
    signalled = await held_run(workers)
    assert ["held", "default", "main", WORKER, "2030-01-01T00:00:05.000000Z"] in signalled.hints
    assert QUEUE not in signalled.hints


async def test_after_the_hold_any_worker_may_take_it(workers: Driver, clock: Clock) -> None:
    await held_run(workers)
    clock.advance(HOLD_SECONDS - 1)
    assert (await workers.claim(OTHER)).outcome == "empty"
    clock.advance(1)
    assert (await workers.claim(OTHER)).outcome == "leased"


async def test_a_hold_of_nothing_is_only_a_hint(workers: Driver) -> None:
    await workers.start()
    await retain(workers, await workers.claimed(), wait(), hold_seconds=0)
    signalled = await workers.signal()
    assert QUEUE in signalled.hints
    assert (await workers.claim(OTHER)).outcome == "leased"


async def test_a_hold_ends_with_the_affinity(workers: Driver, clock: Clock) -> None:
    await workers.start()
    await retain(workers, await workers.claimed(), wait(), ttl_seconds=3)
    await workers.signal()
    clock.advance(2)
    assert (await workers.claim(OTHER)).outcome == "empty"
    clock.advance(1)
    assert (await workers.claim(OTHER)).outcome == "leased"


async def test_a_worker_that_polls_no_more_is_not_waited_for(workers: Driver, clock: Clock) -> None:
    await workers.start()
    await retain(workers, await workers.claimed(), wait())
    clock.advance(POLLING_SECONDS - 2)
    await workers.signal()
    clock.advance(1)
    assert (await workers.claim(OTHER)).outcome == "empty"
    clock.advance(1)
    assert (await workers.claim(OTHER)).outcome == "leased"


async def test_a_worker_that_has_long_polled_no_more_costs_no_hold(workers: Driver, clock: Clock) -> None:
    await workers.start()
    await retain(workers, await workers.claimed(), wait())
    clock.advance(POLLING_SECONDS)
    assert QUEUE in (await workers.signal()).hints
    assert (await workers.claim(OTHER)).outcome == "leased"


async def test_a_poll_that_waits_vouches_for_its_worker(workers: Driver, clock: Clock) -> None:
    await workers.start()
    await retain(workers, await workers.claimed(), wait())
    clock.advance(POLLING_SECONDS)
    await workers.record_polls(("default", WORKER), ("default", OTHER), ("default", "nobody"))
    await workers.signal()
    assert (await workers.claim(OTHER)).outcome == "empty"
    clock.advance(HOLD_SECONDS)
    assert (await workers.claim(OTHER)).outcome == "leased"


async def test_an_empty_poll_vouches_for_its_worker(workers: Driver, clock: Clock) -> None:
    await workers.start()
    await retain(workers, await workers.claimed(), wait())
    clock.advance(POLLING_SECONDS)
    assert (await workers.claim()).outcome == "empty"
    await workers.signal()
    assert (await workers.claim(OTHER)).outcome == "empty"


async def test_a_worker_without_a_heartbeat_is_not_waited_for(driver: Driver, clock: Clock) -> None:
    await register_suffix_worker(driver, stale_seconds=20)
    await register_suffix_worker(driver, OTHER)
    await driver.start()
    await retain(driver, await driver.claimed(), wait())
    clock.advance(18)
    await driver.claim()
    await driver.signal()
    assert (await driver.claim(OTHER)).outcome == "empty"
    clock.advance(2)
    assert (await driver.claim(OTHER)).outcome == "leased"


async def test_a_heartbeat_keeps_the_hold(driver: Driver, clock: Clock) -> None:
    await register_suffix_worker(driver, stale_seconds=20)
    await register_suffix_worker(driver, OTHER)
    await driver.start()
    await retain(driver, await driver.claimed(), wait())
    clock.advance(18)
    await driver.heartbeat_worker()
    await driver.claim()
    await driver.signal()
    clock.advance(2)
    assert (await driver.claim(OTHER)).outcome == "empty"


async def test_registering_again_ends_the_holds(workers: Driver) -> None:
    await held_run(workers)
    registered = await register_suffix_worker(workers)
    assert QUEUE in registered.hints
    assert (await workers.claim(OTHER)).outcome == "leased"


async def test_registering_again_with_nothing_held_wakes_nobody(workers: Driver) -> None:
    assert QUEUE not in (await register_suffix_worker(workers)).hints


async def test_the_affinity_of_an_earlier_registration_is_not_waited_for(workers: Driver) -> None:
    await workers.start()
    await retain(workers, await workers.claimed(), wait())
    await register_suffix_worker(workers)
    await workers.claim()
    assert QUEUE in (await workers.signal()).hints
    assert (await workers.claim(OTHER)).outcome == "leased"


async def test_own_tasks_go_before_older_ones_of_the_same_priority(workers: Driver, clock: Clock) -> None:
    await workers.start("mine")
    await retain(workers, await workers.claimed(), wait())
    await workers.start("older")
    clock.advance(1)
    await workers.signal(workflow_id="mine")
    assert [(await workers.claimed()).body["workflow_id"] for _ in range(2)] == ["mine", "older"]


async def test_a_cold_task_of_higher_priority_goes_before_own_ones(workers: Driver, clock: Clock) -> None:
    for workflow_id in ("mine", "mine-too"):
        await hold(workers, workflow_id)
    for workflow_id in ("mine", "mine-too"):
        clock.advance(1)
        await workers.signal(workflow_id=workflow_id)
    await workers.start("urgent", priority=0)
    await workers.start("idle", priority=9)
    claimed = [(await workers.claimed()).body["workflow_id"] for _ in range(4)]
    assert claimed == ["urgent", "mine", "mine-too", "idle"]


async def test_own_tasks_are_taken_by_priority_and_then_by_age(workers: Driver, clock: Clock) -> None:
    runs = {"old": 5, "idle": 9, "urgent": 0, "young": 5}
    for workflow_id, priority in runs.items():
        await hold(workers, workflow_id, priority=priority)
    for workflow_id in runs:
        clock.advance(1)
        await workers.signal(workflow_id=workflow_id)
    claimed = [(await workers.claimed()).body["workflow_id"] for _ in range(4)]
    assert claimed == ["urgent", "old", "young", "idle"]


async def test_a_lease_that_ends_is_held_for_the_worker_anew(workers: Driver, clock: Clock) -> None:
    await held_run(workers)
    task = await workers.claimed()
    released = await workers.release(task)
    assert ["held", "default", "main", WORKER, "2030-01-01T00:00:05.000000Z"] in released.hints
    assert (await workers.claim(OTHER)).outcome == "empty"
    clock.advance(HOLD_SECONDS)
    assert (await workers.claim(OTHER)).outcome == "leased"


async def test_a_timer_finds_its_worker(workers: Driver, clock: Clock) -> None:
    await workers.start()
    await retain(workers, await workers.claimed(), timer(1))
    clock.advance(1)
    await workers.fire_timers()
    assert (await workers.claim(OTHER)).outcome == "empty"
    assert (await workers.claimed()).body["sticky_replay_mode"] == "sticky_hit_expected"


async def test_an_expired_affinity_holds_nothing(workers: Driver, clock: Clock) -> None:
    await workers.start()
    await retain(workers, await workers.claimed(), wait())
    clock.advance(TTL_SECONDS)
    await workers.claim()
    assert QUEUE in (await workers.signal()).hints


async def test_a_sweep_finds_whom_tasks_are_held_for(workers: Driver, clock: Clock) -> None:
    for workflow_id, worker in (("order-1", WORKER), ("order-2", OTHER), ("order-3", OTHER)):
        await hold(workers, workflow_id, worker)
    for workflow_id in ("order-1", "order-2", "order-3"):
        await workers.signal(workflow_id=workflow_id)
    assert await workers.probe(QUEUE) == []
    assert await workers.probe_held(QUEUE, ["activity", "default", "main"]) == [
        [*QUEUE, WORKER],
        [*QUEUE, OTHER],
    ]
    clock.advance(HOLD_SECONDS)
    assert await workers.probe(QUEUE) == [QUEUE]
    assert await workers.probe_held(QUEUE) == []


@pytest.mark.parametrize("nothing_held", [1, 2])
async def test_a_sweep_passes_over_queues_where_nothing_is_held(workers: Driver, nothing_held: int) -> None:
    await held_run(workers)
    others = [["workflow", "default", f"side-{number}"] for number in range(nothing_held)]
    assert await workers.probe_held(*others, QUEUE) == [[*QUEUE, WORKER]]


async def test_two_polls_of_one_call_get_what_is_theirs(workers: Driver) -> None:
    await hold(workers, "first")
    await hold(workers, "second", OTHER)
    await workers.signal(workflow_id="second")
    await workers.signal(workflow_id="first")
    answers = await workers.claim_all(workers.poll(), workers.poll(OTHER))
    assert [answer["task"]["workflow_id"] for answer in answers] == ["first", "second"]
