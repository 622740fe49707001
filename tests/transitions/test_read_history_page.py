"""read_history_page: the history of a claim, page by page, up to where the claim found it."""

from __future__ import annotations

from tests.transitions.commands import envelope, schedule, side_effect, wait
from tests.transitions.driver import Driver, page_token


async def test_pages_follow_each_other_without_gap_or_overlap(driver: Driver) -> None:
    await driver.begin(*[side_effect(f"effect-{number}") for number in range(7)], wait())
    await driver.signal()
    task = await driver.claimed(page_size=3)
    sequences = [event["sequence"] for event in task.body["history_events"]]
    token = task.body["next_history_page_token"]
    pages = 1
    while token is not None:
        assert page_token(token) == str(sequences[-1])
        page = await driver.read_page(task, after=sequences[-1], page_size=3)
        sequences += [event["sequence"] for event in page["history_events"]]
        token = page["next_history_page_token"]
        pages += 1
    assert sequences == list(range(1, 11))
    assert pages == 4


async def test_a_page_that_ends_with_the_history_has_no_token(driver: Driver) -> None:
    await driver.begin(side_effect(), wait())
    await driver.signal()
    task = await driver.claimed(page_size=2)
    page = await driver.read_page(task, after=2, page_size=2)
    assert [event["sequence"] for event in page["history_events"]] == [3, 4]
    assert page["next_history_page_token"] is None
    assert page["total_history_events"] == 4


async def test_history_can_be_read_from_the_start(driver: Driver) -> None:
    await driver.start()
    task = await driver.claimed()
    page = await driver.read_page(task)
    assert page.outcome == "page"
    assert page["task_id"] == task.task_id
    assert page["workflow_task_attempt"] == 1
    assert page["history_events"] == task.body["history_events"]


async def test_behind_the_end_is_an_empty_page(driver: Driver) -> None:
    await driver.start()
    page = await driver.read_page(await driver.claimed(), after=1)
    assert page["history_events"] == []
    assert page["next_history_page_token"] is None


async def test_what_came_after_the_claim_is_not_delivered_to_it(driver: Driver) -> None:
    await driver.begin(schedule(), wait())
    await driver.signal()
    task = await driver.claimed()
    await driver.signal()
    await driver.complete_activity(await driver.claimed_activity())
    page = await driver.read_page(task)
    assert page["total_history_events"] == len(page["history_events"]) == 4


async def test_a_page_ends_before_it_passes_four_mebibytes(driver: Driver) -> None:
    big = envelope("x" * 1_500_000)
    await driver.begin(*[schedule(arguments=big) for _ in range(5)], wait())
    await driver.signal()
    task = await driver.claimed()
    assert [event["sequence"] for event in task.body["history_events"]] == [1, 2, 3]
    assert page_token(task.body["next_history_page_token"]) == "3"
    page = await driver.read_page(task, after=3)
    assert [event["sequence"] for event in page["history_events"]] == [4, 5]
    page = await driver.read_page(task, after=5)
    assert [event["sequence"] for event in page["history_events"]] == [6, 7, 8]


async def test_a_page_holds_one_event_however_large(driver: Driver) -> None:
    huge = envelope("x" * 5_000_000)
    await driver.begin(schedule(arguments=huge), wait())
    await driver.signal()
    task = await driver.claimed()
    assert task.event_types == ["WorkflowStarted"]
    page = await driver.read_page(task, after=1)
    assert [event["sequence"] for event in page["history_events"]] == [2]
