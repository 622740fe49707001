"""enforce_timeouts: deadlines of runs, and the timeouts of activities."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engines.clock import Clock
from tests.transitions.commands import complete_workflow, group, schedule, timer, wait
from tests.transitions.driver import Driver


@pytest.mark.parametrize(
    ("timeouts", "kind"),
    [
        ({"run_timeout_seconds": 10}, "run_timeout"),
        ({"execution_timeout_seconds": 10}, "execution_timeout"),
        ({"run_timeout_seconds": 10, "execution_timeout_seconds": 20}, "run_timeout"),
        ({"run_timeout_seconds": 20, "execution_timeout_seconds": 10}, "execution_timeout"),
        ({"run_timeout_seconds": 10, "execution_timeout_seconds": 10}, "execution_timeout"),
    ],
)
async def test_a_run_is_closed_at_its_earliest_deadline(
    driver: Driver, clock: Clock, timeouts: dict[str, Any], kind: str
) -> None:
    run_id = (await driver.start(**timeouts))["run_id"]
    clock.advance(9.999999)
    assert (await driver.enforce_timeouts())["count"] == 0
    clock.advance(0.000001)
    swept = await driver.enforce_timeouts()
    assert swept.body == {"count": 1, "more": False}
    assert ["run", run_id] in swept.hints
    (event,) = await driver.events(run_id, "WorkflowTimedOut")
    assert event["timeout_kind"] == kind
    assert event["failure_category"] == "timeout"
    assert event["message"]
    described = await driver.describe()
    assert described["status"] == "failed"
    assert described["closed_reason"] == "timed_out"


async def test_a_run_that_times_out_cancels_its_work_and_rejects_its_signals(
    driver: Driver, clock: Clock
) -> None:
    run_id = await driver.begin(schedule(), timer(60), schedule("ship"), run_timeout_seconds=10)
    await driver.signal("seen, not answered")
    await driver.claimed()
    await driver.complete_activity(await driver.claimed_activity())
    await driver.signal("held")
    clock.advance(10)
    await driver.enforce_timeouts()
    assert (await driver.types(run_id))[5:] == [
        "ActivityCompleted",
        "TimerCancelled",
        "ActivityCancelled",
        "WorkflowTimedOut",
        "SignalRejected",
        "SignalRejected",
    ]
    assert (await driver.enforce_timeouts())["count"] == 0


async def test_closed_runs_and_runs_without_a_deadline_are_left_alone(driver: Driver, clock: Clock) -> None:
    await driver.begin(complete_workflow(), workflow_id="closed", run_timeout_seconds=10)
    await driver.begin(wait(), workflow_id="without")
    clock.advance(1_000_000)
    assert (await driver.enforce_timeouts())["count"] == 0


async def test_an_activity_that_is_not_started_in_time_times_out(driver: Driver, clock: Clock) -> None:
    run_id = await driver.begin(schedule(schedule_to_start_timeout=10, max_attempts=5))
    clock.advance(10)
    swept = await driver.enforce_timeouts()
    assert swept.body == {"count": 1, "more": False}
    assert ["workflow", "default", "main"] in swept.hints
    (event,) = await driver.events(run_id, "ActivityTimedOut")
    assert event["timeout_kind"] == "schedule_to_start"
    assert event["exception_type"] == "ActivityTimedOut"
    assert event["failure_category"] == "timeout"
    assert "activity_attempt_id" not in event


async def test_an_activity_that_has_started_in_time_does_not_time_out_for_that(
    driver: Driver, clock: Clock
) -> None:
    await driver.begin(schedule(schedule_to_start_timeout=10))
    clock.advance(9)
    task = await driver.claimed_activity()
    clock.advance(9)
    assert (await driver.enforce_timeouts())["count"] == 0
    assert (await driver.complete_activity(task)).outcome == "completed"


async def test_an_attempt_that_takes_too_long_is_retried(driver: Driver, clock: Clock) -> None:
    run_id = await driver.begin(schedule(start_to_close_timeout=10, max_attempts=2, backoff=(5,)))
    await driver.claimed_activity()
    clock.advance(10)
    swept = await driver.enforce_timeouts()
    assert swept["count"] == 1
    assert ["activity", "default", "main", "2030-01-01T00:00:15.000000Z"] in swept.hints
    assert not [hint for hint in swept.hints if hint[0] == "workflow"]
    (event,) = await driver.events(run_id, "ActivityRetryScheduled")
    assert event["timeout_kind"] == "start_to_close"
    assert event["attempt_number"] == 1
    clock.advance(5)
    await driver.claimed_activity()
    clock.advance(10)
    await driver.enforce_timeouts()
    (event,) = await driver.events(run_id, "ActivityTimedOut")
    assert event["timeout_kind"] == "start_to_close"
    assert event["attempt_number"] == 2


async def test_an_attempt_that_falls_silent_is_retried(driver: Driver, clock: Clock) -> None:
    run_id = await driver.begin(schedule(heartbeat_timeout=5, max_attempts=2))
    task = await driver.claimed_activity()
    clock.advance(4)
    await driver.heartbeat_activity(task)
    clock.advance(1)
    assert (await driver.enforce_timeouts())["count"] == 0
    clock.advance(3.999999)
    assert (await driver.enforce_timeouts())["count"] == 0
    clock.advance(0.000001)
    assert (await driver.enforce_timeouts())["count"] == 1
    (event,) = await driver.events(run_id, "ActivityRetryScheduled")
    assert event["timeout_kind"] == "heartbeat"


async def test_an_attempt_that_never_sends_a_heartbeat_times_out_from_its_start(
    driver: Driver, clock: Clock
) -> None:
    run_id = await driver.begin(schedule(heartbeat_timeout=5))
    clock.advance(100)
    await driver.claimed_activity()
    clock.advance(5)
    await driver.enforce_timeouts()
    (event,) = await driver.events(run_id, "ActivityTimedOut")
    assert event["timeout_kind"] == "heartbeat"


@pytest.mark.parametrize("running", [False, True], ids=["pending", "running"])
async def test_schedule_to_close_ends_an_activity_whatever_its_retry_policy(
    driver: Driver, clock: Clock, running: bool
) -> None:
    run_id = await driver.begin(schedule(schedule_to_close_timeout=20, max_attempts=None))
    if running:
        await driver.claimed_activity(lease_seconds=600)
    clock.advance(20)
    await driver.enforce_timeouts()
    (event,) = await driver.events(run_id, "ActivityTimedOut")
    assert event["timeout_kind"] == "schedule_to_close"


async def test_schedule_to_close_strikes_while_a_retry_waits(driver: Driver, clock: Clock) -> None:
    run_id = await driver.begin(
        schedule(schedule_to_close_timeout=20, start_to_close_timeout=5, max_attempts=None, backoff=(14,))
    )
    await driver.claimed_activity()
    clock.advance(5)
    await driver.enforce_timeouts()
    clock.advance(15)
    await driver.enforce_timeouts()
    assert (await driver.types(run_id))[2:] == ["ActivityRetryScheduled", "ActivityTimedOut"]
    (event,) = await driver.events(run_id, "ActivityTimedOut")
    assert event["timeout_kind"] == "schedule_to_close"


async def test_schedule_to_start_counts_from_when_a_retry_may_start(driver: Driver, clock: Clock) -> None:
    await driver.begin(schedule(schedule_to_start_timeout=10, max_attempts=2, backoff=(100,)))
    await driver.fail_activity(await driver.claimed_activity())
    clock.advance(109)
    assert (await driver.enforce_timeouts())["count"] == 0
    clock.advance(1)
    assert (await driver.enforce_timeouts())["count"] == 1


async def test_the_attempt_that_timed_out_is_fenced_off(driver: Driver, clock: Clock) -> None:
    await driver.begin(schedule(start_to_close_timeout=10, max_attempts=2))
    late = await driver.claimed_activity()
    clock.advance(10)
    await driver.enforce_timeouts()
    assert (await driver.complete_activity(late)).outcome == "activity_not_running"
    await driver.claimed_activity()
    assert (await driver.complete_activity(late)).outcome == "stale_attempt"


async def test_the_timeout_of_a_group_member_wakes_only_as_the_last_leaf(
    driver: Driver, clock: Clock
) -> None:
    run_id = await driver.begin(*group(schedule(schedule_to_start_timeout=5), schedule("ship"), base=1))
    second = await driver.claimed_activity(worker="worker-1")
    assert second.body["activity_type"] == "charge"
    await driver.release_activity(second)
    clock.advance(5)
    assert (await driver.enforce_timeouts())["count"] == 1
    assert (await driver.claim()).outcome == "empty"
    await driver.complete_activity(await driver.claimed_activity())
    assert (await driver.claimed()).event_types[-2:] == ["ActivityTimedOut", "ActivityCompleted"]
    (event,) = await driver.events(run_id, "ActivityTimedOut")
    assert event["parallel_group_index"] == 0


async def test_a_batch_is_limited_and_says_whether_there_may_be_more(driver: Driver, clock: Clock) -> None:
    await driver.begin(*[schedule(schedule_to_start_timeout=5) for _ in range(3)])
    clock.advance(5)
    assert (await driver.enforce_timeouts(batch_size=2)).body == {"count": 2, "more": True}
    assert (await driver.enforce_timeouts(batch_size=2)).body == {"count": 1, "more": False}


async def test_runs_with_the_same_deadline_go_in_the_order_of_their_ids(driver: Driver, clock: Clock) -> None:
    begin = clock.now
    clock.advance(10)
    later = (await driver.start("later", run_timeout_seconds=10))["run_id"]
    clock.set(begin)
    earlier = (await driver.start("earlier", run_timeout_seconds=20))["run_id"]
    clock.advance(20)
    assert (await driver.enforce_timeouts(batch_size=1)).hints == [["run", earlier]]
    assert (await driver.enforce_timeouts(batch_size=1)).hints == [["run", later]]


async def test_activities_that_time_out_at_once_go_in_the_order_of_their_positions(
    driver: Driver, clock: Clock
) -> None:
    run_id = await driver.begin(*[schedule(start_to_close_timeout=10) for _ in range(2)])
    first = await driver.claimed_activity()
    await driver.claimed_activity()
    clock.advance(5)
    await driver.heartbeat_activity(first, lease_seconds=100)
    clock.advance(5)
    await driver.enforce_timeouts(batch_size=1)
    (event,) = await driver.events(run_id, "ActivityTimedOut")
    assert event["sequence"] == 1


async def test_a_batch_in_which_nothing_struck_is_not_followed_by_another(
    driver: Driver, clock: Clock
) -> None:
    await driver.begin(schedule(heartbeat_timeout=10))
    task = await driver.claimed_activity()
    clock.advance(9)
    await driver.heartbeat_activity(task)
    clock.advance(1)
    assert (await driver.enforce_timeouts(batch_size=1)).body == {"count": 0, "more": False}
