"""The history suffix: sent when all five conditions hold, full history when one does not."""

from __future__ import annotations

from tests.engines.clock import Clock
from tests.transitions.commands import continue_as_new, side_effect, timer, wait
from tests.transitions.conftest import Execute
from tests.transitions.driver import HOLD_SECONDS, LEASE_SECONDS, Driver, page_token
from tests.transitions.sticky import (
    OTHER,
    TTL_SECONDS,
    boundaries,
    register_suffix_worker,
    retain,
    sticky_cache,
)

HIT, FORCED, COLD = "sticky_hit_expected", "forced_cold_replay", "cold_replay"


async def test_the_next_task_carries_only_what_its_worker_does_not_hold(driver: Driver) -> None:
    await register_suffix_worker(driver)
    await driver.start()
    first = await driver.claimed()
    assert boundaries(first) == (COLD, 0, 1, [1])
    await retain(driver, first, wait())
    await driver.signal()
    second = await driver.claimed()
    assert boundaries(second) == (HIT, 1, 3, [2, 3])
    assert second.body["last_history_sequence"] == second.body["total_history_events"] == 3
    assert second.body["next_history_page_token"] is None


async def test_a_suffix_may_be_empty(driver: Driver, execute: Execute) -> None:
    await register_suffix_worker(driver)
    await driver.start()
    await retain(driver, await driver.claimed(), wait())
    await driver.signal()
    # As if the worker had been told of the signal before: a task that brings nothing new.
    execute("update affinities set reported_sequence = 3, delivered_sequence = 3")
    task = await driver.claimed()
    assert boundaries(task) == (HIT, 3, 3, [])
    assert task.body["next_history_page_token"] is None
    await retain(driver, task, wait("b"))
    await driver.signal()
    assert boundaries(await driver.claimed()) == (HIT, 3, 6, [4, 5, 6])


async def test_a_boundary_beyond_the_end_of_the_run_gives_full_history(
    driver: Driver, execute: Execute
) -> None:
    await register_suffix_worker(driver)
    await driver.start()
    await retain(driver, await driver.claimed(), wait())
    await driver.signal()
    # As after a restore of the run's history from a backup.
    execute("update affinities set reported_sequence = 4, delivered_sequence = 4")
    assert boundaries(await driver.claimed()) == (FORCED, 0, 3, [1, 2, 3])
    # The independent reader would hold such an affinity for damage.
    execute("update affinities set reported_sequence = 1, delivered_sequence = 1")


async def test_a_repeated_poll_gets_the_same_suffix(driver: Driver) -> None:
    await register_suffix_worker(driver)
    await driver.start()
    await retain(driver, await driver.claimed(), *(side_effect() for _ in range(4)), wait())
    await driver.signal()
    task = await driver.claimed(poll_request_id="same", page_size=3)
    again = await driver.claimed(poll_request_id="same", page_size=3)
    assert boundaries(task) == (HIT, 1, 7, [2, 3, 4])
    assert again == task
    longer = await driver.claimed(poll_request_id="same", page_size=500)
    assert boundaries(longer) == boundaries(task)
    assert longer.body["next_history_page_token"] == task.body["next_history_page_token"]


async def test_pages_continue_within_the_suffix_and_begin_again_from_the_start(driver: Driver) -> None:
    await register_suffix_worker(driver)
    await driver.start()
    await retain(driver, await driver.claimed(), *(side_effect() for _ in range(4)), wait())
    await driver.signal()
    task = await driver.claimed(page_size=3)
    after = int(page_token(task.body["next_history_page_token"]))
    assert after == 4
    page = await driver.read_page(task, after)
    assert [event["sequence"] for event in page["history_events"]] == [5, 6, 7]
    assert page["next_history_page_token"] is None
    full = await driver.read_page(task, 0)
    assert [event["sequence"] for event in full["history_events"]] == [1, 2, 3, 4, 5, 6, 7]


async def test_what_comes_after_the_claim_is_in_no_page_of_it_and_in_the_next_suffix(driver: Driver) -> None:
    await register_suffix_worker(driver)
    await driver.start()
    await retain(driver, await driver.claimed(), wait())
    await driver.signal("a")
    task = await driver.claimed()
    await driver.signal("b")
    assert [e["sequence"] for e in (await driver.read_page(task, 0))["history_events"]] == [1, 2, 3]
    await retain(driver, task, wait("more"))
    following = await driver.claimed()
    assert boundaries(following) == (HIT, 3, 6, [4, 5, 6])


