"""list_runs: the runs of a namespace, newest first."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engines.clock import Clock
from tests.transitions.commands import complete_workflow, continue_as_new, fail_workflow, wait
from tests.transitions.driver import Driver, page_token


@pytest.fixture
async def runs(driver: Driver, clock: Clock) -> list[str]:
    """Runs of two types in every state, a second apart: their workflow ids, newest first."""
    await driver.register(workflow_types=("order", "refund"))
    endings: dict[str, Any] = {
        "completed": complete_workflow(),
        "failed": fail_workflow(),
        "cancelled": None,
        "terminated": None,
        "waiting": wait(),
    }
    for workflow_id, command in endings.items():
        await driver.start(workflow_id, workflow_type="refund" if workflow_id == "failed" else "order")
        if command is not None:
            await driver.advance(command)
        clock.advance(1)
    await driver.cancel("cancelled")
    await driver.terminate("terminated")
    await driver.start("pending", workflow_type="refund")
    return [*endings, "pending"][::-1]


async def _ids(driver: Driver, **filters: Any) -> list[str]:
    reply = await driver.list_runs(**filters)
    assert reply.outcome == "listed"
    assert reply["workflow_count"] == len(reply["workflows"])
    return [run["workflow_id"] for run in reply["workflows"]]


async def test_runs_are_listed_newest_first(driver: Driver, runs: list[str]) -> None:
    assert await _ids(driver) == runs


async def test_a_run_is_listed_with_its_summary(driver: Driver) -> None:
    run_id = (
        await driver.start(
            business_key="customer-7", memo={"a": 1}, search_attributes={"b": 2}, build_id="b1"
        )
    )["run_id"]
    assert (await driver.list_runs())["workflows"] == [
        {
            "workflow_id": "order-1",
            "run_id": run_id,
            "namespace": "default",
            "workflow_type": "order",
            "business_key": "customer-7",
            "status": "pending",
            "status_bucket": "running",
            "task_queue": "main",
            "compatibility": "b1",
            "started_at": "2030-01-01T00:00:00.000000Z",
            "closed_at": None,
            "is_terminal": False,
            "memo": {"a": 1},
            "search_attributes": {"b": 2},
        }
    ]


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("running", ["pending", "waiting"]),
        ("completed", ["completed"]),
        ("failed", ["terminated", "cancelled", "failed"]),
    ],
)
@pytest.mark.usefixtures("runs")
async def test_runs_are_listed_by_status_bucket(driver: Driver, status: str, expected: list[str]) -> None:
    assert await _ids(driver, status=status) == expected


@pytest.mark.usefixtures("runs")
async def test_runs_are_listed_by_type_and_by_both(driver: Driver) -> None:
    assert await _ids(driver, workflow_type="refund") == ["pending", "failed"]
    assert await _ids(driver, workflow_type="refund", status="failed") == ["failed"]
    assert await _ids(driver, workflow_type="order") == ["waiting", "terminated", "cancelled", "completed"]
    assert await _ids(driver, workflow_type="unheard of") == []


@pytest.mark.parametrize("filters", [{}, {"workflow_type": "order"}, {"status": "failed"}])
@pytest.mark.usefixtures("runs")
async def test_pages_follow_each_other_without_gap_or_overlap(
    driver: Driver, filters: dict[str, str]
) -> None:
    everything = await _ids(driver, **filters)
    listed: list[str] = []
    token: str | None = None
    while True:
        page = await driver.list_runs(page_size=2, page_token=token, **filters)
        listed += [run["workflow_id"] for run in page["workflows"]]
        if page["next_page_token"] is None:
            break
        token = page_token(page["next_page_token"])
        assert token == page["workflows"][-1]["run_id"]
    assert listed == everything


async def test_a_full_last_page_has_no_token(driver: Driver, clock: Clock) -> None:
    await driver.start()
    clock.advance(1)
    await driver.start("order-2")
    assert (await driver.list_runs(page_size=2))["next_page_token"] is None


async def test_every_run_of_a_workflow_is_listed(driver: Driver, clock: Clock) -> None:
    await driver.start()
    clock.advance(1)
    await driver.advance(continue_as_new())
    assert await _ids(driver) == ["order-1", "order-1"]


async def test_an_empty_namespace_lists_nothing(driver: Driver, other_namespace: str) -> None:
    await driver.start()
    assert await _ids(driver, namespace=other_namespace) == []


async def test_an_unknown_namespace_is_refused(driver: Driver) -> None:
    assert (await driver.list_runs(namespace="nowhere")).outcome == "namespace_not_found"
