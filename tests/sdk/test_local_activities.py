"""Activities that the worker of a workflow task runs itself, and reports with its answer."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Generator
from typing import Any

import pytest
from durable_workflow import activity, workflow
from durable_workflow.errors import ActivityFailed, NonRetryableError, WorkflowFailed
from durable_workflow.workflow import WorkflowContext

from tests.sdk.histories import decoded, of_type, payload_of, types_of
from tests.sdk.rig import Rig, TaskLog
from tests.sdk.waiting import LONGEST_SECONDS

Steps = Generator[Any, Any, Any]
THREE_TIMES = {"max_attempts": 3, "backoff_seconds": [0, 0], "non_retryable_error_types": ["Refused"]}


class Refused(Exception):
    """What must not be tried again."""


def counted(name: str, calls: Counter[str], run: Callable[..., Any]) -> Callable[..., Any]:
    """An activity that counts how often it is run."""

    @activity.defn(name=name)
    def counting(*arguments: Any) -> Any:
        calls[name] += 1
        return run(*arguments)

    return counting


@activity.defn(name="local.double")
def double(number: int) -> int:
    return 2 * number


@activity.defn(name="local.second")
def second_time(word: str) -> str:
    attempt = activity.context().info.attempt_number
    if attempt == 1:
        raise ValueError("not yet")
    return f"{word} at attempt {attempt}"


@activity.defn(name="local.failing")
def failing() -> None:
    raise ValueError(f"attempt {activity.context().info.attempt_number}")


@activity.defn(name="local.refused")
def refused() -> None:
    raise Refused("no money")


@activity.defn(name="local.hopeless")
def hopeless() -> None:
    raise NonRetryableError("never")


@activity.defn(name="local.slow")
def slow() -> None:
    time.sleep(1.1)


@activity.defn(name="local.beating")
async def beating() -> str:
    await activity.context().heartbeat({"done": 1})
    await activity.context().heartbeat({"done": 2})
    return "done"


@workflow.defn(name="local.calling")
class Calling:
    """Calls one local activity, and says how it ended."""

    def run(self, ctx: WorkflowContext, name: str, arguments: list[Any], options: dict[str, Any]) -> Steps:
        try:
            result = yield ctx.local_activity(name, arguments, **options)
        except ActivityFailed as failure:
            return [str(failure), failure.exception_type, failure.activity_type, failure.non_retryable]
        return result


async def test_a_workflow_of_local_activities_takes_one_task(rig: Rig) -> None:
    @workflow.defn(name="local.chain")
    class Chain:
        def run(self, ctx: WorkflowContext, number: int) -> Steps:
            for _ in range(5):
                number = yield ctx.local_activity("local.double", [number])
            return number

    log = TaskLog()
    async with rig.worker([Chain], [double], interceptors=[log]):
        handle = await rig.start(Chain, 1)
        assert await rig.result(handle) == 32
    assert len(log.tasks) == 1
    events = await rig.history(handle)
    assert types_of(events)[1:] == ["ActivityScheduled", "ActivityCompleted"] * 5 + ["WorkflowCompleted"]
    results = [decoded(event["payload"], "result") for event in of_type(events, "ActivityCompleted")]
    assert results == [2, 4, 8, 16, 32]


async def test_what_was_asked_for_and_every_attempt_are_in_history(rig: Rig) -> None:
    options = {"retry_policy": THREE_TIMES, "start_to_close_timeout": 20, "schedule_to_close_timeout": 60}
    async with rig.worker([Calling], [second_time]):
        handle = await rig.start(Calling, "local.second", ["there"], options)
        assert await rig.result(handle) == "there at attempt 2"
    events = await rig.history(handle)
    assert types_of(events)[1:] == ["ActivityScheduled", "ActivityCompleted", "WorkflowCompleted"]
    scheduled = payload_of(events, "ActivityScheduled")
    assert decoded(scheduled, "arguments") == ["there"]
    assert {name: scheduled[name] for name in options} == options
    first, last = payload_of(events, "ActivityCompleted")["attempts"]
    assert (first["outcome"], first["message"], first["retry_reason"]) == ("failed", "not yet", "failure")
    assert (last["outcome"], last["attempt_number"]) == ("completed", 2)


@pytest.mark.parametrize(
    ("name", "failure", "attempts"),
    [
        ("local.failing", ["attempt 3", "ValueError", "local.failing", False], 3),
        ("local.refused", ["no money", "Refused", "local.refused", True], 1),
        ("local.hopeless", ["never", "NonRetryableError", "local.hopeless", True], 1),
    ],
)
async def test_workflow_code_is_told_of_a_failure(
    rig: Rig, name: str, failure: list[Any], attempts: int
) -> None:
    async with rig.worker([Calling], [failing, refused, hopeless]):
        handle = await rig.start(Calling, name, [], {"retry_policy": THREE_TIMES})
        assert await rig.result(handle) == failure
    failed = payload_of(await rig.history(handle), "ActivityFailed")
    assert [failed["message"], failed["exception_type"], failed["activity_type"]] == failure[:3]
    assert len(failed["attempts"]) == attempts


async def test_a_failure_that_nobody_catches_fails_the_workflow(rig: Rig) -> None:
    @workflow.defn(name="local.careless")
    class Careless:
        def run(self, ctx: WorkflowContext) -> Steps:
            yield ctx.local_activity("local.failing", [])

    async with rig.worker([Careless], [failing]):
        handle = await rig.start(Careless)
        with pytest.raises(WorkflowFailed, match="attempt 1"):
            await rig.result(handle)
    assert types_of(await rig.history(handle))[1:] == [
        "ActivityScheduled",
        "ActivityFailed",
        "WorkflowFailed",
    ]


async def test_a_local_activity_can_take_too_long(rig: Rig) -> None:
    async with rig.worker([Calling], [slow]):
        handle = await rig.start(Calling, "local.slow", [], {"start_to_close_timeout": 1})
        message, *_ = await rig.result(handle)
    timed_out = payload_of(await rig.history(handle), "ActivityTimedOut")
    assert (timed_out["message"], timed_out["timeout_kind"]) == (message, "start_to_close")


async def test_its_heartbeats_keep_the_task_and_are_recorded(rig: Rig) -> None:
    async with rig.worker([Calling], [beating]):
        handle = await rig.start(Calling, "local.beating", [], {"heartbeat_timeout": 10})
        assert await rig.result(handle) == "done"
    (attempt,) = payload_of(await rig.history(handle), "ActivityCompleted")["attempts"]
    assert [beat["details"] for beat in attempt["heartbeats"]] == [{"done": 1}, {"done": 2}]


async def test_one_whose_run_was_cancelled_meanwhile_leaves_nothing(rig: Rig) -> None:
    started, go_on = asyncio.Event(), asyncio.Event()

    @activity.defn(name="local.gated")
    async def gated() -> None:
        started.set()
        await go_on.wait()

    log = TaskLog()
    async with rig.worker([Calling], [gated], interceptors=[log]):
        handle = await rig.start(Calling, "local.gated", [], {})
        await asyncio.wait_for(started.wait(), LONGEST_SECONDS)
        await handle.cancel()
        go_on.set()
        await log.has_worked_on(1)
    assert types_of(await rig.history(handle))[1:] == ["CancelRequested", "WorkflowCancelled"]


async def test_it_is_run_once_however_often_it_is_replayed(rig: Rig) -> None:
    """Another worker goes on at each task, knowing nothing but the history."""
    calls: Counter[str] = Counter()

    def fail() -> None:
        raise Refused("no money")

    @workflow.defn(name="local.replayed")
    class Replayed:
        def __init__(self) -> None:
            self.paid = False

        @workflow.signal(name="pay")
        def pay(self) -> None:
            self.paid = True

        def run(self, ctx: WorkflowContext) -> Steps:
            before = yield ctx.local_activity("local.made", [20])
            effect = yield ctx.side_effect(lambda: 1)
            doubled, _ = yield [ctx.schedule_activity("local.double", [before]), ctx.sleep(0)]
            try:
                yield ctx.local_activity("local.fails", [], retry_policy=THREE_TIMES)
            except ActivityFailed as failure:
                caught = failure.exception_type
            yield ctx.wait_condition(lambda: self.paid, key="paid")
            after = yield ctx.local_activity("local.made", [doubled])
            return [before, effect, doubled, caught, after]

    made = counted("local.made", calls, lambda number: number + 1)
    fails = counted("local.fails", calls, fail)
    async with rig.worker([Replayed], [double, made, fails]):
        handle = await rig.start(Replayed)
        await rig.recorded(handle, "ConditionWaitOpened")
    async with rig.worker([Replayed], [double, made, fails]):
        await handle.signal("pay")
        assert await rig.result(handle) == [21, 1, 42, "Refused", 43]
    assert calls == {"local.made": 2, "local.fails": 1}
    events = await rig.history(handle)
    scheduled = [event["payload"] for event in of_type(events, "ActivityScheduled")]
    assert [(one["sequence"], one.get("execution_mode")) for one in scheduled] == [
        (1, "local"),
        (3, None),
        (5, "local"),
        (7, "local"),
    ]