async def test_an_affinity_that_has_expired_forces_a_cold_replay(driver: Driver, clock: Clock) -> None:
    await register_suffix_worker(driver)
    await driver.start()
    await retain(driver, await driver.claimed(), wait())
    clock.advance(TTL_SECONDS)
    await driver.signal()
    assert boundaries(await driver.claimed()) == (FORCED, 0, 3, [1, 2, 3])


async def test_another_worker_replays_cold_after_the_hold(driver: Driver, clock: Clock) -> None:
    await register_suffix_worker(driver)
    await register_suffix_worker(driver, OTHER)
    await driver.start()
    await retain(driver, await driver.claimed(), wait())
    await driver.signal()
    assert (await driver.claim(OTHER)).outcome == "empty"
    clock.advance(HOLD_SECONDS)
    assert boundaries(await driver.claimed(OTHER)) == (FORCED, 0, 3, [1, 2, 3])


async def test_a_worker_that_registers_again_has_an_empty_cache(driver: Driver) -> None:
    await register_suffix_worker(driver)
    await driver.start()
    await retain(driver, await driver.claimed(), wait())
    await register_suffix_worker(driver)
    await driver.signal()
    assert boundaries(await driver.claimed()) == (FORCED, 0, 3, [1, 2, 3])


async def test_a_worker_of_another_build_replays_cold(driver: Driver) -> None:
    await register_suffix_worker(driver, build_id="b1")
    await driver.start()
    await retain(driver, await driver.claimed(), wait(), build_id="b1")
    await register_suffix_worker(driver, build_id="b2")
    await driver.signal()
    assert boundaries(await driver.claimed()) == (FORCED, 0, 3, [1, 2, 3])


async def test_an_affinity_of_another_build_does_not_hold(driver: Driver, execute: Execute) -> None:
    await register_suffix_worker(driver)
    await driver.start()
    await retain(driver, await driver.claimed(), wait())
    await driver.signal()
    execute("update affinities set build_id = 'another'")
    assert boundaries(await driver.claimed()) == (FORCED, 0, 3, [1, 2, 3])


async def test_a_worker_that_has_gone_leaves_its_runs_to_others_at_once(driver: Driver) -> None:
    await register_suffix_worker(driver)
    await register_suffix_worker(driver, OTHER)
    await driver.start()
    await retain(driver, await driver.claimed(), wait())
    await driver.signal()
    reply = await driver.deregister()
    assert ["workflow", "default", "main"] in reply.hints
    assert boundaries(await driver.claimed(OTHER)) == (FORCED, 0, 3, [1, 2, 3])


async def test_a_boundary_that_was_not_reported_gives_full_history(driver: Driver) -> None:
    await register_suffix_worker(driver)
    await driver.start()
    task = await driver.claimed()
    await driver.complete(task, wait(), sticky=sticky_cache(task))
    await driver.signal()
    assert boundaries(await driver.claimed()) == (HIT, 0, 3, [1, 2, 3])


async def test_a_boundary_beyond_what_was_delivered_is_unverifiable(driver: Driver) -> None:
    await register_suffix_worker(driver)
    await driver.start()
    await retain(driver, await driver.claimed(), *(side_effect() for _ in range(4)), wait())
    await driver.signal()
    task = await driver.claimed(page_size=2)
    reply = await driver.complete(task, wait("b"), sticky=sticky_cache(task, 7))
    assert reply.outcome == "completed"
    await driver.signal()
    assert boundaries(await driver.claimed()) == (FORCED, 0, 10, list(range(1, 11)))


async def test_a_later_page_counts_as_delivered(driver: Driver) -> None:
    await register_suffix_worker(driver)
    await driver.start()
    await retain(driver, await driver.claimed(), *(side_effect() for _ in range(4)), wait())
    await driver.signal()
    task = await driver.claimed(page_size=2)
    await driver.read_page(task, 3)
    await retain(driver, task, wait("b"))
    await driver.signal()
    assert boundaries(await driver.claimed()) == (HIT, 7, 10, [8, 9, 10])


