"""Activities that fail, take too long, or are told to stop."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from typing import Any

from durable_workflow import activity, workflow
from durable_workflow.errors import ActivityFailed, NonRetryableError
from durable_workflow.workflow import ActivityRetryPolicy, WorkflowContext

from tests.sdk.histories import of_type, payload_of, seconds_between, types_of
from tests.sdk.rig import Rig

Steps = Generator[Any, Any, Any]
AT_ONCE = ActivityRetryPolicy(max_attempts=3, backoff_seconds=[0])


class CardRefused(Exception):
    """What must not be tried again."""


@activity.defn(name="activities.failing")
def failing() -> None:
    raise ValueError(f"attempt {activity.context().info.attempt_number}")


@activity.defn(name="activities.refused")
def refused() -> None:
    raise CardRefused("no money")


@activity.defn(name="activities.hopeless")
def hopeless() -> None:
    raise NonRetryableError("never")


def _describe(failure: ActivityFailed) -> dict[str, Any]:
    return {
        "message": str(failure),
        "type": failure.exception_type,
        "activity": failure.activity_type,
        "non_retryable": failure.non_retryable,
    }


@workflow.defn(name="activities.calling")
class Calling:
    """Calls one activity, and says how it failed."""

    def run(self, ctx: WorkflowContext, name: str, options: dict[str, Any]) -> Steps:
        policy = ActivityRetryPolicy(
            max_attempts=3, backoff_seconds=[0], non_retryable_error_types=["CardRefused"]
        )
        try:
            result = yield ctx.schedule_activity(name, [], **{"retry_policy": policy, **options})
        except ActivityFailed as failure:
            return _describe(failure)
        return result


async def test_a_failure_is_final_when_the_attempts_are_used_up(rig: Rig) -> None:
    async with rig.worker([Calling], [failing]):
        handle = await rig.start(Calling, "activities.failing", {})
        assert await rig.result(handle) == {
            "message": "attempt 3",
            "type": "ValueError",
            "activity": "activities.failing",
            "non_retryable": False,
        }
    assert types_of(await rig.history(handle))[2:] == [
        "ActivityRetryScheduled",
        "ActivityRetryScheduled",
        "ActivityFailed",
        "WorkflowCompleted",
    ]


async def test_without_a_policy_there_is_one_attempt(rig: Rig) -> None:
    async with rig.worker([Calling], [failing]):
        handle = await rig.start(Calling, "activities.failing", {"retry_policy": None})
        assert (await rig.result(handle))["message"] == "attempt 1"


async def test_an_error_type_that_the_policy_excludes_is_final(rig: Rig) -> None:
    async with rig.worker([Calling], [refused]):
        handle = await rig.start(Calling, "activities.refused", {})
        failure = await rig.result(handle)
    assert (failure["message"], failure["type"]) == ("no money", "CardRefused")
    assert not of_type(await rig.history(handle), "ActivityRetryScheduled")


async def test_an_error_that_says_so_itself_is_final(rig: Rig) -> None:
    async with rig.worker([Calling], [hopeless]):
        handle = await rig.start(Calling, "activities.hopeless", {})
        failure = await rig.result(handle)
    assert (failure["message"], failure["non_retryable"]) == ("never", True)
    assert not of_type(await rig.history(handle), "ActivityRetryScheduled")


async def test_an_attempt_that_takes_too_long_is_tried_again(rig: Rig) -> None:
    """Of two attempts the first hangs; the second answers."""
    attempts: list[int] = []
    over = asyncio.Event()

    @activity.defn(name="activities.hanging")
    async def hanging() -> str:
        attempts.append(activity.context().info.attempt_number)
        if attempts[-1] == 1:
            await over.wait()
        return f"attempt {attempts[-1]}"

    async with rig.worker([Calling], [hanging]):
        handle = await rig.start(Calling, "activities.hanging", {"start_to_close_timeout": 1})
        assert await rig.result(handle) == "attempt 2"
        over.set()
    assert attempts == [1, 2]
    events = await rig.history(handle)
    (retry,) = of_type(events, "ActivityRetryScheduled")
    (scheduled,) = of_type(events, "ActivityScheduled")
    assert seconds_between(scheduled, retry) >= 1


async def test_what_a_late_attempt_answers_changes_nothing(rig: Rig) -> None:
    over = asyncio.Event()

    @activity.defn(name="activities.late")
    async def late() -> str:
        await over.wait()
        return "too late"

    options = {"start_to_close_timeout": 1, "retry_policy": None}
    async with rig.worker([Calling], [late]):
        handle = await rig.start(Calling, "activities.late", options)
        failure = await rig.result(handle)
        over.set()
    assert failure["activity"] == "activities.late"
    assert types_of(await rig.history(handle))[-2:] == ["ActivityTimedOut", "WorkflowCompleted"]


async def test_an_activity_that_nobody_takes_times_out(rig: Rig) -> None:
    async with rig.worker([Calling]):
        handle = await rig.start(Calling, "activities.nowhere", {"schedule_to_start_timeout": 1})
        assert (await rig.result(handle))["activity"] == "activities.nowhere"
    events = await rig.history(handle)
    assert seconds_between(*of_type(events, "ActivityScheduled", "ActivityTimedOut")) >= 1


async def test_all_attempts_together_have_a_limit(rig: Rig) -> None:
    patient = {"max_attempts": 100, "backoff_seconds": [1]}
    options = {"schedule_to_close_timeout": 2, "retry_policy": patient}
    async with rig.worker([Calling], [failing]):
        handle = await rig.start(Calling, "activities.failing", options)
        failure = await rig.result(handle)
    assert failure["activity"] == "activities.failing"
    attempts = len(of_type(await rig.history(handle), "ActivityRetryScheduled")) + 1
    assert attempts in (1, 2)


async def test_an_activity_whose_heart_stops_is_tried_again(rig: Rig) -> None:
    over = asyncio.Event()

    @activity.defn(name="activities.fainting")
    async def fainting() -> str:
        await activity.context().heartbeat({"progress": 1})
        if activity.context().info.attempt_number == 1:
            await over.wait()
        return "recovered"

    async with rig.worker([Calling], [fainting]):
        handle = await rig.start(Calling, "activities.fainting", {"heartbeat_timeout": 1})
        assert await rig.result(handle) == "recovered"
        over.set()
    assert payload_of(await rig.history(handle), "ActivityCompleted")["attempt_number"] == 2


async def test_heartbeats_keep_an_activity_alive(rig: Rig) -> None:
    """It beats for twice as long as it could be silent."""

    @activity.defn(name="activities.beating")
    async def beating() -> int:
        begin = asyncio.get_running_loop().time()
        beats = 0
        while asyncio.get_running_loop().time() < begin + 2.5:
            await activity.context().heartbeat({"beats": beats})
            beats += 1
            await asyncio.sleep(0.1)
        return activity.context().info.attempt_number

    async with rig.worker([Calling], [beating]):
        handle = await rig.start(Calling, "activities.beating", {"heartbeat_timeout": 1})
        assert await rig.result(handle) == 1


@workflow.defn(name="activities.failing-workflow")
class GivesUp:
    def run(self, ctx: WorkflowContext) -> Steps:
        yield ctx.schedule_activity("activities.failing", [], retry_policy=AT_ONCE)


async def test_what_the_workflow_does_not_handle_fails_it(rig: Rig) -> None:
    async with rig.worker([GivesUp], [failing]):
        handle = await rig.start(GivesUp)
        await rig.recorded(handle, "WorkflowFailed")
    events = await rig.history(handle)
    failed = payload_of(events, "WorkflowFailed")
    assert "attempt 3" in failed["message"]
    assert failed["failed_step_sequence"] == 1
    (scheduled,) = of_type(events, "ActivityScheduled")
    assert failed["failed_activity_execution_id"] == scheduled["payload"]["activity_execution_id"]
