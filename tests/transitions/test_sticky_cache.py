"""What a completion says of its worker's cache: accepted whole, or refused with nothing recorded."""

from __future__ import annotations

from typing import Any

import pytest

from tests.transitions.commands import complete_workflow, timer, wait
from tests.transitions.conftest import Dump
from tests.transitions.driver import WORKER, Driver, WorkflowTask
from tests.transitions.sticky import OTHER, register_suffix_worker, retain, sticky_cache


@pytest.fixture
async def task(driver: Driver) -> WorkflowTask:
    """A claim of a worker that takes suffixes."""
    await register_suffix_worker(driver)
    await driver.start()
    return await driver.claimed()


async def refused(driver: Driver, task: WorkflowTask, dump: Dump, claim: dict[str, Any]) -> dict[str, Any]:
    """The refusal of a completion with this sticky_cache: nothing is recorded, and the lease lives."""
    before = dump()
    reply = await driver.complete(task, timer(1), sticky=claim)
    assert dump() == before
    assert reply["outcome"] == "rejected"
    assert reply["recorded"] is False
    assert reply["task_id"] == task.task_id
    assert reply["workflow_task_attempt"] == task.attempt
    assert (await driver.complete(task, timer(1))).outcome == "completed"
    return {**reply.body, "code": reply.outcome}


@pytest.mark.parametrize(
    "wrong", [{"worker_id": OTHER}, {"workflow_id": "order-2"}, {"run_id": "another"}, {"build_id": "b9"}]
)
async def test_an_identity_that_is_not_the_tasks_is_refused(
    driver: Driver, task: WorkflowTask, dump: Dump, wrong: dict[str, str]
) -> None:
    refusal = await refused(driver, task, dump, sticky_cache(task, 1, **wrong))
    assert refusal["code"] == refusal["reason"] == "sticky_cache_identity_mismatch"
    assert refusal["capability"] == "sticky_execution"
    assert refusal["requested_version"] == "1.20"
    assert refusal["minimum_protocol_version"] == "1.18"
    assert refusal["remediation"]


async def test_a_build_id_goes_before_the_sdk_version(driver: Driver, dump: Dump) -> None:
    await register_suffix_worker(driver, build_id="b1")
    await driver.start()
    task = await driver.claimed()
    refusal = await refused(driver, task, dump, sticky_cache(task, 1))
    assert refusal["code"] == "sticky_cache_identity_mismatch"


async def test_a_worker_that_said_neither_build_nor_version_has_no_identity(
    driver: Driver, dump: Dump
) -> None:
    await register_suffix_worker(driver, sdk_version=None)
    await driver.start()
    task = await driver.claimed()
    refusal = await refused(driver, task, dump, sticky_cache(task, 1))
    assert refusal["code"] == "sticky_cache_identity_mismatch"


async def test_a_worker_without_sticky_execution_may_not_retain(driver: Driver, dump: Dump) -> None:
    await driver.start()
    task = await driver.claimed()
    refusal = await refused(driver, task, dump, sticky_cache(task))
    assert refusal["code"] == refusal["reason"] == "worker_capability_not_supported"
    assert refusal["capability"] == "sticky_execution"


async def test_a_worker_without_suffixes_may_not_report_a_boundary(driver: Driver, dump: Dump) -> None:
    await driver.register(sticky_execution=True)
    await driver.start()
    task = await driver.claimed()
    refusal = await refused(driver, task, dump, sticky_cache(task, 1))
    assert refusal["code"] == refusal["reason"] == "validation_failed"
    assert (
        list(refusal["errors"])
        == list(refusal["validation_errors"])
        == ["sticky_cache.history_last_sequence"]
    )


async def test_the_fence_goes_before_the_cache(driver: Driver, task: WorkflowTask) -> None:
    await driver.complete(task, timer(1))
    reply = await driver.complete(task, wait(), sticky=sticky_cache(task, worker_id=OTHER))
    assert reply.outcome == "conflicting_completion"


async def test_a_repeated_completion_changes_nothing(driver: Driver, task: WorkflowTask, dump: Dump) -> None:
    first = await driver.complete(task, timer(1), sticky=sticky_cache(task, 1))
    before = dump()
    assert await driver.complete(task, timer(1), sticky=sticky_cache(task, 1)) == first.__class__(
        first.outcome, first.body, [], first.text
    )
    other = await driver.complete(task, timer(1), sticky=sticky_cache(task, 2))
    assert other.outcome == "conflicting_completion"
    assert dump() == before


async def test_a_run_that_closes_is_held_by_nobody(driver: Driver, task: WorkflowTask, dump: Dump) -> None:
    await retain(driver, task, complete_workflow())
    assert dump()["affinities"] == []


async def test_cancelling_a_run_ends_its_affinity(driver: Driver, task: WorkflowTask, dump: Dump) -> None:
    await retain(driver, task, wait())
    assert len(dump()["affinities"]) == 1
    await driver.cancel()
    assert dump()["affinities"] == []


async def test_the_totals_of_a_worker_are_kept(driver: Driver, task: WorkflowTask) -> None:
    await retain(driver, task, wait(), hit=3, miss=2, eviction=1, forced_cold_replay=4)
    metrics = await driver.sticky_metrics()
    assert [metrics[f"worker_{name}"] for name in ("hits", "misses", "evictions", "forced_cold_replays")] == [
        3,
        2,
        1,
        4,
    ]
    await register_suffix_worker(driver, WORKER)
    assert (await driver.sticky_metrics())["worker_hits"] == 0
