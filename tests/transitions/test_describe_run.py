"""describe_run: the state of a run."""

from __future__ import annotations

from tests.engines.clock import Clock
from tests.transitions.commands import complete_workflow, continue_as_new, schedule, wait
from tests.transitions.driver import Driver

NO_RUN = "00000000-0000-7000-8000-000000000000"


async def test_a_fresh_run_is_described(driver: Driver) -> None:
    run_id = (await driver.start())["run_id"]
    reply = await driver.describe()
    assert reply.outcome == "described"
    size = reply.body.pop("history_size_bytes")
    assert size > len("WorkflowStarted")
    assert reply.body == {
        "workflow_id": "order-1",
        "run_id": run_id,
        "namespace": "default",
        "workflow_type": "order",
        "business_key": None,
        "status": "pending",
        "status_bucket": "running",
        "task_queue": "main",
        "compatibility": None,
        "started_at": "2030-01-01T00:00:00.000000Z",
        "closed_at": None,
        "is_terminal": False,
        "closed_reason": None,
        "run_number": 1,
        "run_count": 1,
        "is_current_run": True,
        "priority": 5,
        "payload_codec": "avro",
        "execution_timeout_seconds": None,
        "run_timeout_seconds": None,
        "execution_deadline_at": None,
        "run_deadline_at": None,
        "last_progress_at": "2030-01-01T00:00:00.000000Z",
        "last_history_sequence": 1,
        "continued_from_run_id": None,
        "continued_to_run_id": None,
        "wait_kind": "workflow_task",
        "workflow_task": {
            "task_id": f"{run_id}:k1",
            "status": "ready",
            "attempt": 0,
            "available_at": "2030-01-01T00:00:00.000000Z",
            "lease_owner": None,
            "lease_expires_at": None,
            "failure_count": 0,
            "last_failure": None,
        },
        "input_envelope": {"codec": "avro", "blob": "input"},
        "output_envelope": None,
        "memo": {},
        "search_attributes": {},
        "actions": {
            "can_signal": True,
            "can_query": False,
            "can_update": False,
            "can_cancel": True,
            "can_terminate": True,
            "can_repair": False,
            "can_archive": False,
        },
    }


async def test_what_a_run_waits_for_is_told(driver: Driver) -> None:
    await driver.begin(wait())
    assert (await driver.describe())["wait_kind"] == "condition"
    await driver.signal()
    assert (await driver.describe())["wait_kind"] == "workflow_task"
    await driver.advance(schedule())
    assert (await driver.describe())["wait_kind"] == "operation"
    await driver.cancel()
    assert (await driver.describe())["wait_kind"] is None


async def test_a_leased_task_shows_its_holder(driver: Driver) -> None:
    await driver.start()
    await driver.claimed()
    task = (await driver.describe())["workflow_task"]
    assert task["status"] == "leased"
    assert task["attempt"] == 1
    assert task["lease_owner"] == "worker-1"
    assert task["lease_expires_at"] == "2030-01-01T00:00:30.000000Z"


async def test_a_closed_run_cannot_be_acted_upon(driver: Driver, clock: Clock) -> None:
    await driver.start()
    clock.advance(7)
    await driver.advance(complete_workflow())
    reply = await driver.describe()
    assert reply["status_bucket"] == "completed"
    assert reply["is_terminal"] is True
    assert reply["closed_at"] == reply["last_progress_at"] == "2030-01-01T00:00:07.000000Z"
    assert reply["workflow_task"] is None
    assert not any(reply["actions"].values())


async def test_a_run_that_has_continued_can_be_described_by_its_id(driver: Driver) -> None:
    old = await driver.begin(continue_as_new())
    reply = await driver.describe(run_id=old)
    assert reply["run_id"] == old
    assert reply["is_current_run"] is False
    assert reply["run_count"] == 2
    assert not any(reply["actions"].values())


async def test_unknown_targets_are_refused(driver: Driver, other_namespace: str) -> None:
    run_id = (await driver.start())["run_id"]
    await driver.start("order-2")
    assert (await driver.describe("nothing")).outcome == "instance_not_found"
    assert (await driver.describe(run_id=NO_RUN)).outcome == "run_not_found"
    assert (await driver.describe("order-2", run_id)).outcome == "run_not_found"
    assert (await driver.describe(namespace="nowhere")).outcome == "namespace_not_found"
    assert (await driver.describe(namespace=other_namespace)).outcome == "instance_not_found"
