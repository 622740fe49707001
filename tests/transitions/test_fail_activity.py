"""fail_activity: another attempt, or the end of the activity."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.engines.clock import Clock
from tests.transitions.commands import schedule
from tests.transitions.conftest import Dump, wire
from tests.transitions.driver import Driver


async def test_without_a_retry_policy_the_first_failure_is_final(driver: Driver) -> None:
    run_id = await driver.begin(schedule())
    task = await driver.claimed_activity()
    reply = await driver.fail_activity(task, "card declined", type="Declined")
    assert reply.outcome == reply["outcome"] == "failed"
    assert reply["recorded"] is True
    assert "retry_available_at" not in reply.body
    assert ["workflow", "default", "main"] in reply.hints
    assert await driver.events(run_id, "ActivityFailed") == [
        {
            "sequence": 1,
            "activity_execution_id": task.task_id,
            "activity_type": "charge",
            "activity_attempt_id": task.attempt_id,
            "attempt_number": 1,
            "message": "card declined",
            "exception_type": "Declined",
            "exception": {"type": "Declined", "message": "card declined"},
            "failure_category": "activity",
        }
    ]


async def test_a_retry_waits_and_does_not_wake_the_run(driver: Driver, clock: Clock) -> None:
    run_id = await driver.begin(schedule(max_attempts=2, backoff=(10,)))
    task = await driver.claimed_activity()
    reply = await driver.fail_activity(task)
    due = wire(clock.now + timedelta(seconds=10))
    assert reply.outcome == reply["outcome"] == "retry_scheduled"
    assert reply["retry_available_at"] == due
    assert ["activity", "default", "main", due] in reply.hints
    assert (await driver.claim()).outcome == "empty"
    (event,) = await driver.events(run_id, "ActivityRetryScheduled")
    assert event["attempt_number"] == 1
    assert event["retry_available_at"] == due
    assert event["message"] == "declined"


async def test_pauses_follow_the_list_whose_last_one_serves_all_later_attempts(
    driver: Driver, clock: Clock
) -> None:
    run_id = await driver.begin(schedule(max_attempts=5, backoff=(1, 10)))
    pauses = []
    while True:
        reply = await driver.fail_activity(await driver.claimed_activity())
        if reply.outcome == "failed":
            break
        at = reply["retry_available_at"]
        pauses.append(next(s for s in range(100) if wire(clock.now + timedelta(seconds=s)) == at))
        clock.advance(pauses[-1])
    assert pauses == [1, 10, 10, 10]
    types = await driver.types(run_id)
    assert types[2:] == ["ActivityRetryScheduled"] * 4 + ["ActivityFailed"]
    (final,) = await driver.events(run_id, "ActivityFailed")
    assert final["attempt_number"] == 5


async def test_a_policy_without_pauses_retries_at_once(driver: Driver) -> None:
    await driver.begin(schedule(max_attempts=3))
    await driver.fail_activity(await driver.claimed_activity())
    await driver.fail_activity(await driver.claimed_activity())
    reply = await driver.fail_activity(await driver.claimed_activity())
    assert reply.outcome == "failed"


async def test_unlimited_attempts_never_end(driver: Driver) -> None:
    await driver.begin(schedule(max_attempts=None))
    for attempt in range(1, 31):
        task = await driver.claimed_activity()
        assert task.attempt == attempt
        assert (await driver.fail_activity(task)).outcome == "retry_scheduled"


async def test_a_failure_that_says_so_is_not_retried(driver: Driver) -> None:
    run_id = await driver.begin(schedule(max_attempts=5))
    reply = await driver.fail_activity(await driver.claimed_activity(), non_retryable=True)
    assert reply.outcome == "failed"
    (event,) = await driver.events(run_id, "ActivityFailed")
    assert event["non_retryable"] is True


@pytest.mark.parametrize(
    ("type", "outcome"),
    [("Declined", "failed"), ("declined", "retry_scheduled"), ("Other", "retry_scheduled")],
)
async def test_types_that_the_policy_names_are_not_retried(driver: Driver, type: str, outcome: str) -> None:
    await driver.begin(schedule(max_attempts=5, non_retryable=("Fatal", "Declined")))
    reply = await driver.fail_activity(await driver.claimed_activity(), type=type)
    assert reply.outcome == outcome


async def test_a_retry_that_would_come_after_schedule_to_close_is_not_made(
    driver: Driver, clock: Clock
) -> None:
    await driver.begin(schedule(max_attempts=None, backoff=(10,), schedule_to_close_timeout=25))
    assert (await driver.fail_activity(await driver.claimed_activity())).outcome == "retry_scheduled"
    clock.advance(10)
    assert (await driver.fail_activity(await driver.claimed_activity())).outcome == "retry_scheduled"
    clock.advance(10)
    assert (await driver.fail_activity(await driver.claimed_activity())).outcome == "failed"


async def test_a_retry_exactly_at_schedule_to_close_is_too_late(driver: Driver) -> None:
    await driver.begin(schedule(max_attempts=2, backoff=(10,), schedule_to_close_timeout=10))
    assert (await driver.fail_activity(await driver.claimed_activity())).outcome == "failed"


async def test_each_attempt_has_a_start_to_close_of_its_own(driver: Driver, clock: Clock) -> None:
    await driver.begin(schedule(max_attempts=2, start_to_close_timeout=10))
    task = await driver.claimed_activity()
    clock.advance(8)
    await driver.fail_activity(task)
    second = await driver.claimed_activity()
    clock.advance(8)
    assert (await driver.complete_activity(second)).outcome == "completed"


async def test_a_failure_without_a_type_is_retried(driver: Driver) -> None:
    await driver.begin(schedule(max_attempts=2, non_retryable=("Declined",)))
    reply = await driver.fail_activity(await driver.claimed_activity(), type="")
    assert reply.outcome == "retry_scheduled"


async def test_a_repeated_failure_gets_the_recorded_answer(driver: Driver, dump: Dump) -> None:
    await driver.begin(schedule(max_attempts=2))
    task = await driver.claimed_activity()
    first = await driver.fail_activity(task)
    before = dump()
    again = await driver.fail_activity(task)
    assert (again.outcome, again.text) == (first.outcome, first.text)
    assert dump() == before


async def test_a_failure_can_be_repeated_while_the_next_attempt_runs(driver: Driver) -> None:
    await driver.begin(schedule(max_attempts=2))
    task = await driver.claimed_activity()
    first = await driver.fail_activity(task)
    await driver.claimed_activity()
    assert (await driver.fail_activity(task)).text == first.text


async def test_a_failure_repeated_with_another_body_is_a_conflict(driver: Driver) -> None:
    await driver.begin(schedule(max_attempts=2))
    task = await driver.claimed_activity()
    await driver.fail_activity(task, "first")
    assert (await driver.fail_activity(task, "second")).outcome == "conflicting_completion"


async def test_completing_a_failed_attempt_is_a_conflict(driver: Driver) -> None:
    await driver.begin(schedule(max_attempts=2))
    task = await driver.claimed_activity()
    await driver.fail_activity(task)
    assert (await driver.complete_activity(task)).outcome == "conflicting_completion"
