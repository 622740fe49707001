"""claim_activity_task: the first due activity that a worker can run, as a new attempt."""

from __future__ import annotations

from tests.engines.clock import Clock
from tests.transitions.commands import envelope, schedule, text_of
from tests.transitions.driver import LEASE_SECONDS, Driver, activity_task


async def test_a_claim_carries_the_activity_its_run_and_its_arguments(driver: Driver) -> None:
    run_id = await driver.begin(schedule(arguments=envelope("7 EUR")))
    claim = await driver.claim_activity()
    assert claim.body == {
        "task": {
            "task_id": f"{run_id}:a1",
            "namespace": "default",
            "workflow_id": "order-1",
            "run_id": run_id,
            "workflow_type": "order",
            "activity_execution_id": f"{run_id}:a1",
            "activity_attempt_id": f"{run_id}:a1.1",
            "attempt_number": 1,
            "activity_type": "charge",
            "payload_codec": "avro",
            "arguments": envelope("7 EUR"),
            "task_queue": "main",
            "lease_owner": "worker-1",
            "lease_expires_at": "2030-01-01T00:00:30.000000Z",
            "deadlines": {},
        },
        "poll_status": "leased",
    }


async def test_a_claim_names_its_deadlines_and_its_retry_policy(driver: Driver) -> None:
    command = schedule(start_to_close_timeout=60, schedule_to_close_timeout=300, heartbeat_timeout=5)
    command["retry_policy"] = text_of({"max_attempts": 3, "backoff_seconds": [1, 2]})
    await driver.begin(command, run_timeout_seconds=1000, execution_timeout_seconds=2000)
    claim = await driver.claim_activity()
    assert claim["task"]["deadlines"] == {
        "start_to_close": "2030-01-01T00:01:00.000000Z",
        "schedule_to_close": "2030-01-01T00:05:00.000000Z",
        "heartbeat": "2030-01-01T00:00:05.000000Z",
        "run": "2030-01-01T00:16:40.000000Z",
        "execution": "2030-01-01T00:33:20.000000Z",
    }
    assert claim["task"]["retry_policy"] == {"max_attempts": 3, "backoff_seconds": [1, 2]}


async def test_the_lease_outlasts_the_attempts_own_timeout(driver: Driver) -> None:
    await driver.begin(schedule(start_to_close_timeout=60))
    claim = await driver.claim_activity()
    assert claim["task"]["lease_expires_at"] == "2030-01-01T00:01:30.000000Z"


async def test_an_activity_without_arguments_has_null_ones(driver: Driver) -> None:
    command = schedule()
    command["fields"] = text_of({"activity_type": "charge", "queue": "main"})
    del command["arguments"]
    await driver.begin(command)
    assert (await driver.claim_activity())["task"]["arguments"] is None


async def test_a_claim_writes_no_history(driver: Driver) -> None:
    run_id = await driver.begin(schedule())
    await driver.claimed_activity()
    assert await driver.types(run_id) == ["WorkflowStarted", "ActivityScheduled"]


async def test_an_empty_queue_gives_nothing(driver: Driver) -> None:
    reply = await driver.claim_activity()
    assert reply.outcome == "empty"
    assert reply.body == {"task": None, "poll_status": "empty"}


async def test_a_running_activity_is_not_claimed_again(driver: Driver) -> None:
    await driver.begin(schedule())
    await driver.claimed_activity()
    assert (await driver.claim_activity()).outcome == "empty"


async def test_activities_are_claimed_by_the_priority_of_their_run_and_then_by_age(
    driver: Driver, clock: Clock
) -> None:
    for workflow_id, priority in (("old", 5), ("idle", 9), ("urgent", 0), ("young", 5)):
        await driver.begin(schedule(), schedule(), workflow_id=workflow_id, priority=priority)
        clock.advance(1)
    tasks = [await driver.claimed_activity() for _ in range(8)]
    names = [(task.body["workflow_id"], task.task_id[36:]) for task in tasks]
    assert names == [
        (workflow_id, position)
        for workflow_id in ("urgent", "old", "young", "idle")
        for position in (":a1", ":a2")
    ]


async def test_only_types_that_the_worker_knows_are_claimed(driver: Driver) -> None:
    await driver.begin(schedule("paint"), schedule("ship"))
    assert (await driver.claimed_activity()).body["activity_type"] == "ship"
    assert (await driver.claim_activity()).outcome == "empty"


