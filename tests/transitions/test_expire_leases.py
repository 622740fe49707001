"""expire_leases: what a worker neither answered nor renewed is offered again."""

from __future__ import annotations

from tests.engines.clock import Clock
from tests.transitions.commands import complete_workflow, schedule, wait
from tests.transitions.driver import LEASE_SECONDS, Driver


async def test_a_workflow_task_is_offered_again_with_its_attempt_raised(driver: Driver, clock: Clock) -> None:
    await driver.start()
    task = await driver.claimed()
    clock.advance(LEASE_SECONDS)
    swept = await driver.expire_leases()
    assert swept.outcome == "swept"
    assert swept.body == {"count": 1, "more": False}
    assert swept.hints == [["workflow", "default", "main"], ["run", task.run_id]]
    again = await driver.claimed()
    assert (again.task_id, again.attempt) == (task.task_id, 2)


async def test_an_activity_is_offered_again_with_its_attempt_raised(driver: Driver, clock: Clock) -> None:
    await driver.begin(schedule())
    task = await driver.claimed_activity()
    clock.advance(LEASE_SECONDS)
    swept = await driver.expire_leases()
    assert swept.body == {"count": 1, "more": False}
    assert swept.hints == [["activity", "default", "main"]]
    again = await driver.claimed_activity()
    assert (again.task_id, again.attempt) == (task.task_id, 2)


async def test_leases_that_live_are_left_alone(driver: Driver, clock: Clock) -> None:
    await driver.begin(schedule(), wait())
    await driver.signal()
    task = await driver.claimed()
    activity = await driver.claimed_activity()
    clock.advance(LEASE_SECONDS - 0.000001)
    assert (await driver.expire_leases())["count"] == 0
    assert (await driver.complete_activity(activity)).outcome == "completed"
    assert (await driver.complete(task, wait())).outcome == "completed"


async def test_an_expired_lease_counts_no_failure(driver: Driver, clock: Clock) -> None:
    await driver.start()
    await driver.claimed()
    clock.advance(LEASE_SECONDS)
    await driver.expire_leases()
    described = await driver.describe()
    assert described["workflow_task"]["failure_count"] == 0
    assert described["workflow_task"]["available_at"] == "2030-01-01T00:00:30.000000Z"


async def test_the_lost_lease_of_an_activity_writes_no_history(driver: Driver, clock: Clock) -> None:
    run_id = await driver.begin(schedule())
    await driver.claimed_activity()
    clock.advance(LEASE_SECONDS)
    await driver.expire_leases()
    assert await driver.types(run_id) == ["WorkflowStarted", "ActivityScheduled"]


async def test_a_batch_is_limited_for_tasks_and_for_activities(driver: Driver, clock: Clock) -> None:
    for workflow_id in ("a", "b", "c"):
        await driver.start(workflow_id)
        await driver.claimed()
    clock.advance(LEASE_SECONDS)
    assert (await driver.expire_leases(batch_size=2)).body == {"count": 2, "more": True}
    assert (await driver.expire_leases(batch_size=2)).body == {"count": 1, "more": False}


async def test_a_task_may_expire_again_and_again(driver: Driver, clock: Clock) -> None:
    await driver.start()
    for attempt in range(1, 4):
        assert (await driver.claimed()).attempt == attempt
        clock.advance(LEASE_SECONDS)
        await driver.expire_leases()
    await driver.advance(complete_workflow())


async def test_tasks_whose_leases_end_at_once_go_in_the_order_of_their_runs(
    driver: Driver, clock: Clock
) -> None:
    await driver.start("a")
    first = await driver.claimed()
    clock.advance(1)
    await driver.start("b")
    second = await driver.claimed()
    await driver.heartbeat(first)
    clock.advance(LEASE_SECONDS)
    assert ["run", first.run_id] in (await driver.expire_leases(batch_size=1)).hints
    assert ["run", second.run_id] in (await driver.expire_leases(batch_size=1)).hints


async def test_activities_whose_leases_end_at_once_go_in_the_order_of_their_positions(
    driver: Driver, clock: Clock
) -> None:
    await driver.begin(schedule(), schedule())
    first = await driver.claimed_activity()
    clock.advance(LEASE_SECONDS - 1)
    await driver.claimed_activity()
    await driver.heartbeat_activity(first)
    clock.advance(LEASE_SECONDS)
    await driver.expire_leases(batch_size=1)
    assert (await driver.claimed_activity()).task_id == first.task_id
    assert (await driver.claim_activity()).outcome == "empty"
