"""release_activity_task: a claim that did not reach its worker."""

from __future__ import annotations

from tests.engines.clock import Clock
from tests.transitions.commands import schedule
from tests.transitions.driver import Driver


async def test_a_released_activity_is_claimed_again_at_once_as_a_new_attempt(driver: Driver) -> None:
    await driver.begin(schedule())
    task = await driver.claimed_activity()
    released = await driver.release_activity(task)
    assert released.outcome == "released"
    assert released.hints == [["activity", "default", "main"]]
    again = await driver.claimed_activity()
    assert (again.task_id, again.attempt) == (task.task_id, 2)


async def test_a_released_attempt_is_fenced_off(driver: Driver) -> None:
    await driver.begin(schedule())
    task = await driver.claimed_activity()
    await driver.release_activity(task)
    assert (await driver.complete_activity(task)).outcome == "activity_not_running"
    await driver.claimed_activity()
    assert (await driver.complete_activity(task)).outcome == "stale_attempt"


async def test_a_release_writes_no_history(driver: Driver) -> None:
    run_id = await driver.begin(schedule())
    await driver.release_activity(await driver.claimed_activity())
    assert await driver.types(run_id) == ["WorkflowStarted", "ActivityScheduled"]


async def test_a_released_activity_waits_for_its_start_anew(driver: Driver, clock: Clock) -> None:
    await driver.begin(schedule(schedule_to_start_timeout=10))
    clock.advance(9)
    await driver.release_activity(await driver.claimed_activity())
    clock.advance(9)
    assert (await driver.enforce_timeouts())["count"] == 0
    clock.advance(1)
    assert (await driver.enforce_timeouts())["count"] == 1