async def test_an_activity_may_have_another_queue_than_its_workflow(driver: Driver) -> None:
    await driver.register("side", queue="side")
    await driver.start()
    reply = await driver.complete(await driver.claimed(), schedule(queue="side"))
    assert ["activity", "default", "side"] in reply.hints
    assert (await driver.claim_activity()).outcome == "empty"
    task = await driver.claimed_activity("side", task_queue="side")
    assert task.body["task_queue"] == "side"


async def test_an_activity_of_a_build_is_claimed_only_by_that_build(driver: Driver) -> None:
    await driver.register("new", build_id="b2")
    await driver.start(build_id="b2")
    await driver.complete(await driver.claimed("new"), schedule())
    assert (await driver.claim_activity()).outcome == "empty"
    await driver.claimed_activity("new")


async def test_polls_that_may_not_claim_are_refused(driver: Driver) -> None:
    await driver.register("built", build_id="b1")
    await driver.begin(schedule())
    replies = [
        await driver.claim_activity("stranger"),
        await driver.claim_activity(task_queue="side"),
        await driver.claim_activity("built", build_id="b2"),
        await driver.claim_activity(namespace="nowhere"),
    ]
    assert [reply.outcome for reply in replies] == [
        "worker_not_registered",
        "task_queue_mismatch",
        "build_id_mismatch",
        "namespace_not_found",
    ]


async def test_a_repeated_poll_gets_the_same_claim(driver: Driver) -> None:
    await driver.begin(schedule(), schedule())
    first = await driver.claim_activity(poll_request_id="p")
    again = await driver.claim_activity(poll_request_id="p")
    assert again.text == first.text


async def test_a_repeated_poll_gets_a_new_claim_once_the_first_is_completed(driver: Driver) -> None:
    await driver.begin(schedule(), schedule())
    first = activity_task(await driver.claim_activity(poll_request_id="p"))
    await driver.complete_activity(first)
    second = activity_task(await driver.claim_activity(poll_request_id="p"))
    assert second.task_id != first.task_id


async def test_workflow_and_activity_polls_do_not_share_request_ids(driver: Driver) -> None:
    await driver.begin(schedule())
    await driver.start("order-2")
    await driver.claimed(poll_request_id="p")
    assert (await driver.claimed_activity(poll_request_id="p")).attempt == 1


async def test_several_polls_of_one_call_are_answered_each_in_their_order(driver: Driver) -> None:
    await driver.register("worker-2")
    await driver.begin(schedule(), schedule("ship"))
    replies = await driver.claim_all_activities(
        driver.poll(), driver.poll("stranger"), driver.poll("worker-2"), driver.poll()
    )
    assert [reply.outcome for reply in replies] == ["leased", "worker_not_registered", "leased", "empty"]
    assert replies[0]["task"]["activity_type"] == "charge"
    assert replies[2]["task"]["activity_type"] == "ship"
    assert replies[2]["task"]["lease_owner"] == "worker-2"


async def test_a_retry_is_not_claimed_before_its_time(driver: Driver, clock: Clock) -> None:
    await driver.begin(schedule(max_attempts=2, backoff=(10,)))
    await driver.fail_activity(await driver.claimed_activity())
    clock.advance(9.999999)
    assert (await driver.claim_activity()).outcome == "empty"
    clock.advance(0.000001)
    assert (await driver.claimed_activity()).attempt == 2


async def test_an_activity_that_a_timeout_has_struck_is_not_claimed(driver: Driver, clock: Clock) -> None:
    await driver.begin(schedule(schedule_to_start_timeout=10), schedule("ship"))
    clock.advance(10)
    assert (await driver.claimed_activity()).body["activity_type"] == "ship"
    assert (await driver.claim_activity()).outcome == "empty"


async def test_the_lease_of_an_attempt_can_be_taken_up_again(driver: Driver, clock: Clock) -> None:
    await driver.begin(schedule())
    await driver.claimed_activity()
    clock.advance(LEASE_SECONDS)
    await driver.expire_leases()
    task = await driver.claimed_activity()
    assert task.attempt == 2
    assert task.attempt_id == f"{task.task_id}.2"


async def test_an_activity_with_the_longest_timeout_can_be_claimed(driver: Driver) -> None:
    """Its lease is longer still."""
    await driver.begin(schedule(start_to_close_timeout=2_147_483_647))
    assert (await driver.claim_activity()).outcome == "leased"
