"""cancel_run and terminate_run: a run closed on a client's word, over the worker's head."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest

from tests.engines.clock import Clock
from tests.transitions.commands import complete_workflow, continue_as_new, group, schedule, timer, wait
from tests.transitions.conftest import Dump
from tests.transitions.driver import Driver, Reply

NO_RUN = "00000000-0000-7000-8000-000000000000"


@dataclass(frozen=True)
class Stop:
    """One of the two transitions, and what it calls things."""

    call: Callable[..., Awaitable[Reply]]
    status: str
    requested: str
    terminal: str

    async def __call__(self, **arguments: Any) -> Reply:
        return await self.call(**arguments)


@pytest.fixture(params=["cancel", "terminate"])
def stop(request: pytest.FixtureRequest, driver: Driver) -> Stop:
    """Each of the two."""
    if request.param == "cancel":
        return Stop(driver.cancel, "cancelled", "CancelRequested", "WorkflowCancelled")
    return Stop(driver.terminate, "terminated", "TerminateRequested", "WorkflowTerminated")


async def test_a_fresh_run_is_closed_with_its_reason(driver: Driver, stop: Stop) -> None:
    run_id = (await driver.start())["run_id"]
    reply = await stop(reason="customer left")
    assert reply.outcome == reply["outcome"] == stop.status
    assert reply["run_id"] == run_id
    assert reply["target_scope"] == "instance"
    assert ["run", run_id] in reply.hints
    history = await driver.history(run_id)
    assert [event["event_type"] for event in history] == ["WorkflowStarted", stop.requested, stop.terminal]
    assert history[1]["payload"] == {"closed_reason": stop.status, "reason": "customer left"}
    assert history[2]["payload"] == {"closed_reason": stop.status, "reason": "customer left"}
    described = await driver.describe()
    assert described["status"] == described["closed_reason"] == stop.status
    assert described["is_terminal"] is True


async def test_without_a_reason_none_is_recorded(driver: Driver, stop: Stop) -> None:
    run_id = (await driver.start())["run_id"]
    await stop()
    assert await driver.events(run_id, stop.terminal) == [{"closed_reason": stop.status}]


async def test_a_closed_run_offers_no_work(driver: Driver, clock: Clock, stop: Stop) -> None:
    await driver.begin(schedule(start_to_close_timeout=5), timer(5), wait(timeout=5))
    await driver.signal()
    await stop()
    clock.advance(100)
    assert (await driver.claim()).outcome == "empty"
    assert (await driver.claim_activity()).outcome == "empty"
    for sweep in (driver.fire_timers, driver.expire_leases, driver.enforce_timeouts):
        assert (await sweep())["count"] == 0


async def test_open_work_is_cancelled_in_the_order_of_its_positions(driver: Driver, stop: Stop) -> None:
    run_id = await driver.begin(timer(5), schedule(), schedule("ship"), timer(6))
    await driver.claimed_activity()
    await stop()
    history = await driver.history(run_id)
    tail = [(event["event_type"], event["payload"].get("sequence")) for event in history[5:]]
    assert tail == [
        (stop.requested, None),
        ("TimerCancelled", 1),
        ("ActivityCancelled", 2),
        ("ActivityCancelled", 3),
        ("TimerCancelled", 4),
        (stop.terminal, None),
    ]
    running, pending = await driver.events(run_id, "ActivityCancelled")
    assert running["activity_attempt_id"] == f"{run_id}:a2.1"
    assert "activity_attempt_id" not in pending


async def test_a_cancelled_group_carries_its_group(driver: Driver, stop: Stop) -> None:
    run_id = await driver.begin(*group(schedule(), timer(5), base=1))
    await stop()
    (activity,) = await driver.events(run_id, "ActivityCancelled")
    (timer_event,) = await driver.events(run_id, "TimerCancelled")
    assert activity["parallel_group_index"] == 0
    assert timer_event["parallel_group_index"] == 1
    assert timer_event["timer_id"] == f"{run_id}:t2"


async def test_the_timer_of_an_open_wait_is_cancelled(driver: Driver, stop: Stop) -> None:
    run_id = await driver.begin(wait(timeout=60))
    await stop()
    (event,) = await driver.events(run_id, "TimerCancelled")
    assert event["timer_kind"] == "condition_timeout"
    assert event["condition_wait_id"] == f"{run_id}:w1"


async def test_results_that_were_held_come_before_the_terminal_event(
    driver: Driver, clock: Clock, stop: Stop
) -> None:
    run_id = await driver.begin(timer(1), schedule(), schedule("ship", max_attempts=2), schedule())
    await driver.signal("wakes")
    await driver.claimed()
    tasks = [await driver.claimed_activity() for _ in range(2)]
    await driver.complete_activity(tasks[0])
    await driver.fail_activity(tasks[1])
    clock.advance(1)
    await driver.fire_timers()
    await stop()
    history = await driver.history(run_id)
    tail = [(event["event_type"], event["payload"].get("sequence")) for event in history[6:]]
    assert tail == [
        (stop.requested, None),
        ("ActivityCompleted", 2),
        ("ActivityRetryScheduled", 3),
        ("TimerFired", 1),
        ("ActivityCancelled", 3),
        ("ActivityCancelled", 4),
        (stop.terminal, None),
        ("SignalRejected", None),
    ]


async def test_signals_that_no_task_saw_are_rejected(driver: Driver, stop: Stop) -> None:
    run_id = await driver.begin(wait())
    await driver.signal("seen and answered")
    await driver.advance(wait())
    in_history = await driver.signal("in history")
    await driver.claimed()
    held = await driver.signal("held")
    await stop()
    assert await driver.events(run_id, "SignalRejected") == [
        {
            "signal_id": in_history["signal_id"],
            "signal_name": "in history",
            "rejection_reason": "run_not_active",
        },
        {"signal_id": held["signal_id"], "signal_name": "held", "rejection_reason": "run_not_active"},
    ]
    assert (await driver.types(run_id))[-3:] == [stop.terminal, "SignalRejected", "SignalRejected"]


async def test_signals_that_wait_for_the_first_task_are_rejected(driver: Driver, stop: Stop) -> None:
    run_id = (await driver.start())["run_id"]
    await driver.signal("early")
    await stop()
    assert await driver.types(run_id) == ["WorkflowStarted", stop.requested, stop.terminal, "SignalRejected"]


async def test_a_held_timeout_of_an_open_wait_is_recorded(driver: Driver, clock: Clock, stop: Stop) -> None:
    run_id = await driver.begin(wait(timeout=5))
    await driver.signal()
    await driver.claimed()
    clock.advance(5)
    await driver.fire_timers()
    await stop()
    assert (await driver.types(run_id))[4:] == [
        stop.requested,
        "TimerFired",
        stop.terminal,
        "SignalRejected",
    ]


async def test_the_holder_of_the_workflow_task_is_told(driver: Driver, stop: Stop) -> None:
    await driver.start()
    task = await driver.claimed()
    await stop()
    refused = await driver.complete(task, complete_workflow())
    assert refused.outcome == "run_closed"
    assert refused["cancel_requested"] is True


async def test_a_run_waiting_for_its_next_try_is_closed(driver: Driver, stop: Stop) -> None:
    run_id = (await driver.start())["run_id"]
    await driver.fail(await driver.claimed())
    await stop()
    assert await driver.types(run_id) == ["WorkflowStarted", stop.requested, stop.terminal]


async def test_a_repeated_request_gets_the_recorded_answer(driver: Driver, dump: Dump, stop: Stop) -> None:
    await driver.start()
    first = await stop(reason="left", request_id="r1")
    before = dump()
    again = await stop(reason="left", request_id="r1")
    assert (again.outcome, again.text) == (first.outcome, first.text)
    assert again["request_id"] == "r1"
    assert dump() == before


async def test_a_request_repeated_with_another_reason_is_a_conflict(driver: Driver, stop: Stop) -> None:
    await driver.start()
    await stop(reason="left", request_id="r1")
    assert (await stop(reason="came back", request_id="r1")).outcome == "request_id_conflict"


async def test_a_closed_run_is_refused(driver: Driver, dump: Dump, stop: Stop) -> None:
    await driver.begin(complete_workflow())
    before = dump()
    refused = await stop(request_id="r1")
    assert refused.outcome == "run_not_active"
    assert refused["run_status"] == "completed"
    assert dump() == before


async def test_a_run_can_be_named(driver: Driver, stop: Stop) -> None:
    run_id = (await driver.start())["run_id"]
    reply = await stop(run_id=run_id)
    assert reply.outcome == stop.status
    assert reply["target_scope"] == "run"


async def test_unknown_targets_are_refused(driver: Driver, stop: Stop, other_namespace: str) -> None:
    await driver.start()
    assert (await stop(workflow_id="nothing")).outcome == "instance_not_found"
    assert (await stop(run_id=NO_RUN)).outcome == "run_not_found"
    assert (await stop(namespace="nowhere")).outcome == "namespace_not_found"
    assert (await stop(namespace=other_namespace)).outcome == "instance_not_found"


async def test_a_run_that_has_continued_is_refused_when_it_is_named(driver: Driver, stop: Stop) -> None:
    old = await driver.begin(continue_as_new())
    assert (await stop(run_id=old)).outcome == "historical_run_command_rejected"
    reply = await stop()
    assert reply.outcome == stop.status
    assert reply["run_id"] != old
