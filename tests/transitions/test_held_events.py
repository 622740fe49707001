"""Held events: history does not move under a worker, and nothing that came meanwhile is lost."""

from __future__ import annotations

from tests.engines.clock import Clock
from tests.transitions.commands import complete_workflow, fail_workflow, schedule, side_effect, timer, wait
from tests.transitions.driver import LEASE_SECONDS, Driver, WorkflowTask


async def _leased_with_arrivals(driver: Driver, clock: Clock) -> WorkflowTask:
    """A leased task during which a result, a signal, a fired timer, a retry and a failure arrived."""
    await driver.begin(timer(1), schedule(), schedule(max_attempts=2), schedule(), wait())
    await driver.signal("wakes")
    task = await driver.claimed()
    activities = [await driver.claimed_activity() for _ in range(3)]
    await driver.complete_activity(activities[0])
    await driver.signal("held")
    clock.advance(1)
    await driver.fire_timers()
    await driver.fail_activity(activities[1])
    await driver.fail_activity(activities[2])
    return task


ARRIVALS = ["ActivityCompleted", "SignalReceived", "TimerFired", "ActivityRetryScheduled", "ActivityFailed"]


async def test_history_does_not_move_during_a_lease(driver: Driver, clock: Clock) -> None:
    task = await _leased_with_arrivals(driver, clock)
    assert await driver.types(task.run_id) == task.event_types


async def test_what_was_held_gives_no_hint_that_it_is_there(driver: Driver) -> None:
    await driver.begin(schedule(), wait())
    await driver.signal()
    await driver.claimed()
    assert (await driver.signal()).hints == []
    assert (await driver.complete_activity(await driver.claimed_activity())).hints == []


async def test_what_was_held_follows_the_commands_in_order_of_arrival(driver: Driver, clock: Clock) -> None:
    task = await _leased_with_arrivals(driver, clock)
    reply = await driver.complete(task, side_effect(), wait("shipped"))
    assert ["workflow", "default", "main"] in reply.hints
    types = await driver.types(task.run_id)
    assert types[len(task.event_types) :] == [
        "ConditionWaitSatisfied",
        "SideEffectRecorded",
        "ConditionWaitOpened",
        *ARRIVALS,
    ]
    next_task = await driver.claimed()
    assert next_task.event_types == types
    assert next_task.task_id == f"{task.run_id}:k{len(types)}"


async def test_what_was_held_enters_history_when_the_task_fails(driver: Driver, clock: Clock) -> None:
    task = await _leased_with_arrivals(driver, clock)
    await driver.fail(task)
    assert await driver.types(task.run_id) == task.event_types + ARRIVALS
    clock.advance(1)
    again = await driver.claimed()
    assert again.event_types == task.event_types + ARRIVALS
    assert (again.task_id, again.attempt) == (task.task_id, 2)


async def test_what_was_held_enters_history_when_the_lease_expires(driver: Driver, clock: Clock) -> None:
    task = await _leased_with_arrivals(driver, clock)
    clock.advance(LEASE_SECONDS)
    await driver.expire_leases()
    assert await driver.types(task.run_id) == task.event_types + ARRIVALS
    assert (await driver.claimed()).event_types == task.event_types + ARRIVALS


async def test_what_was_held_enters_history_when_the_worker_waits_for_it(
    driver: Driver, clock: Clock
) -> None:
    task = await _leased_with_arrivals(driver, clock)
    await driver.wait_for_history(task)
    assert (await driver.claimed()).event_types == task.event_types + ARRIVALS


async def test_results_that_were_held_follow_the_end_of_the_workflow(driver: Driver, clock: Clock) -> None:
    task = await _leased_with_arrivals(driver, clock)
    await driver.complete(task, complete_workflow())
    types = await driver.types(task.run_id)
    assert types[len(task.event_types) :] == [
        "ConditionWaitSatisfied",
        "WorkflowCompleted",
        "ActivityCompleted",
        "TimerFired",
        "ActivityRetryScheduled",
        "ActivityFailed",
        "SignalRejected",
    ]


