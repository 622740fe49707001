"""complete_workflow_task: what workflow code decided, in order, once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.engines.clock import Clock
from tests.transitions.commands import (
    Document,
    complete_workflow,
    continue_as_new,
    envelope,
    fail_workflow,
    group,
    schedule,
    side_effect,
    timer,
    wait,
)
from tests.transitions.conftest import Dump
from tests.transitions.driver import LEASE_SECONDS, Driver


async def test_a_completion_records_its_commands_in_order_at_dense_positions(driver: Driver) -> None:
    run_id = await driver.begin(side_effect(), schedule(), timer(5), wait())
    history = await driver.history(run_id)
    assert [event["event_type"] for event in history] == [
        "WorkflowStarted",
        "SideEffectRecorded",
        "ActivityScheduled",
        "TimerScheduled",
        "ConditionWaitOpened",
    ]
    assert [event["payload"].get("sequence") for event in history] == [None, 1, 2, 3, 4]


async def test_positions_go_on_from_task_to_task(driver: Driver) -> None:
    run_id = await driver.begin(timer(0))
    await driver.fire_timers()
    await driver.advance(timer(0))
    await driver.fire_timers()
    await driver.advance(side_effect(), wait())
    assert [event["sequence"] for event in await driver.events(run_id, "TimerScheduled")] == [1, 2]
    assert (await driver.events(run_id, "ConditionWaitOpened"))[0]["sequence"] == 4


async def test_the_answer_says_that_the_run_waits(driver: Driver) -> None:
    await driver.start()
    task = await driver.claimed()
    reply = await driver.complete(task, schedule())
    assert reply.body == {
        "task_id": task.task_id,
        "outcome": "completed",
        "recorded": True,
        "run_status": "waiting",
    }
    assert reply.hints == [["run", task.run_id], ["activity", "default", "main"]]


async def test_a_scheduled_activity_is_recorded_with_what_was_asked_for(driver: Driver) -> None:
    run_id = await driver.begin(
        schedule("ship", arguments=envelope("x"), start_to_close_timeout=60, heartbeat_timeout=5)
    )
    assert await driver.events(run_id, "ActivityScheduled") == [
        {
            "sequence": 1,
            "activity_execution_id": f"{run_id}:a1",
            "activity_type": "ship",
            "arguments": envelope("x"),
            "queue": "main",
            "start_to_close_timeout": 60,
            "heartbeat_timeout": 5,
        }
    ]


async def test_a_started_timer_says_when_it_is_due(driver: Driver) -> None:
    await driver.start()
    task = await driver.claimed()
    reply = await driver.complete(task, timer(90))
    assert await driver.events(task.run_id, "TimerScheduled") == [
        {
            "sequence": 1,
            "timer_id": f"{task.run_id}:t1",
            "delay_seconds": 90,
            "fire_at": "2030-01-01T00:01:30.000000Z",
        }
    ]
    assert ["due", "2030-01-01T00:01:30.000000Z"] in reply.hints


async def test_a_side_effect_is_recorded_with_its_value(driver: Driver) -> None:
    run_id = await driver.begin(side_effect("AAEC"), wait())
    assert await driver.events(run_id, "SideEffectRecorded") == [
        {"sequence": 1, "result": "AAEC", "payload_codec": "avro"}
    ]


async def test_completing_the_workflow_closes_the_run_with_its_output(driver: Driver) -> None:
    await driver.start()
    task = await driver.claimed()
    reply = await driver.complete(task, side_effect(), complete_workflow(envelope("done")))
    assert reply["run_status"] == "completed"
    assert ["run", task.run_id] in reply.hints
    assert await driver.types(task.run_id) == ["WorkflowStarted", "SideEffectRecorded", "WorkflowCompleted"]
    described = await driver.describe()
    assert described["status"] == described["closed_reason"] == "completed"
    assert described["output_envelope"] == envelope("done")
    assert (await driver.claim()).outcome == "empty"


async def test_completing_the_workflow_without_a_value_leaves_no_output(driver: Driver) -> None:
    run_id = await driver.begin({"type": "complete_workflow", "fields": "{}"})
    assert await driver.events(run_id, "WorkflowCompleted") == [{}]
    assert (await driver.describe())["output_envelope"] is None


async def test_failing_the_workflow_closes_the_run_with_its_failure(driver: Driver) -> None:
    await driver.start()
    task = await driver.claimed()
    reply = await driver.complete(task, fail_workflow("out of stock", exception_type="OutOfStock"))
    assert reply["run_status"] == "failed"
    assert await driver.events(task.run_id, "WorkflowFailed") == [
        {"message": "out of stock", "exception_type": "OutOfStock"}
    ]
    described = await driver.describe()
    assert described["status"] == described["closed_reason"] == "failed"


async def test_a_terminal_command_ends_the_open_work_of_its_run(driver: Driver) -> None:
    run_id = await driver.begin(schedule(), timer(5), wait(timeout=60))
    await driver.signal()
    await driver.advance(fail_workflow())
    assert await driver.types(run_id) == [
        "WorkflowStarted",
        "ActivityScheduled",
        "TimerScheduled",
        "ConditionWaitOpened",
        "TimerScheduled",
        "SignalReceived",
        "ConditionWaitSatisfied",
        "WorkflowFailed",
    ]
    assert (await driver.claim_activity()).outcome == "empty"
    assert (await driver.fire_timers())["count"] == 0


@pytest.mark.parametrize(
    "command", [schedule(), wait(), complete_workflow(), continue_as_new()], ids=lambda c: str(c["type"])
)
async def test_a_repeated_completion_gets_the_recorded_answer(
    driver: Driver, dump: Dump, command: Document
) -> None:
    await driver.start()
    task = await driver.claimed()
    first = await driver.complete(task, command)
    before = dump()
    again = await driver.complete(task, command)
    assert (again.outcome, again.text) == (first.outcome, first.text)
    assert again.hints == []
    assert dump() == before


async def test_a_completion_repeated_with_another_body_is_a_conflict(driver: Driver, dump: Dump) -> None:
    await driver.start()
    task = await driver.claimed()
    await driver.complete(task, schedule())
    before = dump()
    refused = await driver.complete(task, schedule("ship"))
    assert refused.outcome == "conflicting_completion"
    assert refused["recorded"] is False
    assert dump() == before


async def test_a_completion_repeated_by_another_worker_is_a_conflict(driver: Driver) -> None:
    await driver.start()
    task = await driver.claimed()
    await driver.complete(task, schedule())
    refused = await driver.complete(replace(task, lease_owner="thief"), schedule())
    assert refused.outcome == "conflicting_completion"


async def test_failing_a_task_that_was_completed_is_a_conflict(driver: Driver) -> None:
    await driver.start()
    task = await driver.claimed()
    await driver.complete(task, schedule())
    assert (await driver.fail(task)).outcome == "conflicting_completion"


async def test_a_completion_can_be_repeated_after_later_tasks_and_the_end_of_the_run(
    driver: Driver, clock: Clock
) -> None:
    await driver.start()
    task = await driver.claimed()
    first = await driver.complete(task, wait())
    await driver.signal()
    await driver.advance(wait())
    await driver.signal()
    await driver.advance(complete_workflow())
    clock.advance(LEASE_SECONDS)
    again = await driver.complete(task, wait())
    assert again.text == first.text


async def test_an_expired_attempt_does_not_profit_from_the_answer_of_a_later_one(
    driver: Driver, clock: Clock
) -> None:
    await driver.start()
    stale = await driver.claimed()
    clock.advance(LEASE_SECONDS)
    await driver.expire_leases()
    await driver.advance(schedule())
    assert (await driver.complete(stale, schedule())).outcome == "task_not_leased"


async def test_a_misplaced_group_is_refused_whole(driver: Driver, dump: Dump) -> None:
    await driver.start()
    task = await driver.claimed()
    before = dump()
    refused = await driver.complete(task, side_effect(), *group(schedule(), timer(1), base=3))
    assert refused.outcome == "invalid_commands"
    assert refused["command_index"] == 1
    assert refused["field"] == "commands.1.parallel_group_base_sequence"
    assert refused["recorded"] is False
    assert dump() == before
    assert (await driver.complete(task, *group(schedule(), base=1))).outcome == "completed"


async def test_a_completion_that_leaves_nothing_new_makes_no_task(driver: Driver) -> None:
    await driver.begin(schedule())
    assert (await driver.claim()).outcome == "empty"
    described = await driver.describe()
    assert described["status"] == "waiting"
    assert described["workflow_task"] is None
