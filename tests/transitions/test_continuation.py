"""A continuation: the workflow task that an activity's completion makes, answered in the same transaction."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.engines.clock import Clock
from tests.transitions.commands import (
    complete_workflow,
    continue_as_new,
    fail_workflow,
    group,
    local_activity,
    schedule,
    side_effect,
    timer,
    wait,
)
from tests.transitions.conftest import Dump
from tests.transitions.driver import (
    LEASE_SECONDS,
    STALE_SECONDS,
    ActivityTask,
    Driver,
    Reply,
    WorkflowTask,
)
from tests.transitions.merged import (
    begin_held,
    continuation,
    got_activity,
    got_task,
    part,
    register_merging_worker,
)
from tests.transitions.sticky import OTHER, boundaries, retain, sticky_cache

Document = dict[str, Any]
EMPTY = {"task": None, "poll_status": "empty"}


@pytest.fixture(autouse=True)
async def _worker(driver: Driver) -> None:
    await register_merging_worker(driver)


def _applied(reply: Reply) -> Document:
    answer = part(reply, "continuation")
    assert (answer["outcome"], answer["reason"]) == ("applied", None), answer
    return answer


def _refused(reply: Reply) -> str:
    assert reply.outcome == "completed", reply
    answer = part(reply, "continuation")
    assert (answer["outcome"], set(answer)) == ("refused", {"outcome", "reason"}), answer
    reason: str = answer["reason"]
    return reason


async def _continue(
    driver: Driver,
    activity: ActivityTask,
    basis: int,
    *commands: Document,
    sticky: Document | None = None,
    **polls: Document,
) -> Reply:
    carried = {"continuation": continuation(basis, *commands, sticky=sticky), **polls}
    return await driver.complete_activity(activity, carried=carried)


async def _types(driver: Driver, run_id: str, workflow_id: str = "order-1") -> list[str]:
    page = await driver.read_history(run_id, workflow_id)
    return [event["event_type"] for event in page["events"]]


# Applied


async def test_one_call_completes_the_activity_and_the_task_that_it_makes(driver: Driver) -> None:
    task, activity, basis = await begin_held(driver)
    reply = await _continue(driver, activity, basis, schedule("ship"))
    assert reply.outcome == "completed"
    assert _applied(reply) == {
        "outcome": "applied",
        "reason": None,
        "task_id": f"{task.run_id}:k3",
        "run_status": "waiting",
        "history_last_sequence": 4,
    }
    assert await _types(driver, task.run_id) == [
        "WorkflowStarted",
        "ActivityScheduled",
        "ActivityCompleted",
        "ActivityScheduled",
    ]
    assert (await driver.claim()).outcome == "empty"
    assert (await driver.claimed_activity()).body["activity_type"] == "ship"


@pytest.mark.parametrize(
    "commands",
    [
        [schedule("ship")],
        [schedule("ship"), schedule("charge")],
        [timer(60)],
        [timer(0), side_effect()],
        [side_effect(), local_activity(), timer(60)],
        group(schedule(), timer(60), base=2),
        [complete_workflow()],
        [side_effect(), fail_workflow()],
    ],
    ids=["activity", "activities", "timer", "mixed", "local", "group", "complete", "fail"],
)
@pytest.mark.parametrize("keeps", [True, False], ids=["kept", "not_kept"])
async def test_it_leaves_what_two_calls_leave(
    driver: Driver, dump: Dump, commands: list[Document], keeps: bool
) -> None:
    task, activity, basis = await begin_held(driver)
    cache = sticky_cache(task, basis) if keeps else None
    _applied(await _continue(driver, activity, basis, *commands, sticky=cache))
    merged = _of_run(dump(), task.run_id)

    await driver.claim_all_activities(driver.poll(), driver.poll())
    other, activity, basis = await begin_held(driver, workflow_id="order-2")
    await driver.complete_activity(activity)
    late = await driver.claimed()
    cache = sticky_cache(late, basis) if keeps else None
    assert (await driver.complete(late, *commands, sticky=cache)).outcome == "completed"
    separate = _of_run(dump(), other.run_id)
    assert merged == {
        table: [row.replace("order-2", "order-1") for row in rows] for table, rows in separate.items()
    }


def _of_run(tables: Any, run_id: str) -> dict[str, list[str]]:
    """The run's rows, without its id, and without what a second claim may differ in."""
    found: dict[str, list[str]] = {}
    for table, rows in tables.items():
        if table in ("receipts", "sticky_counts", "worker_liveness"):
            continue
        texts = [json.dumps(_comparable(table, row), default=str) for row in rows]
        found[table] = sorted(text.replace(run_id, "RUN") for text in texts if run_id in text)
    return found


