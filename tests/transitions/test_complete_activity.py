"""complete_activity: a result, recorded once."""

from __future__ import annotations

from dataclasses import replace

from byssus.store.transitions import COMPLETE_ACTIVITY
from tests.engines.clock import Clock
from tests.transitions.commands import complete_workflow, envelope, schedule, timer
from tests.transitions.conftest import Dump
from tests.transitions.driver import LEASE_SECONDS, Driver


async def test_a_result_is_recorded_and_wakes_the_run(driver: Driver) -> None:
    run_id = await driver.begin(schedule())
    task = await driver.claimed_activity()
    reply = await driver.complete_activity(task, envelope("paid"))
    assert reply.outcome == "completed"
    assert reply.body == {
        "task_id": task.task_id,
        "activity_attempt_id": task.attempt_id,
        "outcome": "completed",
        "recorded": True,
    }
    assert reply.hints == [["run", run_id], ["workflow", "default", "main"]]
    assert await driver.events(run_id, "ActivityCompleted") == [
        {
            "sequence": 1,
            "activity_execution_id": task.task_id,
            "activity_type": "charge",
            "activity_attempt_id": task.attempt_id,
            "attempt_number": 1,
            "result": envelope("paid"),
            "payload_codec": "avro",
        }
    ]
    assert (await driver.claimed()).event_types[-1] == "ActivityCompleted"


async def test_an_activity_may_have_no_result(driver: Driver) -> None:
    run_id = await driver.begin(schedule())
    task = await driver.claimed_activity()
    reply = await driver.call(
        COMPLETE_ACTIVITY,
        namespace="default",
        task_id=task.task_id,
        activity_attempt_id=task.attempt_id,
        lease_owner=task.lease_owner,
        result=None,
        digest="none",
        carried=None,
    )
    assert reply.outcome == "completed"
    (event,) = await driver.events(run_id, "ActivityCompleted")
    assert event["result"] is None


async def test_each_of_several_activities_wakes_the_run(driver: Driver) -> None:
    await driver.begin(schedule(), schedule())
    await driver.complete_activity(await driver.claimed_activity())
    await driver.wait_for_history(await driver.claimed())
    await driver.complete_activity(await driver.claimed_activity())
    assert (await driver.claimed()).event_types[-2:] == ["ActivityCompleted", "ActivityCompleted"]


async def test_a_repeated_completion_gets_the_recorded_answer(driver: Driver, dump: Dump) -> None:
    await driver.begin(schedule())
    task = await driver.claimed_activity()
    first = await driver.complete_activity(task)
    before = dump()
    again = await driver.complete_activity(task)
    assert (again.outcome, again.text) == (first.outcome, first.text)
    assert again.hints == []
    assert dump() == before


async def test_a_completion_can_be_repeated_after_the_end_of_the_run(driver: Driver) -> None:
    await driver.begin(schedule())
    task = await driver.claimed_activity()
    first = await driver.complete_activity(task)
    await driver.advance(complete_workflow())
    assert (await driver.complete_activity(task)).text == first.text


async def test_a_completion_repeated_with_another_result_is_a_conflict(driver: Driver, dump: Dump) -> None:
    await driver.begin(schedule())
    task = await driver.claimed_activity()
    await driver.complete_activity(task, envelope("paid"))
    before = dump()
    refused = await driver.complete_activity(task, envelope("paid twice"))
    assert refused.outcome == "conflicting_completion"
    assert refused["recorded"] is False
    assert dump() == before


async def test_a_completion_repeated_by_another_worker_is_a_conflict(driver: Driver) -> None:
    await driver.begin(schedule())
    task = await driver.claimed_activity()
    await driver.complete_activity(task)
    refused = await driver.complete_activity(replace(task, lease_owner="thief"))
    assert refused.outcome == "conflicting_completion"


async def test_failing_a_completed_attempt_is_a_conflict(driver: Driver) -> None:
    await driver.begin(schedule())
    task = await driver.claimed_activity()
    await driver.complete_activity(task)
    assert (await driver.fail_activity(task)).outcome == "conflicting_completion"


async def test_a_late_result_of_an_earlier_attempt_is_refused(driver: Driver, clock: Clock) -> None:
    run_id = await driver.begin(schedule())
    late = await driver.claimed_activity()
    clock.advance(LEASE_SECONDS)
    await driver.expire_leases()
    current = await driver.claimed_activity()
    assert (await driver.complete_activity(late)).outcome == "stale_attempt"
    await driver.complete_activity(current)
    (event,) = await driver.events(run_id, "ActivityCompleted")
    assert event["attempt_number"] == 2


async def test_a_result_does_not_wake_another_run(driver: Driver) -> None:
    await driver.begin(schedule())
    await driver.begin(timer(5), workflow_id="order-2")
    await driver.complete_activity(await driver.claimed_activity())
    assert (await driver.claimed()).body["workflow_id"] == "order-1"
    assert (await driver.claim()).outcome == "empty"
