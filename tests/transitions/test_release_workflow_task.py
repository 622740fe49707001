"""release_workflow_task: a claim that did not reach its worker."""

from __future__ import annotations

from tests.transitions.commands import schedule, wait
from tests.transitions.driver import Driver


async def test_a_released_task_is_claimed_again_at_once_with_its_attempt_raised(driver: Driver) -> None:
    await driver.start()
    task = await driver.claimed()
    released = await driver.release(task)
    assert released.outcome == "released"
    assert released.hints == [["workflow", "default", "main"]]
    again = await driver.claimed()
    assert (again.task_id, again.attempt) == (task.task_id, 2)


async def test_a_released_claim_is_fenced_off(driver: Driver) -> None:
    await driver.start()
    task = await driver.claimed()
    await driver.release(task)
    assert (await driver.complete(task, schedule())).outcome == "task_not_leased"
    await driver.claimed()
    assert (await driver.complete(task, schedule())).outcome == "workflow_task_attempt_mismatch"


async def test_releasing_counts_no_failure(driver: Driver) -> None:
    await driver.start()
    await driver.release(await driver.claimed())
    assert (await driver.describe())["workflow_task"]["failure_count"] == 0


async def test_what_was_held_enters_history_before_the_task_is_claimed_again(driver: Driver) -> None:
    await driver.begin(wait())
    await driver.signal("first")
    task = await driver.claimed()
    await driver.signal("second")
    await driver.release(task)
    assert (await driver.claimed()).event_types[-2:] == ["SignalReceived", "SignalReceived"]


async def test_a_repeated_poll_after_a_release_gets_a_new_claim(driver: Driver) -> None:
    await driver.start()
    await driver.release(await driver.claimed(poll_request_id="p"))
    assert (await driver.claimed(poll_request_id="p")).attempt == 2