def _comparable(table: str, row: Any) -> Any:
    # The claim of two calls delivers the result, too.
    own = {"activities": "poll_request_id", "affinities": "delivered_sequence"}.get(table)
    return {name: value for name, value in dict(row).items() if name != own}


async def test_a_run_goes_on_from_activity_to_activity_without_a_poll(driver: Driver) -> None:
    task, activity, basis = await begin_held(driver)
    for _ in range(4):
        poll = driver.poll(history_after_sequence=basis)
        reply = await _continue(
            driver, activity, basis, schedule(), sticky=sticky_cache(task, basis), activity_poll=poll
        )
        assert _applied(reply)["history_last_sequence"] == basis + 2
        tail = part(reply, "activity_poll")["history_tail"]
        assert [event["sequence"] for event in tail["events"]] == [basis + 1, basis + 2]
        activity, basis = got_activity(reply), tail["last_sequence"]
    reply = await _continue(driver, activity, basis, complete_workflow())
    assert _applied(reply)["run_status"] == "completed"
    assert len(await _types(driver, task.run_id)) == 12
    assert (await driver.describe())["status"] == "completed"


async def test_what_the_worker_keeps_goes_on_as_after_any_completion(driver: Driver) -> None:
    task, activity, basis = await begin_held(driver)
    _applied(await _continue(driver, activity, basis, timer(60), sticky=sticky_cache(task, basis)))
    await driver.signal()
    assert boundaries(await driver.claimed()) == ("sticky_hit_expected", 2, 5, [3, 4, 5])


async def test_a_worker_that_keeps_nothing_is_sent_everything(driver: Driver) -> None:
    _, activity, basis = await begin_held(driver)
    _applied(await _continue(driver, activity, basis, timer(60)))
    await driver.signal()
    assert boundaries(await driver.claimed())[:2] == ("cold_replay", 0)


async def test_its_hints_are_those_of_the_commands(driver: Driver) -> None:
    task, activity, basis = await begin_held(driver)
    reply = await _continue(driver, activity, basis, schedule())
    assert reply.hints == [["run", task.run_id], ["activity", "default", "main"]]


async def test_a_task_that_is_needed_at_once_is_got_by_the_carried_poll(driver: Driver) -> None:
    task, activity, basis = await begin_held(driver)
    reply = await _continue(
        driver,
        activity,
        basis,
        schedule(),
        sticky=sticky_cache(task, basis),
        workflow_poll=driver.poll(),
        activity_poll=driver.poll(),
    )
    assert part(reply, "workflow_poll") == EMPTY
    assert got_activity(reply)


async def test_a_signal_that_comes_after_it_is_news(driver: Driver) -> None:
    task, activity, basis = await begin_held(driver)
    _applied(await _continue(driver, activity, basis, schedule(), sticky=sticky_cache(task, basis)))
    await driver.signal()
    assert (await driver.claimed()).event_types[-1] == "SignalReceived"


# Refused: the completion stands, and the task waits for a poll


async def _group_still_open(driver: Driver, _: Clock) -> tuple[WorkflowTask, ActivityTask, int]:
    return await begin_held(driver, *group(schedule(), schedule(), base=1))


async def _task_leased(driver: Driver, _: Clock) -> tuple[WorkflowTask, ActivityTask, int]:
    held = await begin_held(driver)
    await driver.signal()
    await driver.claimed()
    return held


async def _history_moved(driver: Driver, _: Clock) -> tuple[WorkflowTask, ActivityTask, int]:
    held = await begin_held(driver)
    await driver.signal()
    return held


async def _task_ready(driver: Driver, _: Clock) -> tuple[WorkflowTask, ActivityTask, int]:
    task, activity, basis = await begin_held(driver)
    await driver.signal()
    return task, activity, basis + 1


async def _held_by_another(driver: Driver, _: Clock) -> tuple[WorkflowTask, ActivityTask, int]:
    await register_merging_worker(driver, OTHER)
    await driver.start()
    task = await driver.claimed(OTHER)
    await retain(driver, task, schedule())
    return task, await driver.claimed_activity(), 2


async def _held_by_nobody(driver: Driver, _: Clock) -> tuple[WorkflowTask, ActivityTask, int]:
    await driver.start()
    task = await driver.claimed()
    await driver.complete(task, schedule())
    return task, await driver.claimed_activity(), 2


async def _over(driver: Driver, clock: Clock) -> tuple[WorkflowTask, ActivityTask, int]:
    await driver.start()
    task = await driver.claimed()
    await driver.complete(task, schedule(), sticky=sticky_cache(task, 1, ttl_seconds=1))
    activity = await driver.claimed_activity()
    clock.advance(1)
    return task, activity, 2


