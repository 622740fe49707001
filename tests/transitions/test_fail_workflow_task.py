"""fail_workflow_task: the run does not fail with its task."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.engines.clock import Clock
from tests.transitions.commands import schedule, timer, wait
from tests.transitions.conftest import Dump, wire
from tests.transitions.driver import Driver, WorkflowTask


@pytest.fixture
async def task(driver: Driver) -> WorkflowTask:
    """The leased first task of a run."""
    await driver.start()
    return await driver.claimed()


async def test_a_failed_task_is_offered_again_with_its_attempt_raised(
    driver: Driver, clock: Clock, task: WorkflowTask
) -> None:
    failed = await driver.fail(task)
    assert failed.outcome == "failed"
    assert failed["recorded"] is True
    assert failed["retry_available_at"] == wire(clock.now + timedelta(seconds=1))
    assert ["workflow", "default", "main", failed["retry_available_at"]] in failed.hints
    assert await driver.types(task.run_id) == ["WorkflowStarted"]
    clock.advance(1)
    again = await driver.claimed()
    assert (again.task_id, again.attempt) == (task.task_id, 2)


async def test_the_pause_grows_to_a_minute(driver: Driver, clock: Clock, task: WorkflowTask) -> None:
    pauses = []
    for _ in range(8):
        failed = await driver.fail(task)
        at = failed["retry_available_at"]
        pauses.append(next(s for s in range(100) if wire(clock.now + timedelta(seconds=s)) == at))
        clock.advance(pauses[-1])
        task = await driver.claimed()
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60]


@pytest.mark.parametrize("type", ["NonDeterministicReplayError", "WorkflowEntryArgumentsMismatchError"])
async def test_a_replay_that_cannot_succeed_waits_a_minute_at_once(
    driver: Driver, clock: Clock, task: WorkflowTask, type: str
) -> None:
    failed = await driver.fail(task, type)
    assert failed["retry_available_at"] == wire(clock.now + timedelta(seconds=60))


async def test_the_description_shows_the_failure_that_keeps_the_run(
    driver: Driver, task: WorkflowTask
) -> None:
    await driver.fail(task, "ImportError", "no module named shop")
    described = await driver.describe()
    assert described["workflow_task"] == {
        "task_id": task.task_id,
        "status": "ready",
        "attempt": 1,
        "available_at": "2030-01-01T00:00:01.000000Z",
        "lease_owner": None,
        "lease_expires_at": None,
        "failure_count": 1,
        "last_failure": {"type": "ImportError", "message": "no module named shop"},
    }


async def test_failures_are_counted_anew_for_the_next_task(
    driver: Driver, clock: Clock, task: WorkflowTask
) -> None:
    await driver.fail(task)
    clock.advance(1)
    await driver.complete(await driver.claimed(), wait())
    await driver.signal()
    failed = await driver.fail(await driver.claimed())
    assert failed["retry_available_at"] == wire(clock.now + timedelta(seconds=1))


async def test_a_repeated_failure_gets_the_recorded_answer(
    driver: Driver, dump: Dump, task: WorkflowTask
) -> None:
    first = await driver.fail(task)
    before = dump()
    again = await driver.fail(task)
    assert (again.outcome, again.text) == ("failed", first.text)
    assert dump() == before


async def test_a_failure_repeated_with_another_body_is_a_conflict(driver: Driver, task: WorkflowTask) -> None:
    await driver.fail(task)
    assert (await driver.fail(task, message="another")).outcome == "conflicting_completion"


async def test_completing_a_task_that_was_failed_is_a_conflict(driver: Driver, task: WorkflowTask) -> None:
    await driver.fail(task)
    assert (await driver.complete(task, schedule())).outcome == "conflicting_completion"


async def test_a_worker_that_waits_for_history_is_done_with_the_task(driver: Driver) -> None:
    run_id = await driver.begin(schedule())
    await driver.signal()
    task = await driver.claimed()
    reply = await driver.wait_for_history(task)
    assert reply.outcome == reply["outcome"] == "waiting_for_history"
    assert reply["run_status"] == "waiting"
    assert (await driver.claim()).outcome == "empty"
    assert (await driver.describe())["workflow_task"] is None
    assert await driver.types(run_id) == ["WorkflowStarted", "ActivityScheduled", "SignalReceived"]


async def test_a_worker_that_waits_for_history_is_woken_by_what_was_held(driver: Driver) -> None:
    run_id = await driver.begin(timer(5), schedule())
    await driver.signal("first")
    task = await driver.claimed()
    await driver.signal("second")
    reply = await driver.wait_for_history(task)
    assert ["workflow", "default", "main"] in reply.hints
    next_task = await driver.claimed()
    assert next_task.task_id == f"{run_id}:k5"
    assert next_task.attempt == 1
    assert next_task.event_types[-2:] == ["SignalReceived", "SignalReceived"]


async def test_waiting_for_history_counts_no_failure(driver: Driver, clock: Clock) -> None:
    await driver.begin(schedule())
    for _ in range(3):
        await driver.signal()
        await driver.wait_for_history(await driver.claimed())
    await driver.signal()
    failed = await driver.fail(await driver.claimed())
    assert failed["retry_available_at"] == wire(clock.now + timedelta(seconds=1))


async def test_waiting_for_history_can_be_repeated(driver: Driver, dump: Dump) -> None:
    await driver.begin(schedule())
    await driver.signal()
    task = await driver.claimed()
    first = await driver.wait_for_history(task)
    before = dump()
    again = await driver.wait_for_history(task)
    assert (again.outcome, again.text) == ("waiting_for_history", first.text)
    assert dump() == before


async def test_waiting_for_history_answers_the_first_task_and_lets_signals_in(
    driver: Driver, task: WorkflowTask
) -> None:
    await driver.signal()
    await driver.wait_for_history(task)
    assert (await driver.claimed()).event_types == ["WorkflowStarted", "SignalReceived"]
