"""continue_as_new: the same workflow goes on as a fresh run."""

from __future__ import annotations

from tests.engines.clock import Clock
from tests.transitions.commands import complete_workflow, continue_as_new, envelope, schedule, timer, wait
from tests.transitions.driver import Driver


async def test_the_old_run_closes_and_a_new_one_starts(driver: Driver) -> None:
    await driver.start()
    task = await driver.claimed()
    reply = await driver.complete(task, continue_as_new(input=envelope("page 2")))
    assert reply["run_status"] == "completed"
    new = (await driver.describe())["run_id"]
    assert ["run", task.run_id] in reply.hints
    assert ["run", new] in reply.hints
    assert ["workflow", "default", "main"] in reply.hints
    assert await driver.events(task.run_id, "WorkflowContinuedAsNew") == [
        {"continued_to_run_id": new, "continued_to_run_number": 2}
    ]
    (started,) = await driver.events(new, "WorkflowStarted")
    assert started["run_number"] == 2
    assert started["continued_from_run_id"] == task.run_id
    next_task = await driver.claimed()
    assert next_task.run_id == new
    assert next_task.body["arguments"] == envelope("page 2")
    assert next_task.attempt == 1


async def test_both_runs_are_described(driver: Driver) -> None:
    old_id = await driver.begin(continue_as_new())
    new = await driver.describe()
    old = await driver.describe(run_id=old_id)
    assert (old["status"], old["closed_reason"]) == ("completed", "continued")
    assert old["continued_to_run_id"] == new["run_id"]
    assert new["continued_from_run_id"] == old_id
    assert (old["run_number"], new["run_number"]) == (1, 2)
    assert old["run_count"] == new["run_count"] == 2
    assert (old["is_current_run"], new["is_current_run"]) == (False, True)
    assert new["status"] == "pending"


async def test_the_new_run_may_have_another_type_and_queue(driver: Driver) -> None:
    await driver.register("refunder", queue="side", workflow_types=("refund",))
    await driver.begin(continue_as_new(workflow_type="refund", queue="side"))
    described = await driver.describe()
    assert (described["workflow_type"], described["task_queue"]) == ("refund", "side")
    await driver.claimed("refunder", task_queue="side")


async def test_without_a_type_the_new_run_has_the_old_one(driver: Driver) -> None:
    await driver.begin(continue_as_new())
    assert (await driver.describe())["workflow_type"] == "order"


async def test_without_input_the_new_run_has_null_arguments(driver: Driver) -> None:
    await driver.begin(continue_as_new())
    assert (await driver.claimed()).body["arguments"] is None


async def test_memo_search_attributes_and_settings_go_along(driver: Driver) -> None:
    await driver.begin(
        continue_as_new(),
        memo={"a": 1},
        search_attributes={"b": 2},
        priority=2,
        business_key="customer-7",
        run_timeout_seconds=10,
        execution_timeout_seconds=100,
    )
    described = await driver.describe()
    assert described["memo"] == {"a": 1}
    assert described["search_attributes"] == {"b": 2}
    assert described["priority"] == 2
    assert described["business_key"] == "customer-7"
    assert described["run_timeout_seconds"] == 10
    assert described["execution_timeout_seconds"] == 100


async def test_a_run_timeout_begins_anew_and_an_execution_timeout_does_not(
    driver: Driver, clock: Clock
) -> None:
    await driver.start(run_timeout_seconds=10, execution_timeout_seconds=30)
    clock.advance(9)
    await driver.advance(continue_as_new())
    described = await driver.describe()
    assert described["run_deadline_at"] == "2030-01-01T00:00:19.000000Z"
    assert described["execution_deadline_at"] == "2030-01-01T00:00:30.000000Z"
    clock.advance(9)
    assert (await driver.enforce_timeouts())["count"] == 0
    await driver.advance(continue_as_new())
    clock.advance(9)
    await driver.advance(continue_as_new())
    clock.advance(3)
    assert (await driver.enforce_timeouts())["count"] == 1
    run_id = (await driver.describe())["run_id"]
    (event,) = await driver.events(run_id, "WorkflowTimedOut")
    assert event["timeout_kind"] == "execution_timeout"


