"""read_history: a run's history for a client."""

from __future__ import annotations

from tests.transitions.commands import complete_workflow, envelope, schedule, side_effect, wait
from tests.transitions.driver import Driver, page_token

NO_RUN = "00000000-0000-7000-8000-000000000000"


async def test_a_page_carries_events_in_wire_form(driver: Driver) -> None:
    run_id = (await driver.start())["run_id"]
    page = await driver.read_history(run_id)
    assert page.outcome == "page"
    assert page["workflow_id"] == "order-1"
    assert page["run_id"] == run_id
    assert page["last_history_sequence"] == 1
    assert page["next_page_token"] is None
    (event,) = page["events"]
    assert event["id"] == f"{run_id}:e1"
    assert event["sequence"] == 1
    assert event["event_type"] == "WorkflowStarted"
    assert event["recorded_at"] == "2030-01-01T00:00:00.000000Z"


async def test_pages_follow_each_other_without_gap_or_overlap(driver: Driver) -> None:
    run_id = await driver.begin(*[side_effect() for _ in range(5)], complete_workflow())
    sequences: list[int] = []
    while True:
        page = await driver.read_history(run_id, after=len(sequences), page_size=3)
        sequences += [event["sequence"] for event in page["events"]]
        if page["next_page_token"] is None:
            break
        assert page_token(page["next_page_token"]) == str(sequences[-1])
    assert sequences == list(range(1, 8))


async def test_behind_the_end_of_an_open_run_something_may_still_come(driver: Driver) -> None:
    run_id = await driver.begin(wait())
    page = await driver.read_history(run_id, after=2)
    assert page.outcome == "end_of_page"
    assert page["events"] == []
    assert page["next_page_token"] is None


async def test_behind_the_end_of_a_closed_run_nothing_will_come(driver: Driver) -> None:
    run_id = await driver.begin(complete_workflow())
    assert (await driver.read_history(run_id, after=1)).outcome == "page"
    assert (await driver.read_history(run_id, after=2)).outcome == "end_of_history"


async def test_far_behind_the_end_is_no_error(driver: Driver) -> None:
    run_id = await driver.begin(wait())
    assert (await driver.read_history(run_id, after=2_147_483_647)).outcome == "end_of_page"


async def test_held_events_are_not_shown(driver: Driver) -> None:
    run_id = (await driver.start())["run_id"]
    await driver.signal()
    assert await driver.types(run_id) == ["WorkflowStarted"]


async def test_a_page_ends_before_it_passes_four_mebibytes(driver: Driver) -> None:
    big = envelope("x" * 1_500_000)
    run_id = await driver.begin(*[schedule(arguments=big) for _ in range(3)])
    page = await driver.read_history(run_id)
    assert [event["sequence"] for event in page["events"]] == [1, 2, 3]
    assert page_token(page["next_page_token"]) == "3"


async def test_an_unknown_workflow_is_refused(driver: Driver) -> None:
    refused = await driver.read_history(NO_RUN, "nothing")
    assert refused.outcome == "instance_not_found"
    assert refused["workflow_id"] == "nothing"


async def test_an_unknown_run_is_refused(driver: Driver) -> None:
    await driver.start()
    assert (await driver.read_history(NO_RUN)).outcome == "run_not_found"


async def test_a_run_of_another_workflow_is_refused(driver: Driver) -> None:
    await driver.start()
    other = await driver.start("order-2")
    assert (await driver.read_history(other["run_id"])).outcome == "run_not_found"


async def test_an_unknown_namespace_is_refused(driver: Driver) -> None:
    run_id = (await driver.start())["run_id"]
    assert (await driver.read_history(run_id, namespace="nowhere")).outcome == "namespace_not_found"


async def test_a_run_of_another_namespace_is_refused(driver: Driver, other_namespace: str) -> None:
    run_id = (await driver.start())["run_id"]
    assert (await driver.read_history(run_id, namespace=other_namespace)).outcome == "instance_not_found"
