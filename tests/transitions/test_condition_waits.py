"""Condition waits: each is resolved exactly once, and a signal is never lost between two of them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engines.clock import Clock
from tests.transitions.commands import complete_workflow, schedule, side_effect, timer, wait
from tests.transitions.driver import LEASE_SECONDS, Driver


async def test_an_opened_wait_has_an_id_and_what_its_command_says(driver: Driver) -> None:
    run_id = await driver.begin(wait("paid", fingerprint="sha256:abc"))
    assert await driver.events(run_id, "ConditionWaitOpened") == [
        {
            "sequence": 1,
            "condition_wait_id": f"{run_id}:w1",
            "condition_key": "paid",
            "condition_definition_fingerprint": "sha256:abc",
        }
    ]


async def test_a_timeout_has_a_timer_that_names_its_wait(driver: Driver) -> None:
    await driver.start()
    task = await driver.claimed()
    reply = await driver.complete(task, wait(timeout=60))
    assert ["due", "2030-01-01T00:01:00.000000Z"] in reply.hints
    assert await driver.types(task.run_id) == ["WorkflowStarted", "ConditionWaitOpened", "TimerScheduled"]
    (event,) = await driver.events(task.run_id, "TimerScheduled")
    assert event == {
        "sequence": 1,
        "timer_id": f"{task.run_id}:t1",
        "timer_kind": "condition_timeout",
        "delay_seconds": 60,
        "condition_wait_id": f"{task.run_id}:w1",
        "condition_key": "paid",
        "condition_definition_fingerprint": "sha256:f",
        "timeout_seconds": 60,
        "fire_at": "2030-01-01T00:01:00.000000Z",
    }


async def test_going_on_after_a_signal_satisfies_the_wait_first(driver: Driver) -> None:
    run_id = await driver.begin(wait(timeout=60))
    await driver.signal()
    await driver.advance(schedule())
    assert (await driver.types(run_id))[3:] == [
        "SignalReceived",
        "ConditionWaitSatisfied",
        "ActivityScheduled",
    ]
    assert await driver.events(run_id, "ConditionWaitSatisfied") == [
        {
            "sequence": 1,
            "condition_wait_id": f"{run_id}:w1",
            "condition_key": "paid",
            "condition_definition_fingerprint": "sha256:f",
            "timeout_seconds": 60,
        }
    ]


async def test_the_same_wait_after_news_is_satisfied_and_opened_anew(driver: Driver, clock: Clock) -> None:
    run_id = await driver.begin(wait(timeout=60))
    await driver.signal()
    clock.advance(10)
    await driver.advance(wait(timeout=60))
    assert (await driver.types(run_id))[3:] == [
        "SignalReceived",
        "ConditionWaitSatisfied",
        "ConditionWaitOpened",
        "TimerScheduled",
    ]
    first, second = await driver.events(run_id, "ConditionWaitOpened")
    assert (first["condition_wait_id"], second["condition_wait_id"]) == (f"{run_id}:w1", f"{run_id}:w2")
    assert (await driver.events(run_id, "TimerScheduled"))[1]["fire_at"] == "2030-01-01T00:01:10.000000Z"


async def test_a_loop_of_equal_waits_ends_after_as_many_signals(driver: Driver) -> None:
    run_id = await driver.begin(wait())
    for _ in range(2):
        await driver.signal()
        await driver.advance(wait())
    await driver.signal()
    await driver.advance(complete_workflow())
    types = await driver.types(run_id)
    assert types.count("ConditionWaitOpened") == types.count("ConditionWaitSatisfied") == 3


async def _woken_without_news(driver: Driver) -> str:
    """A run that waits, with a timeout of 60 s, and whose task was made by an activity's result."""
    run_id = await driver.begin(schedule(), wait(timeout=60))
    await driver.complete_activity(await driver.claimed_activity())
    return run_id


async def test_the_same_wait_without_news_stays_as_it_is(driver: Driver, clock: Clock) -> None:
    run_id = await _woken_without_news(driver)
    clock.advance(10)
    await driver.advance(wait(timeout=60))
    assert (await driver.types(run_id))[4:] == ["ActivityCompleted"]
    clock.advance(50)
    await driver.fire_timers()
    (event,) = await driver.events(run_id, "TimerFired")
    assert event["condition_wait_id"] == f"{run_id}:w2"


async def test_commands_behind_a_kept_wait_are_carried_out(driver: Driver) -> None:
    run_id = await _woken_without_news(driver)
    await driver.advance(wait(timeout=60), side_effect())
    assert (await driver.types(run_id))[4:] == ["ActivityCompleted", "SideEffectRecorded"]
    (event,) = await driver.events(run_id, "SideEffectRecorded")
    assert event["sequence"] == 3


