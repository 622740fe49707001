"""claim_workflow_task: the first due task that a worker can run, once."""

from __future__ import annotations

from tests.engines.clock import Clock
from tests.transitions.commands import complete_workflow, schedule, timer, wait
from tests.transitions.driver import LEASE_SECONDS, Driver, workflow_task


async def test_a_claim_carries_the_run_its_input_and_its_history(driver: Driver) -> None:
    started = await driver.start()
    claim = await driver.claim()
    task = claim["task"]
    assert claim["poll_status"] == "leased"
    assert task["task_kind"] == "workflow"
    assert task["namespace"] == "default"
    assert task["workflow_id"] == "order-1"
    assert task["run_id"] == started["run_id"]
    assert task["workflow_type"] == "order"
    assert task["task_queue"] == "main"
    assert task["payload_codec"] == "avro"
    assert task["arguments"] == {"codec": "avro", "blob": "input"}
    assert task["workflow_task_attempt"] == 1
    assert task["lease_owner"] == "worker-1"
    assert task["lease_expires_at"] == "2030-01-01T00:00:30.000000Z"
    assert task["run_status"] == "pending"
    assert task["cancel_requested"] is False
    assert [event["event_type"] for event in task["history_events"]] == ["WorkflowStarted"]
    assert task["next_history_page_token"] is None
    assert task["last_history_sequence"] == task["total_history_events"] == 1


async def test_an_empty_queue_gives_nothing(driver: Driver) -> None:
    reply = await driver.claim()
    assert reply.outcome == "empty"
    assert reply.body == {"task": None, "poll_status": "empty"}
    assert reply.hints == []


async def test_a_leased_task_is_not_claimed_again(driver: Driver) -> None:
    await driver.start()
    await driver.claimed()
    assert (await driver.claim()).outcome == "empty"


async def test_tasks_are_claimed_by_priority_and_then_by_age(driver: Driver, clock: Clock) -> None:
    for workflow_id, priority in (("old", 5), ("older-but-idle", 9), ("urgent", 0), ("young", 5)):
        await driver.start(workflow_id, priority=priority)
        clock.advance(1)
    claimed = [(await driver.claimed()).body["workflow_id"] for _ in range(4)]
    assert claimed == ["urgent", "old", "young", "older-but-idle"]


async def test_only_types_that_the_worker_knows_are_claimed(driver: Driver) -> None:
    await driver.start("unknown", workflow_type="refund")
    await driver.start("known")
    assert (await driver.claimed()).body["workflow_id"] == "known"
    assert (await driver.claim()).outcome == "empty"


async def test_a_queue_is_claimed_only_by_its_own_workers(driver: Driver) -> None:
    await driver.register("elsewhere", queue="side")
    await driver.start()
    assert (await driver.claim("elsewhere", task_queue="side")).outcome == "empty"
    await driver.claimed()


async def test_a_run_of_a_build_is_claimed_only_by_that_build(driver: Driver) -> None:
    await driver.register("old", build_id="b1")
    await driver.register("new", build_id="b2")
    await driver.start(build_id="b2")
    assert (await driver.claim()).outcome == "empty"
    assert (await driver.claim("old")).outcome == "empty"
    assert (await driver.claimed("new", build_id="b2")).body["workflow_id"] == "order-1"


async def test_a_run_of_no_build_is_claimed_by_any_build(driver: Driver) -> None:
    await driver.register("new", build_id="b2")
    await driver.start()
    await driver.claimed("new", build_id="b2")


async def test_an_unknown_worker_is_refused(driver: Driver) -> None:
    await driver.start()
    refused = await driver.claim("stranger")
    assert refused.outcome == "worker_not_registered"
    assert refused["task"] is None
    assert refused["poll_status"] == "rejected"
    assert refused["worker_id"] == "stranger"


async def test_a_worker_of_another_queue_is_refused(driver: Driver) -> None:
    assert (await driver.claim(task_queue="side")).outcome == "task_queue_mismatch"


async def test_a_poll_of_another_build_than_registered_is_refused(driver: Driver) -> None:
    await driver.register("new", build_id="b2")
    assert (await driver.claim("new", build_id="b3")).outcome == "build_id_mismatch"


async def test_an_unknown_namespace_is_refused(driver: Driver) -> None:
    refused = await driver.claim(namespace="nowhere")
    assert refused.outcome == "namespace_not_found"


async def test_refusals_are_the_same_when_something_is_due(driver: Driver) -> None:
    await driver.start(queue="side")
    await driver.start("order-2")
    assert (await driver.claim(task_queue="side")).outcome == "task_queue_mismatch"
    assert (await driver.claim("stranger")).outcome == "worker_not_registered"


