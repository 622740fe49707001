"""Identifiers: compared byte by byte, on every engine."""

from __future__ import annotations

import pytest

from tests.engines.clock import Clock
from tests.transitions.commands import registration, schedule, text_of, wait
from tests.transitions.driver import Driver

LOOKALIKES = [
    ("name", "Name"),
    ("name", "name "),
    ("caf\u00e9", "cafe\u0301"),
    ("stra\u00dfe", "strasse"),
    ("a", "a\u200b"),
]
"""Pairs that some collation takes for the same."""

ODD_NAMES = [
    "\U0001f6b2" * 63 + "xyz",
    "'; drop table runs; -- %s {} ? :name $1",
    '"quoted" \\ back\\slash \u2028',
    "null",
]


@pytest.fixture(params=LOOKALIKES, ids=lambda pair: f"{pair[0]!a} {pair[1]!a}")
def pair(request: pytest.FixtureRequest) -> tuple[str, str]:
    """Two names that are not the same."""
    names: tuple[str, str] = request.param
    return names


@pytest.fixture(params=ODD_NAMES, ids=ascii)
def odd(request: pytest.FixtureRequest) -> str:
    """A name that has to be quoted, escaped or measured with care."""
    name: str = request.param
    return name


async def test_workflow_ids_that_look_alike_are_different_workflows(
    driver: Driver, pair: tuple[str, str]
) -> None:
    first, second = pair
    await driver.start(first)
    assert (await driver.describe(second)).outcome == "instance_not_found"
    assert (await driver.start(second)).outcome == "started_new"


async def test_queues_that_look_alike_are_different_queues(driver: Driver, pair: tuple[str, str]) -> None:
    first, second = pair
    await driver.register("first", queue=first)
    await driver.register("second", queue=second)
    await driver.start(queue=first)
    assert (await driver.claim("second", task_queue=first)).outcome == "task_queue_mismatch"
    assert (await driver.claim("second", task_queue=second)).outcome == "empty"
    assert (await driver.claim("first", task_queue=first)).outcome == "leased"


async def test_types_that_look_alike_are_different_types(driver: Driver, pair: tuple[str, str]) -> None:
    first, second = pair
    await driver.register("first", workflow_types=(first,), activity_types=(first,))
    await driver.register("second", workflow_types=(second,), activity_types=(second,))
    await driver.start(workflow_type=first)
    assert (await driver.claim("second")).outcome == "empty"
    assert [len((await driver.list_runs(workflow_type=name))["workflows"]) for name in pair] == [1, 0]
    await driver.complete(await driver.claimed("first"), schedule(first))
    assert (await driver.claim_activity("second")).outcome == "empty"
    assert (await driver.claim_activity("first")).outcome == "leased"


async def test_workers_that_look_alike_are_different_workers(driver: Driver, pair: tuple[str, str]) -> None:
    first, second = pair
    await driver.register(first)
    assert (await driver.claim(second)).outcome == "worker_not_registered"
    assert (await driver.heartbeat_worker(second)).outcome == "worker_not_registered"
    await driver.register(second)
    await driver.start()
    await driver.claimed(first, poll_request_id="p")
    assert (await driver.claim(second, poll_request_id="p")).outcome == "empty"


async def test_builds_that_look_alike_are_different_builds(driver: Driver, pair: tuple[str, str]) -> None:
    first, second = pair
    await driver.register("first", build_id=first)
    await driver.register("second", build_id=second)
    await driver.start(build_id=first)
    assert (await driver.claim("second")).outcome == "empty"
    assert (await driver.claim("first", build_id=second)).outcome == "build_id_mismatch"
    await driver.claimed("first", build_id=first)


async def test_requests_that_look_alike_are_different_requests(driver: Driver, pair: tuple[str, str]) -> None:
    first, second = pair
    run_id = await driver.begin(wait(), request_id=first)
    assert (await driver.start(request_id=second)).outcome == "instance_already_started"
    await driver.signal(request_id=first)
    await driver.signal(request_id=second)
    assert len(await driver.events(run_id, "SignalReceived")) == 2
    task = await driver.claimed(poll_request_id=first)
    assert (await driver.claim(poll_request_id=second)).outcome == "empty"
    assert (await driver.claimed(poll_request_id=first)).task_id == task.task_id


async def test_waits_that_look_alike_are_different_waits(driver: Driver, pair: tuple[str, str]) -> None:
    first, second = pair
    run_id = await driver.begin(schedule(), wait(first))
    await driver.complete_activity(await driver.claimed_activity())
    await driver.advance(wait(second))
    assert (await driver.types(run_id))[4:] == ["ConditionWaitSatisfied", "ConditionWaitOpened"]


async def test_error_types_that_look_alike_are_different_types(driver: Driver, pair: tuple[str, str]) -> None:
    first, second = pair
    await driver.begin(schedule(max_attempts=5, non_retryable=(first,)))
    assert (await driver.fail_activity(await driver.claimed_activity(), type=second)).outcome == (
        "retry_scheduled"
    )
    assert (await driver.fail_activity(await driver.claimed_activity(), type=first)).outcome == "failed"


async def test_any_name_serves_as_every_identifier(driver: Driver, clock: Clock, odd: str) -> None:
    await driver.register(
        odd, queue=odd, workflow_types=(odd,), activity_types=(odd,), build_id=odd, fingerprints={odd: odd}
    )
    started = await driver.start(
        odd,
        workflow_type=odd,
        queue=odd,
        request_id=odd,
        build_id=odd,
        business_key=odd,
        fairness_key=odd,
    )
    assert started["workflow_id"] == odd
    task = await driver.claimed(odd, task_queue=odd, build_id=odd, poll_request_id=odd)
    assert (task.lease_owner, task.body["workflow_type"]) == (odd, odd)
    await driver.complete(task, schedule(odd, queue=odd), wait(odd))
    await driver.signal(odd, odd, request_id=odd)
    activity = await driver.claimed_activity(odd, task_queue=odd, poll_request_id=odd)
    assert activity.body["activity_type"] == odd
    await driver.heartbeat_activity(activity)
    await driver.complete_activity(activity)
    await driver.cancel(odd, request_id=odd, reason=odd)
    described = await driver.describe(odd)
    assert (described["business_key"], described["compatibility"]) == (odd, odd)
    for event_type in ("SignalReceived", "SignalRejected"):
        assert (await driver.events(started["run_id"], event_type, odd))[0]["signal_name"] == odd
    assert (await driver.events(started["run_id"], "WorkflowCancelled", odd))[0]["reason"] == odd


async def test_hints_name_queues_as_they_are(driver: Driver, odd: str) -> None:
    started = await driver.start(queue=odd)
    assert ["workflow", "default", odd] in started.hints
    assert await driver.probe(["workflow", "default", odd]) == [["workflow", "default", odd]]


async def test_a_definition_is_compared_byte_by_byte(driver: Driver, pair: tuple[str, str]) -> None:
    first, second = pair
    await driver.register(fingerprints={"order": first})
    assert (await driver.register(fingerprints={"order": second})).outcome == "workflow_definition_changed"
    assert (await driver.register(fingerprints={"order": first})).outcome == "registered"


async def test_a_registration_is_answered_as_it_was_said(driver: Driver, odd: str) -> None:
    document = registration(build_id=odd)
    reply = await driver.register("worker-2", build_id=odd)
    assert f'"capability_manifest":{text_of(document["capability_manifest"])}' in reply.text
    assert reply["build_id"] == odd
