"""heartbeat_activity: an attempt that makes progress keeps its lease."""

from __future__ import annotations

from tests.engines.clock import Clock
from tests.transitions.commands import schedule
from tests.transitions.driver import LEASE_SECONDS, Driver


async def test_a_heartbeat_is_recorded(driver: Driver, clock: Clock) -> None:
    await driver.begin(schedule())
    task = await driver.claimed_activity()
    clock.advance(1)
    reply = await driver.heartbeat_activity(task, details={"done": 3})
    assert reply.outcome == "heartbeat_recorded"
    assert reply.body == {
        "task_id": task.task_id,
        "activity_attempt_id": task.attempt_id,
        "lease_owner": "worker-1",
        "cancel_requested": False,
        "can_continue": True,
        "reason": None,
        "heartbeat_recorded": True,
        "last_heartbeat_at": "2030-01-01T00:00:01.000000Z",
        "lease_expires_at": "2030-01-01T00:00:30.000000Z",
    }


async def test_the_lease_is_renewed_when_half_of_it_is_over(driver: Driver, clock: Clock) -> None:
    await driver.begin(schedule())
    task = await driver.claimed_activity()
    clock.advance(LEASE_SECONDS / 2)
    assert (await driver.heartbeat_activity(task))["lease_expires_at"] == "2030-01-01T00:00:30.000000Z"
    clock.advance(0.000001)
    assert (await driver.heartbeat_activity(task))["lease_expires_at"] == "2030-01-01T00:00:45.000001Z"


async def test_heartbeats_keep_an_attempt_for_ever(driver: Driver, clock: Clock) -> None:
    await driver.begin(schedule())
    task = await driver.claimed_activity()
    for _ in range(10):
        clock.advance(LEASE_SECONDS - 1)
        assert (await driver.heartbeat_activity(task)).outcome == "heartbeat_recorded"
        assert (await driver.expire_leases())["count"] == 0
    assert (await driver.complete_activity(task)).outcome == "completed"


async def test_a_heartbeat_never_shortens_a_lease(driver: Driver, clock: Clock) -> None:
    await driver.begin(schedule(start_to_close_timeout=600))
    task = await driver.claimed_activity()
    clock.advance(1)
    assert (await driver.heartbeat_activity(task))["lease_expires_at"] == "2030-01-01T00:10:30.000000Z"


async def test_a_heartbeat_puts_off_the_heartbeat_timeout(driver: Driver, clock: Clock) -> None:
    await driver.begin(schedule(heartbeat_timeout=5))
    task = await driver.claimed_activity()
    for _ in range(3):
        clock.advance(4)
        await driver.heartbeat_activity(task)
        assert (await driver.enforce_timeouts())["count"] == 0
    assert (await driver.complete_activity(task)).outcome == "completed"


async def test_a_heartbeat_writes_no_history(driver: Driver) -> None:
    run_id = await driver.begin(schedule())
    await driver.heartbeat_activity(await driver.claimed_activity(), details={"done": 3})
    assert await driver.types(run_id) == ["WorkflowStarted", "ActivityScheduled"]


async def test_the_heartbeat_of_a_cancelled_run_tells_the_activity_to_stop(driver: Driver) -> None:
    await driver.begin(schedule())
    task = await driver.claimed_activity()
    await driver.cancel()
    reply = await driver.heartbeat_activity(task)
    assert reply.outcome == "run_cancelled"
    assert reply["cancel_requested"] is True
    assert reply["can_continue"] is False
    assert reply["heartbeat_recorded"] is False
    assert reply["run_status"] == "cancelled"
