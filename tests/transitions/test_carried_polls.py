"""Polls that a completion carries: claimed in its transaction, answered with it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engines.clock import Clock
from tests.transitions.commands import (
    complete_workflow,
    continue_as_new,
    schedule,
    side_effect,
    timer,
    wait,
)
from tests.transitions.conftest import Dump
from tests.transitions.driver import HOLD_SECONDS, LEASE_SECONDS, WORKER, Driver, WorkflowTask
from tests.transitions.merged import begin_held, got_activity, got_task, part, register_merging_worker
from tests.transitions.sticky import OTHER, boundaries, register_suffix_worker, retain, sticky_cache

EMPTY = {"task": None, "poll_status": "empty"}


@pytest.fixture(autouse=True)
async def _worker(driver: Driver) -> None:
    await register_merging_worker(driver)


# What a carried poll gets


async def test_a_completion_brings_the_next_workflow_task_of_the_queue(driver: Driver) -> None:
    await driver.start("order-1")
    await driver.start("order-2", priority=6)
    task = await driver.claimed()
    reply = await driver.complete(task, timer(60), carried={"workflow_poll": driver.poll()})
    assert reply.outcome == "completed"
    got = got_task(reply)
    assert got.body["workflow_id"] == "order-2"
    assert (await driver.complete(got, complete_workflow())).outcome == "completed"


async def test_a_completion_brings_the_activity_that_it_has_just_scheduled(driver: Driver) -> None:
    await driver.start()
    reply = await driver.complete(
        await driver.claimed(), schedule(), carried={"activity_poll": driver.poll()}
    )
    assert (await driver.complete_activity(got_activity(reply))).outcome == "completed"


async def test_both_polls_are_answered_at_once(driver: Driver) -> None:
    await driver.start("order-1")
    await driver.start("order-2", priority=6)
    carried = {"workflow_poll": driver.poll(), "activity_poll": driver.poll()}
    reply = await driver.complete(await driver.claimed(), schedule(), carried=carried)
    assert list(reply.body)[-2:] == ["workflow_poll", "activity_poll"]
    assert got_task(reply).body["workflow_id"] == "order-2"
    assert got_activity(reply).body["workflow_id"] == "order-1"


async def test_the_completion_of_an_activity_brings_the_task_that_it_made(driver: Driver) -> None:
    await driver.begin(schedule())
    carried = {"workflow_poll": driver.poll(), "activity_poll": driver.poll()}
    reply = await driver.complete_activity(await driver.claimed_activity(), carried=carried)
    assert got_task(reply).event_types[-1] == "ActivityCompleted"
    assert part(reply, "activity_poll") == EMPTY


@pytest.mark.parametrize("kind", ["workflow", "activity"])
async def test_what_it_gets_is_what_an_ordinary_poll_would_have_got(driver: Driver, kind: str) -> None:
    await driver.start("order-1")
    await driver.start("order-2", priority=1)
    await driver.start("order-3", priority=2)
    poll = driver.poll()
    reply = await driver.complete(await driver.claimed(), schedule(), carried={f"{kind}_poll": poll})
    claim = driver.claim if kind == "workflow" else driver.claim_activity
    assert (await claim(**poll)).body == part(reply, f"{kind}_poll")


async def test_nothing_is_got_where_there_is_nothing(driver: Driver) -> None:
    await driver.start()
    carried = {"workflow_poll": driver.poll(), "activity_poll": driver.poll()}
    reply = await driver.complete(await driver.claimed(), timer(60), carried=carried)
    assert part(reply, "workflow_poll") == part(reply, "activity_poll") == EMPTY


@pytest.mark.parametrize("command", [complete_workflow(), continue_as_new()], ids=["closed", "continued"])
async def test_a_completion_that_closes_its_run_brings_what_the_queue_has(
    driver: Driver, command: dict[str, Any]
) -> None:
    await driver.start("order-1")
    task = await driver.claimed()
    await driver.start("order-2", priority=0)
    reply = await driver.complete(task, command, carried={"workflow_poll": driver.poll()})
    assert got_task(reply).body["workflow_id"] == "order-2"


async def test_the_run_that_was_completed_goes_before_all_others(driver: Driver) -> None:
    await driver.begin(schedule(), workflow_id="order-1", priority=9)
    activity = await driver.claimed_activity()
    await driver.start("order-2", priority=0)
    reply = await driver.complete_activity(activity, carried={"workflow_poll": driver.poll()})
    assert got_task(reply).body["workflow_id"] == "order-1"


async def test_a_task_that_is_held_for_another_worker_is_left_to_it(driver: Driver) -> None:
    await register_merging_worker(driver, OTHER)
    await driver.start()
    await retain(driver, await driver.claimed(OTHER), schedule())
    await driver.claim(OTHER)
    reply = await driver.complete_activity(
        await driver.claimed_activity(), carried={"workflow_poll": driver.poll()}
    )
    assert part(reply, "workflow_poll") == EMPTY
    assert reply.hints[-1][0] == "held"
    assert boundaries(await driver.claimed(OTHER)) == ("sticky_hit_expected", 1, 3, [2, 3])


async def test_a_task_that_was_held_for_its_worker_is_got_with_its_suffix(driver: Driver) -> None:
    await driver.start()
    await retain(driver, await driver.claimed(), schedule())
    await driver.claim()
    reply = await driver.complete_activity(
        await driver.claimed_activity(), carried={"workflow_poll": driver.poll()}
    )
    assert boundaries(got_task(reply)) == ("sticky_hit_expected", 1, 3, [2, 3])


async def test_a_task_of_a_type_that_the_worker_does_not_have_is_left(driver: Driver) -> None:
    await driver.register(OTHER, workflow_types=("other",), merged_transitions=True)
    await driver.begin(schedule())
    reply = await driver.complete_activity(
        await driver.claimed_activity(OTHER), carried={"workflow_poll": driver.poll(OTHER)}
    )
    assert part(reply, "workflow_poll") == EMPTY
    assert (await driver.claim()).outcome == "leased"


@pytest.mark.parametrize("kind", ["workflow", "activity"])
@pytest.mark.parametrize(
    ("members", "reason"),
    [({"task_queue": "other"}, "task_queue_mismatch"), ({"build_id": "b2"}, "build_id_mismatch")],
)
async def test_a_poll_that_may_not_claim_is_rejected_and_the_completion_stands(
    driver: Driver, kind: str, members: dict[str, Any], reason: str
) -> None:
    await register_merging_worker(driver, build_id="b1")
    await driver.start("order-1")
    await driver.start("order-2", priority=6)
    reply = await driver.complete(
        await driver.claimed(), schedule(), carried={f"{kind}_poll": driver.poll(**members)}
    )
    assert reply.outcome == "completed"
    answer = part(reply, f"{kind}_poll")
    assert (answer["task"], answer["poll_status"], answer["reason"]) == (None, "rejected", reason)


# Hints


async def test_nobody_is_woken_for_what_was_taken(driver: Driver) -> None:
    await driver.start()
    task = await driver.claimed()
    carried = {"activity_poll": driver.poll()}
    reply = await driver.complete(task, schedule(), schedule("ship"), carried=carried)
    assert reply.hints == [["run", task.run_id], ["activity", "default", "main"]]
    reply = await driver.complete_activity(got_activity(reply), carried={"workflow_poll": driver.poll()})
    assert got_task(reply).run_id == task.run_id
    assert reply.hints == [["run", task.run_id]]


async def test_somebody_is_woken_for_what_was_left(driver: Driver, clock: Clock) -> None:
    await driver.begin(schedule(), workflow_id="order-1")
    await driver.start("order-2")
    task = await driver.claimed()
    clock.advance(1)
    reply = await driver.complete(task, schedule(), carried={"activity_poll": driver.poll()})
    assert got_activity(reply).body["workflow_id"] == "order-1"
    assert ["activity", "default", "main"] in reply.hints


# Who may carry


@pytest.mark.parametrize("kind", ["workflow", "activity"])
async def test_a_worker_without_the_capability_is_refused_and_nothing_is_written(
    driver: Driver, dump: Dump, kind: str
) -> None:
    await register_suffix_worker(driver)
    await driver.begin(schedule())
    await driver.start("order-2", priority=6)
    task, activity = await driver.claimed(), await driver.claimed_activity()
    before = dump()
    if kind == "workflow":
        reply = await driver.complete(task, timer(60), carried={"workflow_poll": driver.poll()})
        assert reply["task_id"] == task.task_id
    else:
        reply = await driver.complete_activity(activity, carried={"activity_poll": driver.poll()})
        assert reply["activity_attempt_id"] == activity.attempt_id
    assert reply.outcome == "worker_capability_not_supported"
    assert (reply["capability"], reply["recorded"]) == ("merged_transitions", False)
    assert dump() == before


async def test_the_fence_goes_before_the_capability(driver: Driver, clock: Clock) -> None:
    await register_suffix_worker(driver)
    await driver.start()
    task = await driver.claimed()
    clock.advance(LEASE_SECONDS)
    reply = await driver.complete(task, timer(60), carried={"workflow_poll": driver.poll()})
    assert reply.outcome == "lease_expired"


async def test_a_completion_that_is_refused_claims_nothing(driver: Driver) -> None:
    await driver.start("order-1")
    await driver.start("order-2", priority=6)
    task = await driver.claimed()
    claim = {**sticky_cache(task, 1), "run_id": "another"}
    reply = await driver.complete(task, timer(60), sticky=claim, carried={"workflow_poll": driver.poll()})
    assert reply.outcome == "sticky_cache_identity_mismatch"
    assert (await driver.claimed()).body["workflow_id"] == "order-2"


# Repeats


async def test_a_repeated_completion_gets_the_same_tasks_and_no_others(driver: Driver) -> None:
    for number in range(3):
        await driver.start(f"order-{number}", priority=number)
    task = await driver.claimed()
    carried = {"workflow_poll": driver.poll(), "activity_poll": driver.poll(history_after_sequence=1)}
    commands, cache = (schedule(), schedule()), sticky_cache(task, 1)
    first = await driver.complete(task, *commands, sticky=cache, carried=carried)
    assert part(first, "activity_poll")["history_tail"]["last_sequence"] == 3
    again = await driver.complete(task, *commands, sticky=cache, carried=carried)
    assert again.text == first.text
    assert again.hints == []
    assert (await driver.claimed()).body["workflow_id"] == "order-2"


async def test_a_repeat_of_an_activity_completion_gets_the_same_tasks(driver: Driver) -> None:
    await driver.begin(schedule(), schedule())
    activity = await driver.claimed_activity()
    carried = {"workflow_poll": driver.poll(), "activity_poll": driver.poll()}
    first = await driver.complete_activity(activity, carried=carried)
    assert got_task(first)
    assert got_activity(first)
    again = await driver.complete_activity(activity, carried=carried)
    assert again.text == first.text


async def test_a_repeat_after_the_leases_gets_nothing(driver: Driver, clock: Clock) -> None:
    await driver.start("order-1")
    await driver.start("order-2", priority=6)
    task = await driver.claimed()
    carried = {"workflow_poll": driver.poll(), "activity_poll": driver.poll(history_after_sequence=1)}
    await driver.complete(task, schedule(), carried=carried)
    clock.advance(LEASE_SECONDS)
    again = await driver.complete(task, schedule(), carried=carried)
    assert again.outcome == "completed"
    assert part(again, "workflow_poll") == part(again, "activity_poll") == EMPTY


async def test_a_repeat_that_carries_something_else_is_refused(driver: Driver, dump: Dump) -> None:
    await driver.start("order-1")
    await driver.start("order-2", priority=6)
    task = await driver.claimed()
    await driver.complete(task, timer(60), carried={"workflow_poll": driver.poll()})
    before = dump()
    for carried in (None, {"workflow_poll": driver.poll()}):
        assert (await driver.complete(task, timer(60), carried=carried)).outcome == "conflicting_completion"
    assert dump() == before


async def test_a_poll_id_that_has_a_claim_already_gets_that_claim(driver: Driver) -> None:
    for number in range(3):
        await driver.start(f"order-{number}", priority=number)
    poll = driver.poll()
    task = await driver.claimed()
    held = await driver.claim(**poll)
    reply = await driver.complete(task, timer(60), carried={"workflow_poll": poll})
    assert part(reply, "workflow_poll") == held.body


# The tail of the history


async def test_a_worker_that_holds_the_run_gets_the_rest_of_its_history(driver: Driver) -> None:
    task, activity, last = await begin_held(driver, side_effect(), schedule())
    assert last == 3
    assert activity.body["run_id"] == task.run_id
    page = await driver.read_history(task.run_id)
    assert [event["sequence"] for event in page["events"]] == [1, 2, 3]


async def test_the_tail_has_the_events_word_for_word(driver: Driver) -> None:
    await driver.start()
    task = await driver.claimed()
    carried = {"activity_poll": driver.poll(history_after_sequence=1)}
    reply = await driver.complete(
        task, side_effect(), schedule(), sticky=sticky_cache(task, 1), carried=carried
    )
    tail = part(reply, "activity_poll")["history_tail"]
    events = (await driver.read_history(task.run_id))["events"]
    assert (tail["after_sequence"], tail["last_sequence"]) == (1, 3)
    assert [event["payload"] for event in tail["events"]] == [event["payload"] for event in events[1:]]


async def test_a_tail_counts_as_delivered(driver: Driver) -> None:
    _, activity, last = await begin_held(driver)
    assert last == 2
    await driver.complete_activity(activity)
    task = await driver.claimed()
    assert boundaries(task) == ("sticky_hit_expected", 1, 3, [2, 3])
    await retain(driver, task, wait())
    await driver.signal()
    assert boundaries(await driver.claimed())[:3] == ("sticky_hit_expected", 3, 5)


async def _with_activity_waiting(driver: Driver, **start: Any) -> WorkflowTask:
    """The first task of order-2, while an activity of order-1 waits."""
    await driver.begin(schedule(), workflow_id="order-1", **start)
    await driver.start("order-2")
    return await driver.claimed()


async def test_a_worker_that_holds_the_run_goes_on_with_it_first(driver: Driver, clock: Clock) -> None:
    task = await _with_activity_waiting(driver)
    clock.advance(1)
    poll = driver.poll(history_after_sequence=1)
    reply = await driver.complete(
        task, schedule("ship"), schedule(), sticky=sticky_cache(task, 1), carried={"activity_poll": poll}
    )
    got = got_activity(reply)
    assert (got.body["run_id"], got.body["activity_type"]) == (task.run_id, "ship")
    assert (await driver.claimed_activity()).body["workflow_id"] == "order-1"


@pytest.mark.parametrize("case", ["higher_priority", "not_asked", "not_its_type", "not_its_queue"])
async def test_otherwise_it_gets_what_has_waited(driver: Driver, clock: Clock, case: str) -> None:
    await register_merging_worker(driver, activity_types=("charge",))
    task = await _with_activity_waiting(driver, priority=4 if case == "higher_priority" else 5)
    clock.advance(1)
    kind = "ship" if case == "not_its_type" else "charge"
    command = schedule(kind, queue="other" if case == "not_its_queue" else "main")
    asked: dict[str, Any] = {} if case == "not_asked" else {"history_after_sequence": 1}
    reply = await driver.complete(
        task, command, sticky=sticky_cache(task, 1), carried={"activity_poll": driver.poll(**asked)}
    )
    assert got_activity(reply).body["workflow_id"] == "order-1"
    assert "history_tail" not in part(reply, "activity_poll")


async def test_what_an_earlier_task_has_scheduled_waits_its_turn(driver: Driver, clock: Clock) -> None:
    await driver.start("order-2")
    task = await driver.claimed()
    await retain(driver, task, schedule(), schedule())
    clock.advance(1)
    await driver.begin(schedule(), workflow_id="order-1")
    first = await driver.claimed_activity()
    assert first.body["workflow_id"] == "order-2"
    clock.advance(1)
    poll = driver.poll(history_after_sequence=1)
    reply = await driver.complete_activity(first, carried={"activity_poll": poll})
    assert got_activity(reply).body["workflow_id"] == "order-2"
    reply = await driver.complete_activity(got_activity(reply), carried={"activity_poll": poll})
    assert got_activity(reply).body["workflow_id"] == "order-1"


async def test_there_is_no_tail_for_an_activity_of_another_run(driver: Driver) -> None:
    await driver.begin(schedule(), workflow_id="order-1", priority=0)
    await driver.start("order-2", priority=6)
    task = await driver.claimed()
    reply = await driver.complete(
        task,
        schedule(),
        sticky=sticky_cache(task, 1),
        carried={"activity_poll": driver.poll(history_after_sequence=1)},
    )
    assert got_activity(reply).body["workflow_id"] == "order-1"
    assert "history_tail" not in part(reply, "activity_poll")


@pytest.mark.parametrize("case", ["not_asked", "nothing_kept", "beyond_what_was_delivered", "too_long"])
async def test_there_is_no_tail(driver: Driver, case: str) -> None:
    await driver.start()
    task = await driver.claimed()
    after: dict[str, Any] = {"not_asked": {}, "beyond_what_was_delivered": {"history_after_sequence": 2}}
    effects = [side_effect()] * (500 if case == "too_long" else 1)
    reply = await driver.complete(
        task,
        *effects,
        schedule(),
        sticky=None if case == "nothing_kept" else sticky_cache(task, 1),
        carried={"activity_poll": driver.poll(**after.get(case, {"history_after_sequence": 1}))},
    )
    assert got_activity(reply)
    assert "history_tail" not in part(reply, "activity_poll")


async def test_a_tail_of_a_page_is_given(driver: Driver) -> None:
    _, _, last = await begin_held(driver, *[side_effect()] * 499, schedule())
    assert last == 501


async def test_a_worker_that_holds_nothing_gets_no_tail_of_what_another_holds(driver: Driver) -> None:
    await register_merging_worker(driver, OTHER)
    await driver.start()
    task = await driver.claimed()
    await retain(driver, task, schedule(), schedule())
    first = await driver.claimed_activity(OTHER)
    poll = driver.poll(OTHER, history_after_sequence=1)
    reply = await driver.complete_activity(first, carried={"activity_poll": poll})
    assert got_activity(reply).body["run_id"] == task.run_id
    assert "history_tail" not in part(reply, "activity_poll")


async def test_an_affinity_that_is_over_gives_no_tail(driver: Driver, clock: Clock) -> None:
    await driver.start()
    task = await driver.claimed()
    await driver.complete(task, schedule(), schedule(), sticky=sticky_cache(task, 1, ttl_seconds=1))
    first = await driver.claimed_activity()
    clock.advance(1)
    reply = await driver.complete_activity(
        first, carried={"activity_poll": driver.poll(history_after_sequence=1)}
    )
    assert got_activity(reply)
    assert "history_tail" not in part(reply, "activity_poll")


async def test_registering_again_gives_no_tail(driver: Driver) -> None:
    await driver.start()
    await retain(driver, await driver.claimed(), schedule(), schedule())
    await register_merging_worker(driver)
    first = await driver.claimed_activity()
    reply = await driver.complete_activity(
        first, carried={"activity_poll": driver.poll(history_after_sequence=1)}
    )
    assert got_activity(reply)
    assert "history_tail" not in part(reply, "activity_poll")


async def test_a_carried_poll_vouches_for_its_worker(driver: Driver, clock: Clock) -> None:
    await driver.start("order-1")
    await driver.start("order-2", priority=6)
    task = await driver.claimed()
    clock.advance(HOLD_SECONDS)
    await driver.heartbeat_worker()
    carried = {"workflow_poll": driver.poll(polling_seconds=60)}
    reply = await driver.complete(task, schedule(), sticky=sticky_cache(task, 1), carried=carried)
    assert got_task(reply)
    clock.advance(20)
    await driver.register(OTHER, merged_transitions=True)
    held = await driver.complete_activity(await driver.claimed_activity(OTHER))
    assert held.hints[-1][:4] == ["held", "default", "main", WORKER]
