"""record_local_activity: what the worker of a workflow task has run itself enters history whole."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.engines.clock import Clock
from tests.transitions.commands import (
    complete_workflow,
    continue_as_new,
    envelope,
    fail_workflow,
    group,
    local_activity,
    schedule,
    side_effect,
    timer,
    wait,
)
from tests.transitions.conftest import Dump
from tests.transitions.driver import LEASE_SECONDS, Driver

ENDS = {
    "completed": "ActivityCompleted",
    "failed": "ActivityFailed",
    "timed_out": "ActivityTimedOut",
    "cancelled": "ActivityCancelled",
}


async def test_a_completed_activity_is_scheduled_and_completed_at_once(driver: Driver) -> None:
    command = local_activity("ship", arguments=envelope("x"), result=envelope("y"), heartbeat_timeout=5)
    run_id = await driver.begin(command, wait())
    assert (await driver.types(run_id))[1:] == [
        "ActivityScheduled",
        "ActivityCompleted",
        "ConditionWaitOpened",
    ]
    assert await driver.events(run_id, "ActivityScheduled") == [
        {
            "sequence": 1,
            "activity_execution_id": f"{run_id}:a1",
            "activity_type": "ship",
            "execution_mode": "local",
            "local_activity": True,
            "arguments": envelope("x"),
            "heartbeat_timeout": 5,
        }
    ]
    assert await driver.events(run_id, "ActivityCompleted") == [
        {
            "sequence": 1,
            "activity_execution_id": f"{run_id}:a1",
            "activity_type": "ship",
            "execution_mode": "local",
            "attempts": [
                {
                    "attempt_id": f"{1:064x}",
                    "attempt_number": 1,
                    "outcome": "completed",
                    "duration_ms": 5,
                    "heartbeats": [],
                }
            ],
            "result": envelope("y"),
            "payload_codec": "avro",
        }
    ]


@pytest.mark.parametrize("outcome", ["failed", "timed_out", "cancelled"])
async def test_an_activity_that_did_not_complete_says_why_and_after_which_attempts(
    driver: Driver, outcome: str
) -> None:
    run_id = await driver.begin(local_activity(outcome=outcome, attempts=3), wait())
    (ended,) = await driver.events(run_id, ENDS[outcome])
    assert [attempt["outcome"] for attempt in ended["attempts"]] == ["failed", "failed", outcome]
    assert (ended["message"], ended["exception_type"], ended["non_retryable"]) == (
        "card declined",
        "Declined",
        False,
    )
    assert "result" not in ended


async def test_each_command_has_the_position_at_which_it_was_authored(driver: Driver) -> None:
    run_id = await driver.begin(
        side_effect(),
        local_activity("first", outcome="failed"),
        schedule(),
        local_activity("second"),
        *group(schedule(), timer(5), base=5),
    )
    history = await driver.history(run_id)
    assert [(event["event_type"], event["payload"]["sequence"]) for event in history[1:]] == [
        ("SideEffectRecorded", 1),
        ("ActivityScheduled", 2),
        ("ActivityFailed", 2),
        ("ActivityScheduled", 3),
        ("ActivityScheduled", 4),
        ("ActivityCompleted", 4),
        ("ActivityScheduled", 5),
        ("TimerScheduled", 6),
    ]
    await driver.complete_activity(await driver.claimed_activity())
    await driver.advance(local_activity("third"), wait())
    assert (await driver.events(run_id, "ActivityCompleted"))[-1]["sequence"] == 7


async def test_nothing_is_left_to_be_claimed_or_to_wake_the_run(driver: Driver) -> None:
    await driver.start()
    task = await driver.claimed()
    reply = await driver.complete(task, local_activity(), local_activity(outcome="failed"))
    assert reply["run_status"] == "waiting"
    assert reply.hints == [["run", task.run_id]]
    assert (await driver.claim_activity()).outcome == "empty"
    assert (await driver.claim()).outcome == "empty"
    assert (await driver.enforce_timeouts())["count"] == 0


async def test_a_workflow_of_local_activities_ends_in_its_first_task(driver: Driver) -> None:
    run_id = await driver.begin(local_activity("charge"), local_activity("ship"), complete_workflow())
    assert (await driver.types(run_id))[1:] == [
        "ActivityScheduled",
        "ActivityCompleted",
        "ActivityScheduled",
        "ActivityCompleted",
        "WorkflowCompleted",
    ]
    assert (await driver.describe())["status"] == "completed"


@pytest.mark.parametrize(
    ("end", "event"),
    [(fail_workflow(), "WorkflowFailed"), (continue_as_new(), "WorkflowContinuedAsNew")],
    ids=["fail_workflow", "continue_as_new"],
)
async def test_an_activity_comes_before_the_end_of_its_run(
    driver: Driver, end: dict[str, object], event: str
) -> None:
    run_id = await driver.begin(local_activity(outcome="failed"), end)
    assert (await driver.types(run_id))[1:] == ["ActivityScheduled", "ActivityFailed", event]


async def test_a_wait_that_was_open_is_satisfied_first(driver: Driver) -> None:
    run_id = await driver.begin(wait(timeout=60))
    await driver.signal()
    await driver.advance(local_activity(), wait())
    assert (await driver.types(run_id))[3:] == [
        "SignalReceived",
        "ConditionWaitSatisfied",
        "ActivityScheduled",
        "ActivityCompleted",
        "ConditionWaitOpened",
    ]


async def test_what_was_held_meanwhile_comes_behind_it_and_wakes_the_run(driver: Driver) -> None:
    run_id = await driver.begin(schedule())
    activity = await driver.claimed_activity()
    await driver.signal()
    task = await driver.claimed()
    await driver.complete_activity(activity)
    reply = await driver.complete(task, local_activity("notify"), wait())
    assert ["workflow", "default", "main"] in reply.hints
    history = await driver.history(run_id)
    assert [(event["event_type"], event["payload"].get("sequence")) for event in history[2:]] == [
        ("SignalReceived", None),
        ("ActivityScheduled", 2),
        ("ActivityCompleted", 2),
        ("ConditionWaitOpened", 3),
        ("ActivityCompleted", 1),
    ]


async def test_it_has_no_attempt_that_could_be_completed_again(driver: Driver, dump: Dump) -> None:
    run_id = await driver.begin(schedule(), local_activity())
    remote = await driver.claimed_activity()
    of_local = replace(remote, task_id=f"{run_id}:a2", attempt_id=f"{run_id}:a2.1")
    before = dump()
    assert (await driver.complete_activity(of_local)).outcome == "attempt_not_found"
    assert (await driver.fail_activity(of_local)).outcome == "attempt_not_found"
    assert dump() == before


async def test_a_lease_that_ran_out_records_nothing_of_it(driver: Driver, clock: Clock, dump: Dump) -> None:
    await driver.start()
    task = await driver.claimed()
    clock.advance(LEASE_SECONDS)
    before = dump()
    assert (await driver.complete(task, local_activity())).outcome == "lease_expired"
    assert dump() == before


@pytest.mark.parametrize("outcome", list(ENDS))
async def test_a_repeated_completion_is_recorded_once(driver: Driver, dump: Dump, outcome: str) -> None:
    await driver.start()
    task = await driver.claimed()
    first = await driver.complete(task, local_activity(outcome=outcome), wait())
    before = dump()
    again = await driver.complete(task, local_activity(outcome=outcome), wait())
    assert again.text == first.text
    other = await driver.complete(task, local_activity(outcome=outcome, attempts=2), wait())
    assert other.outcome == "conflicting_completion"
    assert dump() == before


async def test_a_misplaced_group_behind_it_refuses_it_too(driver: Driver, dump: Dump) -> None:
    await driver.start()
    task = await driver.claimed()
    before = dump()
    refused = await driver.complete(task, local_activity(), *group(schedule(), base=3))
    assert (refused.outcome, refused["command_index"]) == ("invalid_commands", 1)
    assert dump() == before