@pytest.mark.parametrize(
    "other",
    [
        wait("shipped", timeout=60),
        wait(fingerprint="sha256:g", timeout=60),
        wait(timeout=30),
        wait(),
        schedule(),
    ],
    ids=["key", "fingerprint", "timeout", "no timeout", "no wait"],
)
async def test_going_on_with_something_else_satisfies_the_wait_also_without_news(
    driver: Driver, other: dict[str, Any]
) -> None:
    run_id = await _woken_without_news(driver)
    await driver.advance(other)
    assert (await driver.types(run_id))[5] == "ConditionWaitSatisfied"


async def test_a_wait_that_is_kept_and_then_gets_a_signal_is_satisfied(driver: Driver) -> None:
    run_id = await _woken_without_news(driver)
    await driver.advance(wait(timeout=60))
    await driver.signal()
    await driver.advance(wait(timeout=60))
    assert (await driver.types(run_id))[5:] == [
        "SignalReceived",
        "ConditionWaitSatisfied",
        "ConditionWaitOpened",
        "TimerScheduled",
    ]


async def test_the_signal_of_an_earlier_wait_is_no_news_for_the_next(driver: Driver) -> None:
    run_id = await driver.begin(wait(), workflow_id="order-1")
    await driver.signal()
    await driver.advance(schedule(), wait("shipped"))
    await driver.complete_activity(await driver.claimed_activity())
    await driver.advance(wait("shipped"))
    assert (await driver.types(run_id))[-1] == "ActivityCompleted"


async def test_a_signal_held_while_the_wait_is_opened_is_news_for_it(driver: Driver) -> None:
    await driver.start()
    task = await driver.claimed()
    await driver.signal()
    await driver.complete(task, wait())
    assert await driver.types(task.run_id) == ["WorkflowStarted", "ConditionWaitOpened", "SignalReceived"]
    await driver.advance(wait())
    assert (await driver.types(task.run_id))[3:] == ["ConditionWaitSatisfied", "ConditionWaitOpened"]


async def test_a_signal_held_while_the_wait_is_kept_is_news_for_it(driver: Driver) -> None:
    run_id = await _woken_without_news(driver)
    task = await driver.claimed()
    await driver.signal()
    await driver.complete(task, wait(timeout=60))
    assert (await driver.types(run_id))[5:] == ["SignalReceived"]
    await driver.advance(wait(timeout=60))
    assert (await driver.types(run_id))[6:8] == ["ConditionWaitSatisfied", "ConditionWaitOpened"]


@pytest.mark.parametrize("end", ["fail", "release", "expire"])
async def test_news_survives_a_lease_that_is_not_completed(driver: Driver, clock: Clock, end: str) -> None:
    run_id = await _woken_without_news(driver)
    task = await driver.claimed()
    await driver.signal()
    if end == "fail":
        await driver.fail(task)
    elif end == "release":
        await driver.release(task)
    else:
        clock.advance(LEASE_SECONDS)
        await driver.expire_leases()
    clock.advance(1)
    await driver.advance(wait(timeout=60))
    assert (await driver.types(run_id))[5:8] == [
        "SignalReceived",
        "ConditionWaitSatisfied",
        "ConditionWaitOpened",
    ]


async def test_a_timeout_resolves_the_wait_and_wakes_the_run(driver: Driver, clock: Clock) -> None:
    run_id = await driver.begin(wait(timeout=60))
    clock.advance(60)
    swept = await driver.fire_timers()
    assert ["workflow", "default", "main"] in swept.hints
    (event,) = await driver.events(run_id, "TimerFired")
    assert event["timer_kind"] == "condition_timeout"
    assert event["condition_wait_id"] == f"{run_id}:w1"
    await driver.advance(schedule())
    assert (await driver.types(run_id))[3:] == ["TimerFired", "ActivityScheduled"]


async def test_a_wait_that_timed_out_is_opened_anew_when_asked_for_again(
    driver: Driver, clock: Clock
) -> None:
    run_id = await driver.begin(wait(timeout=60))
    clock.advance(60)
    await driver.fire_timers()
    await driver.advance(wait(timeout=60))
    assert (await driver.types(run_id))[4:] == ["ConditionWaitOpened", "TimerScheduled"]


async def test_a_timeout_that_comes_after_the_wait_was_satisfied_does_not_exist(
    driver: Driver, clock: Clock
) -> None:
    run_id = await driver.begin(wait(timeout=60))
    await driver.signal()
    await driver.advance(timer(1000))
    clock.advance(60)
    assert (await driver.fire_timers())["count"] == 0
    assert "TimerFired" not in await driver.types(run_id)


async def test_a_signal_after_the_timeout_does_not_undo_it(driver: Driver, clock: Clock) -> None:
    run_id = await driver.begin(wait(timeout=60))
    clock.advance(60)
    await driver.fire_timers()
    await driver.signal()
    await driver.advance(complete_workflow())
    assert (await driver.types(run_id))[3:] == ["TimerFired", "SignalReceived", "WorkflowCompleted"]


