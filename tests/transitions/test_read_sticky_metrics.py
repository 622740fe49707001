"""read_sticky_metrics: figures that follow from what was routed."""

from __future__ import annotations

from typing import Any

from tests.engines.clock import Clock
from tests.transitions.commands import wait
from tests.transitions.driver import HOLD_SECONDS, Driver
from tests.transitions.sticky import OTHER, TTL_SECONDS, register_suffix_worker, retain

CLAIMS = ("hit_expected", "forced_cold_replay", "cold_replay", "suffix_tasks", "suffix_events_saved")


async def last_minute(driver: Driver, namespace: str = "default") -> list[int]:
    metrics = await driver.sticky_metrics(namespace)
    return [metrics[f"{name}_last_minute"] for name in CLAIMS]


async def now(driver: Driver) -> list[Any]:
    metrics = await driver.sticky_metrics()
    return [metrics[name] for name in ("active_sticky_runs", "ready_sticky_tasks", "leased_sticky_tasks")]


async def test_nothing_routed_is_nothing_counted(driver: Driver, other_namespace: str) -> None:
    assert await last_minute(driver) == await last_minute(driver, other_namespace) == [0, 0, 0, 0, 0]
    assert await now(driver) == [0, 0, 0]


async def test_claims_are_counted_by_what_they_were_told(driver: Driver, clock: Clock) -> None:
    await register_suffix_worker(driver)
    await register_suffix_worker(driver, OTHER)
    await driver.start()
    await retain(driver, await driver.claimed(), wait())
    assert await last_minute(driver) == [0, 0, 1, 0, 0]
    await driver.signal()
    task = await driver.claimed()
    assert await last_minute(driver) == [1, 0, 1, 1, 1]
    await retain(driver, task, wait("b"))
    await driver.signal()
    clock.advance(HOLD_SECONDS)
    await driver.claimed(OTHER)
    assert await last_minute(driver) == [1, 1, 1, 1, 1]
    clock.advance(54)
    assert await last_minute(driver) == [1, 1, 1, 1, 1]
    clock.advance(1)
    assert await last_minute(driver) == [0, 1, 0, 0, 0]


async def test_a_suffix_saves_the_size_of_what_it_leaves_out(driver: Driver) -> None:
    await register_suffix_worker(driver)
    await driver.start()
    task = await driver.claimed()
    left_out = task.body["history_size_bytes"]
    await retain(driver, task, wait())
    await driver.signal()
    await driver.claimed()
    assert (await driver.sticky_metrics())["suffix_bytes_saved_last_minute"] == left_out > 0


async def test_affinities_and_their_tasks_are_counted_while_they_live(driver: Driver, clock: Clock) -> None:
    await register_suffix_worker(driver)
    for workflow_id in ("order-1", "order-2", "order-3"):
        await driver.start(workflow_id)
        await retain(driver, await driver.claimed(), wait())
    assert await now(driver) == [3, 0, 0]
    await driver.signal(workflow_id="order-1")
    await driver.signal(workflow_id="order-2")
    assert await now(driver) == [3, 2, 0]
    await driver.claimed()
    assert await now(driver) == [3, 1, 1]
    clock.advance(TTL_SECONDS)
    assert await now(driver) == [0, 0, 1]


async def test_a_registration_that_is_over_has_no_active_runs(driver: Driver) -> None:
    await register_suffix_worker(driver)
    await driver.start()
    await retain(driver, await driver.claimed(), wait())
    await register_suffix_worker(driver)
    assert (await now(driver))[0] == 0


async def test_each_namespace_has_its_own_figures(driver: Driver, other_namespace: str) -> None:
    await driver.start()
    await driver.claimed()
    assert await last_minute(driver, other_namespace) == [0, 0, 0, 0, 0]


async def test_switched_off_nothing_is_counted(driver: Driver) -> None:
    await driver.start()
    await driver.claimed(sticky_execution=False)
    assert await last_minute(driver) == [0, 0, 0, 0, 0]


async def test_old_counts_are_pruned(driver: Driver, clock: Clock) -> None:
    await driver.start()
    await driver.claimed()
    clock.advance(121)
    await driver.prune_receipts(600)
    assert await last_minute(driver) == [0, 0, 0, 0, 0]