async def _not_delivered(driver: Driver, _: Clock) -> tuple[WorkflowTask, ActivityTask, int]:
    await driver.start()
    task = await driver.claimed()
    await retain(driver, task, schedule())
    return task, await driver.claimed_activity(), 2


async def _registered_again(driver: Driver, _: Clock) -> tuple[WorkflowTask, ActivityTask, int]:
    await driver.start()
    task = await driver.claimed()
    poll = driver.poll(history_after_sequence=1)
    cache = sticky_cache(task, 1)
    await driver.complete(task, schedule(max_attempts=3), sticky=cache, carried={"activity_poll": poll})
    await register_merging_worker(driver)
    await driver.expire_leases()
    return task, await driver.claimed_activity(), 2


async def _stale(driver: Driver, clock: Clock) -> tuple[WorkflowTask, ActivityTask, int]:
    task, activity, basis = await begin_held(driver)
    for _ in range(STALE_SECONDS // 20 + 1):
        clock.advance(20)
        await driver.heartbeat_activity(activity)
    return task, activity, basis


Case = Callable[[Driver, Clock], Awaitable[tuple[WorkflowTask, ActivityTask, int]]]
CASES: list[tuple[Case, str]] = [
    (_group_still_open, "no_workflow_task"),
    (_task_leased, "no_workflow_task"),
    (_history_moved, "history_moved"),
    (_task_ready, "workflow_task_pending"),
    (_held_by_another, "not_sticky_owner"),
    (_held_by_nobody, "not_sticky_owner"),
    (_over, "not_sticky_owner"),
    (_not_delivered, "not_sticky_owner"),
    (_registered_again, "registration_changed"),
    (_stale, "registration_changed"),
]


@pytest.mark.parametrize(("case", "reason"), CASES, ids=[case.__name__.strip("_") for case, _ in CASES])
async def test_it_is_refused_and_leaves_what_the_completion_alone_leaves(
    driver: Driver, clock: Clock, dump: Dump, case: Case, reason: str
) -> None:
    task, activity, basis = await case(driver, clock)
    before = dump()
    reply = await _continue(driver, activity, basis, complete_workflow())
    assert _refused(reply) == reason
    after = dump()
    types = await _types(driver, task.run_id)
    held = [row for row in after["inbox"] if dict(row)["event_type"] == "ActivityCompleted"]
    assert (types[-1] == "ActivityCompleted") != bool(held)
    assert (await driver.describe())["status"] == "waiting"
    changed = {table for table in after if after[table] != before[table]}
    assert changed <= {"activities", "runs", "history_events", "workflow_tasks", "inbox", "receipts"}


@pytest.mark.parametrize("command", [continue_as_new(), wait(), {"type": "start_child_workflow"}])
async def test_commands_that_it_may_not_have_are_refused(driver: Driver, command: Document) -> None:
    _, activity, basis = await begin_held(driver)
    reply = await _continue(driver, activity, basis, side_effect(), command)
    assert _refused(reply) == "unsupported_continuation_command"
    assert (await driver.claimed()).event_types[-1] == "ActivityCompleted"


async def test_a_command_out_of_place_undoes_all_of_it(driver: Driver) -> None:
    task, activity, basis = await begin_held(driver)
    reply = await _continue(
        driver, activity, basis, *group(schedule(), schedule(), base=7), sticky=sticky_cache(task, basis)
    )
    assert _refused(reply) == "invalid_commands"
    claimed = await driver.claimed()
    assert claimed.attempt == 1
    assert boundaries(claimed) == ("sticky_hit_expected", 1, 3, [2, 3])


async def test_a_cache_that_is_not_the_runs_undoes_all_of_it(driver: Driver) -> None:
    task, activity, basis = await begin_held(driver)
    cache = {**sticky_cache(task, basis), "run_id": "another"}
    reply = await _continue(driver, activity, basis, schedule(), sticky=cache)
    assert _refused(reply) == "sticky_cache_identity_mismatch"
    assert (await driver.claimed()).attempt == 1


async def test_a_task_that_was_not_made_is_named_before_commands(driver: Driver, clock: Clock) -> None:
    _, activity, basis = await _group_still_open(driver, clock)
    assert _refused(await _continue(driver, activity, basis + 5, wait())) == "no_workflow_task"


async def test_commands_are_named_before_history(driver: Driver) -> None:
    _, activity, basis = await begin_held(driver)
    reason = _refused(await _continue(driver, activity, basis + 5, wait()))
    assert reason == "unsupported_continuation_command"


@pytest.mark.parametrize(("basis", "reason"), [(9, "history_moved"), (4, "workflow_task_pending")])
async def test_history_is_named_before_the_pending_task_and_that_before_who_holds_the_run(
    driver: Driver, basis: int, reason: str
) -> None:
    await driver.begin(schedule(), schedule())
    first, second = [await driver.claimed_activity() for _ in range(2)]
    await driver.complete_activity(first)
    assert _refused(await _continue(driver, second, basis, schedule())) == reason


async def test_who_holds_the_run_is_named_before_the_registration(driver: Driver) -> None:
    await driver.start()
    await retain(driver, await driver.claimed(), schedule())
    await register_merging_worker(driver)
    reason = _refused(await _continue(driver, await driver.claimed_activity(), 2, schedule()))
    assert reason == "not_sticky_owner"


async def test_a_result_that_is_held_wakes_the_run_once_the_task_is_answered(driver: Driver) -> None:
    _, activity, basis = await begin_held(driver)
    await driver.signal()
    task = await driver.claimed()
    assert _refused(await _continue(driver, activity, basis, schedule())) == "no_workflow_task"
    await driver.complete(task, timer(60))
    assert (await driver.claimed()).event_types[-1] == "ActivityCompleted"


async def test_a_refusal_leaves_the_task_to_the_carried_poll(driver: Driver) -> None:
    _, activity, basis = await begin_held(driver)
    await driver.signal()
    reply = await _continue(driver, activity, basis, schedule(), workflow_poll=driver.poll())
    assert _refused(reply) == "history_moved"
    assert got_task(reply).event_types == ["ActivityScheduled", "SignalReceived", "ActivityCompleted"]


async def test_the_activity_of_a_cancelled_run_is_refused_itself(driver: Driver, dump: Dump) -> None:
    _, activity, basis = await begin_held(driver)
    await driver.cancel()
    before = dump()
    assert (await _continue(driver, activity, basis, schedule())).outcome == "run_cancelled"
    assert dump() == before


async def test_a_lost_lease_refuses_the_completion_and_all_that_it_carries(
    driver: Driver, clock: Clock, dump: Dump
) -> None:
    _, activity, basis = await begin_held(driver)
    clock.advance(LEASE_SECONDS)
    before = dump()
    reply = await _continue(driver, activity, basis, schedule(), workflow_poll=driver.poll())
    assert reply.outcome == "lease_expired"
    assert dump() == before


# The poll that depends on it


async def test_a_poll_that_depends_on_it_is_made_when_it_was_applied(driver: Driver) -> None:
    _, activity, basis = await begin_held(driver)
    poll = driver.poll(if_applied=True)
    reply = await _continue(driver, activity, basis, schedule("ship"), activity_poll=poll)
    assert _applied(reply)
    assert got_activity(reply).body["activity_type"] == "ship"


async def test_a_poll_that_depends_on_it_is_not_made_when_it_was_refused(driver: Driver) -> None:
    _, activity, basis = await begin_held(driver, schedule(), schedule("ship"))
    poll = driver.poll(if_applied=True)
    reply = await _continue(driver, activity, basis + 1, schedule(), activity_poll=poll)
    assert _refused(reply) == "history_moved"
    assert part(reply, "activity_poll") == EMPTY
    assert (await driver.claimed_activity()).body["activity_type"] == "ship"


# Repeats


async def test_a_repeat_gets_the_recorded_answer_with_the_same_tasks(driver: Driver, dump: Dump) -> None:
    task, activity, basis = await begin_held(driver)
    polls = {"activity_poll": driver.poll(history_after_sequence=basis)}
    cache = sticky_cache(task, basis)
    first = await _continue(driver, activity, basis, schedule(), sticky=cache, **polls)
    before = dump()
    again = await _continue(driver, activity, basis, schedule(), sticky=cache, **polls)
    assert again.text == first.text
    assert dump() == before


async def test_a_repeat_of_a_refused_one_is_refused_again(driver: Driver) -> None:
    _, activity, basis = await begin_held(driver)
    first = await _continue(driver, activity, basis + 7, schedule())
    assert _refused(first) == "history_moved"
    assert (await _continue(driver, activity, basis + 7, schedule())).text == first.text


async def test_another_continuation_under_the_same_attempt_is_refused(driver: Driver, dump: Dump) -> None:
    _, activity, basis = await begin_held(driver)
    _applied(await _continue(driver, activity, basis, schedule()))
    before = dump()
    assert (await _continue(driver, activity, basis, timer(60))).outcome == "conflicting_completion"
    assert dump() == before
