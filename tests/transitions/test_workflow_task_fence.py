"""The fence around a workflow task: who does not hold it is refused, and changes nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from tests.engines.clock import Clock
from tests.transitions.commands import complete_workflow, schedule, wait
from tests.transitions.conftest import Dump
from tests.transitions.driver import LEASE_SECONDS, Driver, Reply, WorkflowTask

Call = Callable[[Driver, WorkflowTask], Awaitable[Reply]]

CALLS: dict[str, Call] = {
    "complete": lambda driver, task: driver.complete(task, schedule()),
    "fail": lambda driver, task: driver.fail(task),
    "wait for history": lambda driver, task: driver.wait_for_history(task),
    "release": lambda driver, task: driver.release(task),
    "heartbeat": lambda driver, task: driver.heartbeat(task),
    "read a page": lambda driver, task: driver.read_page(task),
}


@pytest.fixture(params=CALLS.values(), ids=list(CALLS))
def call(request: pytest.FixtureRequest) -> Call:
    """Each transition that the fence guards."""
    chosen: Call = request.param
    return chosen


async def _refused(call: Call, driver: Driver, task: WorkflowTask, dump: Dump) -> Reply:
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
    "0190-not-an-id:k1",
    "00000000-0000-7000-8000-000000000000:k1",
    "{run}",
    "{run}:k",
    "{run}:kx",
    "{run}:k-1",
    "{run}:k99",
    "{run}:k1 ",
    " {run}:k1",
    "{run}:K1",
    "{run}:a1",
    "{run}:k1:k1",
    "{run}:k99999999999999999999999",
]


async def test_an_id_of_no_task_is_not_found(driver: Driver, dump: Dump, call: Call) -> None:
    await driver.start()
    task = await driver.claimed()
    for template in NO_TASKS:
        task_id = template.replace("{run}", task.run_id)
        refused = await _refused(call, driver, replace(task, task_id=task_id), dump)
        assert (refused.outcome, refused["task_id"]) == ("task_not_found", task_id)


async def test_a_task_of_another_namespace_is_not_found(
    driver: Driver, dump: Dump, call: Call, other_namespace: str
) -> None:
    await driver.start()
    task = await driver.claimed()
    refused = await _refused(call, driver, replace(task, namespace=other_namespace), dump)
    assert refused.outcome == "task_not_found"
    assert "run_status" not in refused.body


async def test_an_unknown_namespace_is_named(driver: Driver, dump: Dump, call: Call) -> None:
    await driver.start()
    task = await driver.claimed()
    refused = await _refused(call, driver, replace(task, namespace="nowhere"), dump)
    assert refused.outcome == "namespace_not_found"


async def test_a_task_of_a_closed_run_is_refused_for_that(driver: Driver, dump: Dump, call: Call) -> None:
    await driver.start()
    task = await driver.claimed()
    await driver.cancel()
    refused = await _refused(call, driver, task, dump)
    assert refused.outcome == "run_closed"
    assert refused["run_status"] == "cancelled"
    assert refused["cancel_requested"] is True
    assert refused["can_continue"] is False


async def test_a_ready_task_is_not_leased(driver: Driver, clock: Clock, dump: Dump, call: Call) -> None:
    await driver.start()
    task = await driver.claimed()
    clock.advance(LEASE_SECONDS)
    await driver.expire_leases()
    refused = await _refused(call, driver, task, dump)
    assert refused.outcome == "task_not_leased"
    assert refused["recorded"] is False


async def test_an_earlier_task_of_the_run_is_not_leased(driver: Driver, dump: Dump) -> None:
    await driver.start()
    first = await driver.claimed()
    await driver.complete(first, wait())
    await driver.signal()
    await driver.claimed()
    for call in (CALLS["release"], CALLS["heartbeat"], CALLS["read a page"]):
        assert (await _refused(call, driver, first, dump)).outcome == "task_not_leased"


async def test_another_worker_is_refused(driver: Driver, dump: Dump, call: Call) -> None:
    await driver.start()
    task = await driver.claimed()
    refused = await _refused(call, driver, replace(task, lease_owner="thief"), dump)
    assert refused.outcome == "lease_owner_mismatch"


async def test_a_stale_attempt_is_refused(driver: Driver, clock: Clock, dump: Dump, call: Call) -> None:
    await driver.start()
    stale = await driver.claimed()
    clock.advance(LEASE_SECONDS)
    await driver.expire_leases()
    current = await driver.claimed()
    assert (current.task_id, current.attempt) == (stale.task_id, 2)
    refused = await _refused(call, driver, stale, dump)
    assert refused.outcome == "workflow_task_attempt_mismatch"
    assert refused["workflow_task_attempt"] == 1
    assert (await driver.complete(current, complete_workflow())).outcome == "completed"


async def test_a_lease_ends_at_its_moment(driver: Driver, clock: Clock, dump: Dump, call: Call) -> None:
    await driver.start()
    task = await driver.claimed()
    clock.advance(LEASE_SECONDS)
    assert (await _refused(call, driver, task, dump)).outcome == "lease_expired"


async def test_a_run_past_its_deadline_takes_nothing_more(
    driver: Driver, clock: Clock, dump: Dump, call: Call
) -> None:
    await driver.start(run_timeout_seconds=10)
    task = await driver.claimed()
    clock.advance(10)
    assert (await _refused(call, driver, task, dump)).outcome == "run_timed_out"


async def test_the_reasons_come_in_their_order(driver: Driver, clock: Clock, dump: Dump, call: Call) -> None:
    """Everything is wrong at once; what is put right bit by bit gives the next reason."""
    await driver.start(run_timeout_seconds=LEASE_SECONDS)
    task = await driver.claimed()
    wrong = replace(task, lease_owner="thief", attempt=7)
    assert (await _refused(call, driver, replace(wrong, task_id=f"{task.run_id}:k9"), dump)).outcome == (
        "task_not_found"
    )
    clock.advance(LEASE_SECONDS)
    assert (await _refused(call, driver, wrong, dump)).outcome == "lease_owner_mismatch"
    assert (await _refused(call, driver, replace(task, attempt=7), dump)).outcome == (
        "workflow_task_attempt_mismatch"
    )
    assert (await _refused(call, driver, task, dump)).outcome == "lease_expired"
    await driver.expire_leases()
    assert (await _refused(call, driver, wrong, dump)).outcome == "task_not_leased"
    await driver.enforce_timeouts()
    assert (await _refused(call, driver, wrong, dump)).outcome == "run_closed"