async def test_positions_and_history_begin_anew(driver: Driver) -> None:
    await driver.begin(timer(0))
    await driver.fire_timers()
    await driver.advance(continue_as_new())
    await driver.advance(schedule())
    run_id = (await driver.describe())["run_id"]
    (event,) = await driver.events(run_id, "ActivityScheduled")
    assert event["sequence"] == 1
    assert event["activity_execution_id"] == f"{run_id}:a1"


async def test_signals_held_during_the_lease_go_to_the_new_run(driver: Driver) -> None:
    await driver.begin(wait())
    await driver.signal("seen")
    task = await driver.claimed()
    moved = [await driver.signal(name) for name in ("second", "third")]
    await driver.complete(task, continue_as_new())
    assert "SignalRejected" not in await driver.types(task.run_id)
    new_id = (await driver.describe())["run_id"]
    assert await driver.types(new_id) == ["WorkflowStarted"]
    last = await driver.signal("fourth")
    await driver.advance(wait())
    received = await driver.events(new_id, "SignalReceived")
    assert [signal["signal_id"] for signal in received] == [
        *[reply["signal_id"] for reply in moved],
        last["signal_id"],
    ]


async def test_signals_that_came_before_the_first_task_go_along(driver: Driver) -> None:
    await driver.start()
    await driver.signal("early")
    await driver.advance(continue_as_new())
    new_id = (await driver.describe())["run_id"]
    await driver.advance(wait())
    (signal,) = await driver.events(new_id, "SignalReceived")
    assert signal["signal_name"] == "early"


async def test_results_held_during_the_lease_stay_with_the_old_run(driver: Driver, clock: Clock) -> None:
    run_id = await driver.begin(schedule(), timer(5), wait())
    await driver.signal()
    task = await driver.claimed()
    await driver.complete_activity(await driver.claimed_activity())
    clock.advance(5)
    await driver.fire_timers()
    await driver.complete(task, continue_as_new())
    assert (await driver.types(run_id))[5:] == [
        "ConditionWaitSatisfied",
        "WorkflowContinuedAsNew",
        "ActivityCompleted",
        "TimerFired",
    ]


async def test_open_work_of_the_old_run_ends_with_it(driver: Driver) -> None:
    run_id = await driver.begin(schedule(), schedule("ship"), wait())
    running = await driver.claimed_activity()
    await driver.signal()
    await driver.advance(continue_as_new())
    assert (await driver.types(run_id))[-1] == "WorkflowContinuedAsNew"
    assert (await driver.claim_activity()).outcome == "empty"
    assert (await driver.complete_activity(running)).outcome == "run_closed"


async def test_a_workflow_continues_many_times(driver: Driver) -> None:
    await driver.start()
    for _ in range(5):
        await driver.advance(continue_as_new())
    await driver.advance(complete_workflow())
    described = await driver.describe()
    assert described["run_number"] == described["run_count"] == 6
    assert described["status"] == "completed"


async def test_a_start_that_is_repeated_still_names_the_first_run(driver: Driver) -> None:
    first = await driver.start(request_id="r1")
    await driver.advance(continue_as_new())
    assert (await driver.start(request_id="r1"))["run_id"] == first["run_id"]
    current = await driver.start(policy="use-existing")
    assert current.outcome == "returned_existing_active"
    assert current["run_id"] == (await driver.describe())["run_id"]


async def test_a_signal_request_repeated_after_the_run_continued_is_delivered_once(driver: Driver) -> None:
    run_id = await driver.begin(wait())
    first = await driver.signal(request_id="r1")
    await driver.advance(continue_as_new())
    again = await driver.signal(request_id="r1")
    await driver.advance(wait())
    new_id = (await driver.describe())["run_id"]
    delivered = [
        event["signal_id"] for run in (run_id, new_id) for event in await driver.events(run, "SignalReceived")
    ]
    assert delivered == [first["signal_id"]]
    assert again["signal_id"] == first["signal_id"]
