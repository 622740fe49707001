"""list_workflow_runs: the runs of one workflow, oldest first."""

from __future__ import annotations

from tests.transitions.commands import continue_as_new
from tests.transitions.driver import Driver, page_token


async def _chain(driver: Driver, length: int) -> list[str]:
    """A workflow that has continued as new until it has so many runs: their ids, oldest first."""
    run_ids = [(await driver.start(business_key="customer-7"))["run_id"]]
    while len(run_ids) < length:
        await driver.advance(continue_as_new())
        run_ids.append((await driver.describe())["run_id"])
    return run_ids


async def test_runs_are_listed_oldest_first_with_their_numbers(driver: Driver) -> None:
    run_ids = await _chain(driver, 3)
    await driver.start("order-2")
    reply = await driver.list_workflow_runs()
    assert reply.outcome == "listed"
    assert [run["run_id"] for run in reply["runs"]] == run_ids
    assert [run["run_number"] for run in reply["runs"]] == [1, 2, 3]
    assert [run["is_current_run"] for run in reply["runs"]] == [False, False, True]
    assert [run["is_terminal"] for run in reply["runs"]] == [True, True, False]
    assert [run["status_bucket"] for run in reply["runs"]] == ["completed", "completed", "running"]
    assert {run["business_key"] for run in reply["runs"]} == {"customer-7"}
    assert (reply["run_count"], reply["next_page_token"]) == (3, None)


async def test_a_long_chain_comes_in_pages(driver: Driver) -> None:
    run_ids = await _chain(driver, 5)
    listed: list[str] = []
    after = 0
    while True:
        page = await driver.list_workflow_runs(after=after, page_size=2)
        listed += [run["run_id"] for run in page["runs"]]
        assert page["run_count"] == 5
        if page["next_page_token"] is None:
            break
        after = int(page_token(page["next_page_token"]))
    assert listed == run_ids


async def test_behind_the_last_run_there_is_nothing(driver: Driver) -> None:
    await driver.start()
    reply = await driver.list_workflow_runs(after=1)
    assert (reply["runs"], reply["run_count"], reply["next_page_token"]) == ([], 1, None)


async def test_unknown_workflows_are_refused(driver: Driver, other_namespace: str) -> None:
    await driver.start()
    assert (await driver.list_workflow_runs("nothing")).outcome == "instance_not_found"
    assert (await driver.list_workflow_runs(namespace=other_namespace)).outcome == "instance_not_found"
    assert (await driver.list_workflow_runs(namespace="nowhere")).outcome == "namespace_not_found"
