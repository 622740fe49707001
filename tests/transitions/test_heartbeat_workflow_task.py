"""heartbeat_workflow_task: a lease that is renewed does not expire."""

from __future__ import annotations

from tests.engines.clock import Clock
from tests.transitions.commands import complete_workflow
from tests.transitions.driver import LEASE_SECONDS, Driver


async def test_a_heartbeat_renews_the_lease_from_now(driver: Driver, clock: Clock) -> None:
    await driver.start()
    task = await driver.claimed()
    clock.advance(LEASE_SECONDS - 1)
    renewed = await driver.heartbeat(task)
    assert renewed.outcome == "renewed"
    assert renewed.body == {
        "task_id": task.task_id,
        "workflow_task_attempt": 1,
        "lease_owner": "worker-1",
        "renewed": True,
        "lease_expires_at": "2030-01-01T00:00:59.000000Z",
        "run_status": "pending",
        "cancel_requested": False,
    }
    clock.advance(LEASE_SECONDS - 1)
    assert (await driver.expire_leases())["count"] == 0
    assert (await driver.complete(task, complete_workflow())).outcome == "completed"


async def test_a_renewed_lease_expires_later(driver: Driver, clock: Clock) -> None:
    await driver.start()
    task = await driver.claimed()
    await driver.heartbeat(task, lease_seconds=5)
    clock.advance(5)
    assert (await driver.heartbeat(task)).outcome == "lease_expired"


async def test_a_repeated_poll_shows_the_renewed_lease(driver: Driver, clock: Clock) -> None:
    await driver.start()
    task = await driver.claimed(poll_request_id="p")
    clock.advance(10)
    await driver.heartbeat(task)
    again = await driver.claimed(poll_request_id="p")
    assert again.body["lease_expires_at"] == "2030-01-01T00:00:40.000000Z"