async def test_a_repeated_poll_gets_the_same_claim(driver: Driver) -> None:
    await driver.start()
    await driver.start("order-2")
    first = await driver.claim(poll_request_id="p")
    again = await driver.claim(poll_request_id="p")
    assert again.outcome == "leased"
    assert again.text == first.text


async def test_a_repeated_poll_gets_its_claim_also_when_nothing_else_is_due(driver: Driver) -> None:
    await driver.start()
    first = await driver.claim(poll_request_id="p")
    again = await driver.claim(poll_request_id="p")
    assert again.text == first.text


async def test_a_repeated_poll_gets_a_new_claim_once_the_first_is_completed(
    driver: Driver, clock: Clock
) -> None:
    first = await driver.start()
    clock.advance(1)
    second = await driver.start("order-2")
    claim = workflow_task(await driver.claim(poll_request_id="p"))
    assert claim.run_id == first["run_id"]
    await driver.complete(claim, complete_workflow())
    assert workflow_task(await driver.claim(poll_request_id="p")).run_id == second["run_id"]


async def test_a_poll_request_belongs_to_its_worker(driver: Driver) -> None:
    await driver.register("worker-2")
    await driver.start()
    await driver.claimed(poll_request_id="p")
    assert (await driver.claim("worker-2", poll_request_id="p")).outcome == "empty"


async def test_a_repeated_poll_does_not_get_a_claim_whose_lease_has_expired(
    driver: Driver, clock: Clock
) -> None:
    await driver.start()
    await driver.claimed(poll_request_id="p")
    clock.advance(LEASE_SECONDS)
    assert (await driver.claim(poll_request_id="p")).outcome == "empty"


async def test_several_polls_of_one_call_are_answered_each_in_their_order(
    driver: Driver, clock: Clock
) -> None:
    await driver.register("worker-2")
    await driver.start()
    clock.advance(1)
    await driver.start("order-2")
    replies = await driver.claim_all(
        driver.poll(), driver.poll("stranger"), driver.poll("worker-2"), driver.poll()
    )
    assert [reply.outcome for reply in replies] == ["leased", "worker_not_registered", "leased", "empty"]
    assert [reply["task"]["workflow_id"] for reply in replies if reply.outcome == "leased"] == [
        "order-1",
        "order-2",
    ]
    assert replies[2]["task"]["lease_owner"] == "worker-2"


async def test_a_call_may_repeat_one_poll_beside_a_new_one(driver: Driver) -> None:
    await driver.start()
    first = await driver.claim(poll_request_id="p")
    await driver.start("order-2")
    repeated, new = await driver.claim_all(driver.poll(poll_request_id="p"), driver.poll())
    assert repeated.text == first.text
    assert new["task"]["workflow_id"] == "order-2"


async def test_a_task_is_not_claimed_before_its_time(driver: Driver, clock: Clock) -> None:
    await driver.start()
    await driver.fail(await driver.claimed())
    assert (await driver.claim()).outcome == "empty"
    clock.advance(0.999999)
    assert (await driver.claim()).outcome == "empty"
    clock.advance(0.000001)
    assert (await driver.claimed()).attempt == 2


async def test_the_task_of_a_run_past_its_deadline_is_not_claimed(driver: Driver, clock: Clock) -> None:
    await driver.start(run_timeout_seconds=10)
    clock.advance(10)
    assert (await driver.claim()).outcome == "empty"
    await driver.enforce_timeouts()


async def test_a_task_past_a_deadline_does_not_hide_those_behind_it(driver: Driver, clock: Clock) -> None:
    await driver.start("late", run_timeout_seconds=10)
    clock.advance(10)
    await driver.start("punctual")
    assert (await driver.claimed()).body["workflow_id"] == "punctual"


async def test_the_first_page_of_history_has_the_size_that_was_asked_for(driver: Driver) -> None:
    await driver.begin(timer(0), timer(0), schedule())
    await driver.fire_timers()
    task = await driver.claimed(page_size=2)
    assert task.event_types == ["WorkflowStarted", "TimerScheduled"]
    page = await driver.read_page(task, after=2, page_size=500)
    assert len(page["history_events"]) == 4
    assert page["next_history_page_token"] is None


async def test_a_continued_conversation_carries_the_whole_history_again(driver: Driver) -> None:
    await driver.begin(wait())
    await driver.signal()
    task = await driver.claimed()
    assert task.event_types == ["WorkflowStarted", "ConditionWaitOpened", "SignalReceived"]
    assert task.attempt == 1
    assert task.body["run_status"] == "waiting"
    assert task.task_id == f"{task.run_id}:k3"
