"""start_run: one workflow id, one workflow."""

from __future__ import annotations

from datetime import timedelta

from tests.engines.clock import Clock
from tests.transitions.commands import complete_workflow, envelope, text_of
from tests.transitions.conftest import wire
from tests.transitions.driver import Driver


async def test_a_start_makes_a_pending_run_with_its_first_event_and_task(driver: Driver) -> None:
    started = await driver.start()
    assert started.outcome == "started_new"
    assert started["status"] == "pending"
    assert started["workflow_id"] == "order-1"
    assert await driver.types(started["run_id"]) == ["WorkflowStarted"]
    assert ["workflow", "default", "main"] in started.hints
    task = await driver.claimed()
    assert task.task_id == f"{started['run_id']}:k1"


async def test_a_run_id_is_a_uuid_of_version_7_that_begins_with_the_moment(
    driver: Driver, clock: Clock
) -> None:
    run_id = (await driver.start())["run_id"]
    assert len(run_id) == 36
    assert run_id[14] == "7"
    assert run_id[19] in "89ab"
    assert int(run_id.replace("-", "")[:12], 16) == int(clock.now.timestamp() * 1000)


async def test_the_first_event_says_what_was_started(driver: Driver) -> None:
    started = await driver.start(
        build_id="b1",
        business_key="customer-7",
        memo={"note": "fragile"},
        search_attributes={"Region": "eu"},
        execution_timeout_seconds=100,
        run_timeout_seconds=10,
    )
    (event,) = await driver.events(started["run_id"], "WorkflowStarted")
    assert event == {
        "workflow_type": "order",
        "workflow_id": "order-1",
        "run_id": started["run_id"],
        "run_number": 1,
        "task_queue": "main",
        "payload_codec": "avro",
        "build_id": "b1",
        "business_key": "customer-7",
        "memo": {"note": "fragile"},
        "search_attributes": {"Region": "eu"},
        "execution_timeout_seconds": 100,
        "run_timeout_seconds": 10,
        "execution_deadline_at": "2030-01-01T00:01:40.000000Z",
        "run_deadline_at": "2030-01-01T00:00:10.000000Z",
    }


async def test_timeouts_memo_and_search_attributes_are_stored(driver: Driver, clock: Clock) -> None:
    await driver.start(
        memo={"note": "fragile"},
        search_attributes={"Region": "eu"},
        execution_timeout_seconds=100,
        run_timeout_seconds=10,
    )
    described = await driver.describe()
    assert described["memo"] == {"note": "fragile"}
    assert described["search_attributes"] == {"Region": "eu"}
    assert described["execution_timeout_seconds"] == 100
    assert described["run_timeout_seconds"] == 10
    assert described["execution_deadline_at"] == wire(clock.now + timedelta(seconds=100))
    assert described["run_deadline_at"] == wire(clock.now + timedelta(seconds=10))


async def test_a_start_without_input_has_null_arguments(driver: Driver) -> None:
    await driver.start(input=None)
    task = await driver.claimed()
    assert task.body["arguments"] is None


async def test_a_second_start_is_refused_by_the_policy_fail(driver: Driver) -> None:
    first = await driver.start()
    second = await driver.start()
    assert second.outcome == "instance_already_started"
    assert second["run_id"] == first["run_id"]
    assert second.hints == []


async def test_the_policy_use_existing_answers_with_the_open_run(driver: Driver) -> None:
    first = await driver.start()
    second = await driver.start(policy="use-existing")
    assert second.outcome == "returned_existing_active"
    assert second["run_id"] == first["run_id"]
    assert second["status"] == "pending"


async def test_the_policy_use_existing_refuses_another_type(driver: Driver) -> None:
    await driver.start()
    refused = await driver.start(policy="use-existing", workflow_type="refund")
    assert refused.outcome == "workflow_type_mismatch"


async def test_the_policy_use_existing_refuses_a_closed_run(driver: Driver) -> None:
    await driver.begin(complete_workflow())
    refused = await driver.start(policy="use-existing")
    assert refused.outcome == "instance_already_started"


async def test_a_workflow_id_is_not_used_again_after_its_run_has_closed(driver: Driver) -> None:
    await driver.begin(complete_workflow())
    assert (await driver.start()).outcome == "instance_already_started"


async def test_a_repeated_request_gets_the_first_answer_whatever_happened_since(driver: Driver) -> None:
    first = await driver.start(request_id="r1")
    await driver.advance(complete_workflow())
    again = await driver.start(request_id="r1")
    assert again.outcome == "started_new"
    assert again["run_id"] == first["run_id"]
    assert again["status"] == "pending"


async def test_a_repeated_request_with_another_body_is_a_conflict(driver: Driver) -> None:
    await driver.start(request_id="r1")
    refused = await driver.start(request_id="r1", business_key="another")
    assert refused.outcome == "request_id_conflict"
    assert refused["request_id"] == "r1"


async def test_another_request_is_a_second_start(driver: Driver) -> None:
    await driver.start(request_id="r1")
    assert (await driver.start(request_id="r2")).outcome == "instance_already_started"


async def test_no_request_id_never_equals_no_request_id(driver: Driver) -> None:
    await driver.start()
    assert (await driver.start()).outcome == "instance_already_started"


async def test_an_unknown_namespace_is_refused(driver: Driver) -> None:
    refused = await driver.start(namespace="nowhere")
    assert refused.outcome == "namespace_not_found"
    assert refused["namespace"] == "nowhere"


async def test_each_namespace_has_workflow_ids_of_its_own(driver: Driver, other_namespace: str) -> None:
    here = await driver.start()
    there = await driver.start(namespace=other_namespace)
    assert there.outcome == "started_new"
    assert there["run_id"] != here["run_id"]


async def test_the_input_reaches_the_worker_byte_for_byte(driver: Driver) -> None:
    await driver.start(input=envelope("Zürich 🚲"))
    claim = await driver.claim()
    assert f'"arguments":{text_of(envelope("Zürich 🚲"))}' in claim.text