async def test_a_signal_that_the_last_task_saw_is_not_rejected(driver: Driver) -> None:
    run_id = await driver.begin(wait())
    await driver.signal()
    await driver.advance(fail_workflow())
    assert "SignalRejected" not in await driver.types(run_id)


async def test_a_signal_recorded_between_two_claims_of_a_task_is_seen_by_the_second(
    driver: Driver, clock: Clock
) -> None:
    run_id = await driver.begin(wait())
    await driver.signal("first")
    await driver.fail(await driver.claimed())
    await driver.signal("second")
    clock.advance(1)
    task = await driver.claimed()
    assert task.event_types[-2:] == ["SignalReceived", "SignalReceived"]
    await driver.complete(task, complete_workflow())
    assert "SignalRejected" not in await driver.types(run_id)


async def test_a_retry_alone_does_not_wake_the_run(driver: Driver) -> None:
    await driver.begin(schedule(max_attempts=2), wait())
    await driver.signal()
    task = await driver.claimed()
    await driver.fail_activity(await driver.claimed_activity())
    reply = await driver.complete(task, wait())
    assert not [hint for hint in reply.hints if hint[0] == "workflow"]
    assert (await driver.claim()).outcome == "empty"
    assert (await driver.types(task.run_id))[-1] == "ActivityRetryScheduled"


async def test_only_signals_are_held_before_the_first_answer(driver: Driver, clock: Clock) -> None:
    run_id = (await driver.start())["run_id"]
    assert (await driver.signal("first")).hints == []
    task = await driver.claimed()
    assert task.event_types == ["WorkflowStarted"]
    await driver.signal("second")
    await driver.fail(task)
    clock.advance(1)
    task = await driver.claimed()
    assert task.event_types == ["WorkflowStarted"]
    await driver.signal("third")
    await driver.complete(task, schedule())
    assert await driver.types(run_id) == ["WorkflowStarted", "ActivityScheduled", *["SignalReceived"] * 3]
    names = [event["signal_name"] for event in await driver.events(run_id, "SignalReceived")]
    assert names == ["first", "second", "third"]
    assert (await driver.claimed()).event_types[-1] == "SignalReceived"


async def test_signals_outlive_the_expiry_of_the_first_task(driver: Driver, clock: Clock) -> None:
    run_id = (await driver.start())["run_id"]
    await driver.claimed()
    await driver.signal()
    clock.advance(LEASE_SECONDS)
    await driver.expire_leases()
    assert await driver.types(run_id) == ["WorkflowStarted"]
    await driver.advance(wait())
    assert await driver.types(run_id) == ["WorkflowStarted", "ConditionWaitOpened", "SignalReceived"]


async def test_signals_that_came_before_the_only_task_are_rejected_at_its_end(driver: Driver) -> None:
    await driver.start()
    signalled = await driver.signal("early")
    await driver.advance(complete_workflow())
    run_id = signalled["run_id"]
    assert await driver.types(run_id) == ["WorkflowStarted", "WorkflowCompleted", "SignalRejected"]


async def test_many_held_events_keep_their_order(driver: Driver) -> None:
    await driver.begin(wait())
    await driver.signal("wakes")
    task = await driver.claimed()
    names = [f"signal-{number}" for number in range(25)]
    for name in names:
        await driver.signal(name)
    await driver.complete(task, wait())
    received = await driver.events(task.run_id, "SignalReceived")
    assert [event["signal_name"] for event in received] == ["wakes", *names]


async def test_order_of_arrival_is_kept_over_two_leases(driver: Driver, clock: Clock) -> None:
    await driver.begin(wait())
    await driver.signal("a")
    first = await driver.claimed()
    await driver.signal("b")
    await driver.fail(first)
    await driver.signal("c")
    clock.advance(1)
    second = await driver.claimed()
    await driver.signal("d")
    await driver.complete(second, wait())
    received = await driver.events(first.run_id, "SignalReceived")
    assert [event["signal_name"] for event in received] == ["a", "b", "c", "d"]
