"""The fence around an activity attempt: who does not hold it is refused, and changes nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from tests.engines.clock import Clock
from tests.transitions.commands import complete_workflow, schedule, timer
from tests.transitions.conftest import Dump
from tests.transitions.driver import LEASE_SECONDS, ActivityTask, Driver, Reply

Call = Callable[[Driver, ActivityTask], Awaitable[Reply]]

CALLS: dict[str, Call] = {
    "complete": lambda driver, task: driver.complete_activity(task),
    "fail": lambda driver, task: driver.fail_activity(task),
    "heartbeat": lambda driver, task: driver.heartbeat_activity(task),
    "release": lambda driver, task: driver.release_activity(task),
}


@pytest.fixture(params=CALLS.values(), ids=list(CALLS))
def call(request: pytest.FixtureRequest) -> Call:
    """Each transition that the fence guards."""
    chosen: Call = request.param
    return chosen


async def _refused(call: Call, driver: Driver, task: ActivityTask, dump: Dump) -> Reply:
    """Make the call, which must be refused without a trace."""
    before = dump()
    reply = await call(driver, task)
    assert dump() == before
    assert reply["reason"] == reply.outcome
    assert reply.hints == []
    return reply


NO_TASKS = [
    "",
    "nonsense",
    "00000000-0000-7000-8000-000000000000:a1",
    "{run}",
    "{run}:a",
    "{run}:ax",
    "{run}:a9",
    "{run}:a1 ",
    " {run}:a1",
    "{run}:A1",
    "{run}:a-1",
    "{run}:k1",
    "{run}:a1.1",
    "{run}:a99999999999999999999999",
]
NO_ATTEMPTS = [
    "",
    "nonsense",
    "{run}:a1",
    "{run}:a1.",
    "{run}:a1.x",
    "{run}:a1.2",
    "{run}:a1.1 ",
    "{run}:a1.1.1",
    "{run}:a1.-1",
    "{run}:a1.99999999999999999999999",
]


async def test_an_id_of_no_task_is_not_found(driver: Driver, dump: Dump, call: Call) -> None:
    run_id = await driver.begin(schedule())
    task = await driver.claimed_activity()
    for template in NO_TASKS:
        wrong = replace(task, task_id=template.replace("{run}", run_id))
        refused = await _refused(call, driver, wrong, dump)
        assert (refused.outcome, refused["task_id"]) == ("attempt_not_found", wrong.task_id)


async def test_an_id_of_no_attempt_is_not_found(driver: Driver, dump: Dump, call: Call) -> None:
    run_id = await driver.begin(schedule())
    task = await driver.claimed_activity()
    for template in NO_ATTEMPTS:
        wrong = replace(task, attempt_id=template.replace("{run}", run_id))
        refused = await _refused(call, driver, wrong, dump)
        assert (refused.outcome, refused["activity_attempt_id"]) == ("attempt_not_found", wrong.attempt_id)


async def test_an_activity_of_another_namespace_is_not_found(
    driver: Driver, dump: Dump, call: Call, other_namespace: str
) -> None:
    await driver.begin(schedule())
    task = await driver.claimed_activity()
    refused = await _refused(call, driver, replace(task, namespace=other_namespace), dump)
    assert refused.outcome == "attempt_not_found"
    assert "run_status" not in refused.body


async def test_an_unknown_namespace_is_named(driver: Driver, dump: Dump, call: Call) -> None:
    await driver.begin(schedule())
    task = await driver.claimed_activity()
    refused = await _refused(call, driver, replace(task, namespace="nowhere"), dump)
    assert refused.outcome == "namespace_not_found"


async def test_the_attempt_of_another_task_is_a_mismatch(driver: Driver, dump: Dump, call: Call) -> None:
    await driver.begin(schedule(), schedule())
    first = await driver.claimed_activity()
    second = await driver.claimed_activity()
    mixed = replace(first, attempt_id=second.attempt_id)
    assert (await _refused(call, driver, mixed, dump)).outcome == "task_mismatch"


async def test_the_attempt_of_another_run_is_a_mismatch(driver: Driver, dump: Dump, call: Call) -> None:
    await driver.begin(schedule())
    first = await driver.claimed_activity()
    await driver.begin(schedule(), workflow_id="order-2")
    second = await driver.claimed_activity()
    mixed = replace(first, attempt_id=second.attempt_id)
    assert (await _refused(call, driver, mixed, dump)).outcome == "task_mismatch"


async def test_a_closed_run_is_named_for_how_it_closed(
    driver: Driver, clock: Clock, dump: Dump, call: Call
) -> None:
    outcomes = {}
    for reason in ("cancelled", "terminated", "timed out", "completed"):
        await driver.begin(schedule(), timer(0), workflow_id=reason, run_timeout_seconds=20)
        task = await driver.claimed_activity()
        if reason == "cancelled":
            await driver.cancel(reason)
        elif reason == "terminated":
            await driver.terminate(reason)
        elif reason == "timed out":
            clock.advance(20)
            await driver.enforce_timeouts()
        else:
            await driver.fire_timers()
            await driver.advance(complete_workflow())
        refused = await _refused(call, driver, task, dump)
        outcomes[reason] = (refused.outcome, refused["cancel_requested"], refused["outcome"])
    assert outcomes == {
        "cancelled": ("run_cancelled", True, "ignored"),
        "terminated": ("run_terminated", True, "ignored"),
        "timed out": ("run_closed", False, "ignored"),
        "completed": ("run_closed", False, "ignored"),
    }


async def test_an_earlier_attempt_is_stale(driver: Driver, clock: Clock, dump: Dump, call: Call) -> None:
    await driver.begin(schedule())
    stale = await driver.claimed_activity()
    clock.advance(LEASE_SECONDS)
    await driver.expire_leases()
    await driver.claimed_activity()
    refused = await _refused(call, driver, stale, dump)
    assert refused.outcome == "stale_attempt"
    assert refused["recorded"] is False
    assert refused["can_continue"] is False


async def test_another_worker_is_refused(driver: Driver, dump: Dump, call: Call) -> None:
    await driver.begin(schedule())
    task = await driver.claimed_activity()
    refused = await _refused(call, driver, replace(task, lease_owner="thief"), dump)
    assert refused.outcome == "lease_owner_mismatch"


async def test_an_attempt_whose_lease_was_ended_is_not_running(
    driver: Driver, clock: Clock, dump: Dump, call: Call
) -> None:
    await driver.begin(schedule())
    task = await driver.claimed_activity()
    clock.advance(LEASE_SECONDS)
    await driver.expire_leases()
    assert (await _refused(call, driver, task, dump)).outcome == "activity_not_running"


async def test_an_activity_that_has_timed_out_is_not_running(
    driver: Driver, clock: Clock, dump: Dump, call: Call
) -> None:
    await driver.begin(schedule(start_to_close_timeout=10))
    task = await driver.claimed_activity()
    clock.advance(10)
    await driver.enforce_timeouts()
    assert (await _refused(call, driver, task, dump)).outcome == "activity_not_running"


async def test_a_lease_ends_at_its_moment(driver: Driver, clock: Clock, dump: Dump, call: Call) -> None:
    await driver.begin(schedule())
    task = await driver.claimed_activity()
    clock.advance(LEASE_SECONDS)
    assert (await _refused(call, driver, task, dump)).outcome == "lease_expired"


async def test_a_run_past_its_deadline_takes_nothing_more(
    driver: Driver, clock: Clock, dump: Dump, call: Call
) -> None:
    await driver.begin(schedule(), execution_timeout_seconds=10)
    task = await driver.claimed_activity()
    clock.advance(10)
    assert (await _refused(call, driver, task, dump)).outcome == "run_timed_out"


async def test_the_reasons_come_in_their_order(driver: Driver, clock: Clock, dump: Dump, call: Call) -> None:
    """Everything is wrong at once; what is put right bit by bit gives the next reason."""
    await driver.begin(schedule(), run_timeout_seconds=2 * LEASE_SECONDS)
    stale = await driver.claimed_activity()
    clock.advance(LEASE_SECONDS)
    await driver.expire_leases()
    task = await driver.claimed_activity()
    clock.advance(LEASE_SECONDS)
    thief = replace(stale, lease_owner="thief")
    wrong = [
        replace(thief, task_id=f"{task.body['run_id']}:a9"),
        replace(thief, attempt_id=f"{task.body['run_id']}:a9.1"),
        thief,
        replace(task, lease_owner="thief"),
        task,
    ]
    assert [(await _refused(call, driver, each, dump)).outcome for each in wrong] == [
        "attempt_not_found",
        "task_mismatch",
        "stale_attempt",
        "lease_owner_mismatch",
        "lease_expired",
    ]
    await driver.enforce_timeouts()
    assert (await _refused(call, driver, thief, dump)).outcome == "run_closed"