async def test_a_timeout_after_the_signal_resolves_the_wait(driver: Driver, clock: Clock) -> None:
    run_id = await driver.begin(wait(timeout=60))
    await driver.signal()
    clock.advance(60)
    await driver.fire_timers()
    await driver.advance(complete_workflow())
    assert (await driver.types(run_id))[3:] == ["SignalReceived", "TimerFired", "WorkflowCompleted"]


async def _with_both_held(driver: Driver, clock: Clock, *, signal_first: bool) -> str:
    """A waiting run whose task is leased while a signal and the timeout are held."""
    run_id = await _woken_without_news(driver)
    await driver.claimed(poll_request_id="p", lease_seconds=120)
    clock.advance(60)
    if signal_first:
        await driver.signal()
        await driver.fire_timers()
    else:
        await driver.fire_timers()
        await driver.signal()
    return run_id


@pytest.mark.parametrize("signal_first", [True, False])
async def test_signal_and_timeout_held_together_resolve_a_kept_wait_once(
    driver: Driver, clock: Clock, signal_first: bool
) -> None:
    run_id = await _with_both_held(driver, clock, signal_first=signal_first)
    await driver.complete(await driver.claimed(poll_request_id="p"), wait(timeout=60))
    expected = ["SignalReceived", "TimerFired"] if signal_first else ["TimerFired", "SignalReceived"]
    assert (await driver.types(run_id))[5:] == expected
    await driver.advance(complete_workflow())
    assert "ConditionWaitSatisfied" not in await driver.types(run_id)


@pytest.mark.parametrize("signal_first", [True, False])
async def test_a_timeout_held_while_the_wait_is_satisfied_is_dropped(
    driver: Driver, clock: Clock, signal_first: bool
) -> None:
    run_id = await _with_both_held(driver, clock, signal_first=signal_first)
    await driver.complete(await driver.claimed(poll_request_id="p"), schedule("ship"))
    assert (await driver.types(run_id))[5:] == [
        "ConditionWaitSatisfied",
        "ActivityScheduled",
        "SignalReceived",
    ]


@pytest.mark.parametrize("signal_first", [True, False])
async def test_signal_and_timeout_held_together_enter_history_after_a_failure(
    driver: Driver, clock: Clock, signal_first: bool
) -> None:
    run_id = await _with_both_held(driver, clock, signal_first=signal_first)
    await driver.fail(await driver.claimed(poll_request_id="p"))
    expected = ["SignalReceived", "TimerFired"] if signal_first else ["TimerFired", "SignalReceived"]
    assert (await driver.types(run_id))[5:] == expected
    clock.advance(1)
    await driver.advance(complete_workflow())
    assert (await driver.types(run_id))[7:] == ["WorkflowCompleted"]


async def test_a_held_timeout_alone_is_dropped_when_a_new_wait_was_opened(
    driver: Driver, clock: Clock
) -> None:
    """The late timeout belongs to another wait, though the code waits for the same again."""
    run_id = await driver.begin(wait(timeout=60))
    await driver.signal()
    task = await driver.claimed(lease_seconds=120)
    clock.advance(60)
    await driver.fire_timers()
    await driver.complete(task, wait(timeout=60))
    assert (await driver.types(run_id))[4:] == [
        "ConditionWaitSatisfied",
        "ConditionWaitOpened",
        "TimerScheduled",
    ]
    assert (await driver.claim()).outcome == "empty"


async def test_a_wait_of_no_time_is_over_at_once(driver: Driver) -> None:
    await driver.start()
    task = await driver.claimed()
    reply = await driver.complete(task, wait(timeout=0))
    assert ["workflow", "default", "main"] in reply.hints
    assert await driver.types(task.run_id) == [
        "WorkflowStarted",
        "ConditionWaitOpened",
        "ConditionWaitTimedOut",
    ]
    (event,) = await driver.events(task.run_id, "ConditionWaitTimedOut")
    assert event["condition_wait_id"] == f"{task.run_id}:w1"
    await driver.advance(complete_workflow())
    assert (await driver.types(task.run_id))[-1] == "WorkflowCompleted"


async def test_a_wait_of_no_time_asked_for_again_is_another_one(driver: Driver) -> None:
    run_id = await driver.begin(wait(timeout=0))
    await driver.advance(wait(timeout=0))
    assert (await driver.types(run_id))[3:] == ["ConditionWaitOpened", "ConditionWaitTimedOut"]
    await driver.advance(complete_workflow())


async def test_completing_the_workflow_satisfies_the_open_wait(driver: Driver) -> None:
    run_id = await driver.begin(wait(timeout=60))
    await driver.signal()
    await driver.advance(complete_workflow())
    assert (await driver.types(run_id))[4:] == ["ConditionWaitSatisfied", "WorkflowCompleted"]