async def test_a_page_from_the_start_does_not_lower_what_was_delivered(driver: Driver) -> None:
    await register_suffix_worker(driver)
    await driver.start()
    await retain(driver, await driver.claimed(), *(side_effect() for _ in range(4)), wait())
    await driver.signal()
    task = await driver.claimed()
    await driver.read_page(task, 0, page_size=2)
    await retain(driver, task, wait("b"))
    await driver.signal()
    assert boundaries(await driver.claimed()) == (HIT, 7, 10, [8, 9, 10])


async def test_a_worker_without_the_capability_is_told_nothing_of_suffixes(driver: Driver) -> None:
    await driver.register(sticky_execution=True)
    await driver.start()
    task = await driver.claimed()
    assert "history_after_sequence" not in task.body
    assert "history_last_sequence" not in task.body
    await driver.complete(task, wait(), sticky=sticky_cache(task))
    await driver.signal()
    second = await driver.claimed()
    assert second.body["sticky_replay_mode"] == HIT
    assert "history_after_sequence" not in second.body
    assert [event["sequence"] for event in second.body["history_events"]] == [1, 2, 3]


async def test_a_capability_that_was_withdrawn_is_gone(driver: Driver) -> None:
    await register_suffix_worker(driver)
    await driver.start()
    await retain(driver, await driver.claimed(), wait())
    await driver.register(sticky_execution=True)
    await driver.signal()
    task = await driver.claimed()
    assert task.body["sticky_replay_mode"] == FORCED
    assert "history_after_sequence" not in task.body
    assert [event["sequence"] for event in task.body["history_events"]] == [1, 2, 3]


async def test_a_run_that_continues_as_new_starts_cold(driver: Driver) -> None:
    await register_suffix_worker(driver)
    await driver.start()
    await retain(driver, await driver.claimed(), continue_as_new())
    assert boundaries(await driver.claimed()) == (COLD, 0, 1, [1])


async def test_a_lost_lease_leaves_the_worker_its_suffix(driver: Driver, clock: Clock) -> None:
    await register_suffix_worker(driver)
    await register_suffix_worker(driver, OTHER)
    await driver.start()
    await retain(driver, await driver.claimed(), wait())
    await driver.signal()
    await driver.claimed()
    clock.advance(LEASE_SECONDS)
    await driver.expire_leases()
    assert boundaries(await driver.claimed()) == (HIT, 1, 3, [2, 3])
    clock.advance(LEASE_SECONDS)
    await driver.expire_leases()
    assert boundaries(await driver.claimed(OTHER)) == (FORCED, 0, 3, [1, 2, 3])


async def test_a_failed_task_and_an_acknowledged_one_leave_the_boundary(driver: Driver, clock: Clock) -> None:
    await register_suffix_worker(driver)
    await driver.start()
    await retain(driver, await driver.claimed(), wait())
    await driver.signal()
    await driver.fail(await driver.claimed())
    clock.advance(60)
    task = await driver.claimed()
    assert boundaries(task) == (HIT, 1, 3, [2, 3])
    await driver.wait_for_history(task)
    await driver.signal()
    assert boundaries(await driver.claimed()) == (HIT, 1, 4, [2, 3, 4])


async def test_a_completion_that_retains_nothing_ends_the_affinity(driver: Driver) -> None:
    await register_suffix_worker(driver)
    await driver.start()
    await retain(driver, await driver.claimed(), wait())
    await driver.signal()
    await driver.complete(await driver.claimed(), wait("b"))
    await driver.signal()
    assert boundaries(await driver.claimed()) == (COLD, 0, 6, [1, 2, 3, 4, 5, 6])


async def test_switched_off_every_claim_is_cold(driver: Driver) -> None:
    await register_suffix_worker(driver)
    await driver.start()
    await retain(driver, await driver.claimed(), wait())
    await driver.signal()
    task = await driver.claimed(sticky_execution=False)
    assert boundaries(task) == (COLD, 0, 3, [1, 2, 3])
    await driver.complete(task, wait("b"), timer(1))
    await driver.signal()
    assert boundaries(await driver.claimed())[:2] == (COLD, 0)
