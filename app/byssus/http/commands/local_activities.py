"""Commands that record an activity which the worker itself has run."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from byssus.errors import invalid
from byssus.http.commands.activities import RetryPolicy
from byssus.http.commands.groups import group_members
from byssus.http.commands.members import ABSENT, Document, Line, Sequence, decoder, envelope
from byssus.http.documents import present, verbatim
from byssus.http.validation import Identifier, Seconds, SecondsFromZero, check_bytes, decode
from byssus.payloads import is_absent

_Milliseconds = Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000_000)]
_Outcome = Literal["completed", "failed", "timed_out", "cancelled"]
_TimeoutKind = Literal["start_to_close", "schedule_to_close", "heartbeat"]


class LocalHeartbeat(msgspec.Struct):
    """A sign of life from a local activity."""

    elapsed_ms: _Milliseconds
    details: dict[str, msgspec.Raw] | None = None


class LocalAttempt(msgspec.Struct):
    """One attempt of a local activity."""

    attempt_id: Identifier
    attempt_number: Sequence
    outcome: _Outcome
    duration_ms: _Milliseconds
    heartbeats: list[LocalHeartbeat] | None = None
    message: str | None = None
    exception_type: Line | None = None
    non_retryable: bool | None = None
    timeout_kind: _TimeoutKind | None = None
    retry_reason: Literal["failure", "timeout"] | None = None
    backoff_seconds: SecondsFromZero | None = None


class RecordLocalActivity(msgspec.Struct):
    """Remember an activity that the worker itself has run to its end."""

    activity_type: Identifier
    execution_mode: Literal["local"]
    outcome: _Outcome
    attempts: msgspec.Raw
    arguments: msgspec.Raw = ABSENT
    retry_policy: msgspec.Raw = ABSENT
    start_to_close_timeout: Seconds | None = None
    schedule_to_close_timeout: Seconds | None = None
    heartbeat_timeout: Seconds | None = None
    cancellation_policy: msgspec.Raw = ABSENT
    result: msgspec.Raw = ABSENT
    message: str | None = None
    exception_type: Line | None = None
    non_retryable: bool | None = None
    timeout_kind: _TimeoutKind | None = None


class _Attempted(msgspec.Struct):
    attempts: Annotated[list[LocalAttempt], msgspec.Meta(min_length=1)]


def record_local_activity(command: msgspec.Raw, at: str) -> Document:
    """What a local activity was, and what it came to."""
    local = decode(_local_activities, command, at)
    if group_members(command, at):
        raise invalid(at + "parallel_group_path", "is not supported for a local activity by this server")
    if not is_absent(local.cancellation_policy):
        raise invalid(at + "cancellation_policy", "is not supported for a local activity by this server")
    if not is_absent(local.retry_policy):
        decode(_policies, local.retry_policy, at + "retry_policy.")
    _check_attempts(decode(_attempted, command, at).attempts, local.outcome, at + "attempts.")
    kind: Document = {"activity_type": local.activity_type, "execution_mode": "local"}
    scheduled: Document = {
        **kind,
        "local_activity": True,
        "arguments": envelope(local.arguments, at + "arguments"),
        "retry_policy": local.retry_policy,
        "start_to_close_timeout": local.start_to_close_timeout,
        "schedule_to_close_timeout": local.schedule_to_close_timeout,
        "heartbeat_timeout": local.heartbeat_timeout,
    }
    ended: Document = {**kind, "attempts": local.attempts, **_local_end(local, at)}
    return {
        "fields": verbatim(present(scheduled)),
        "outcome": local.outcome,
        "outcome_fields": verbatim(present(ended)),
    }


def _check_attempts(attempts: list[LocalAttempt], outcome: str, at: str) -> None:
    """Refuse a trail that is not numbered 1, 2, 3, ... or does not lead to the outcome."""
    for number, attempt in enumerate(attempts):
        check_bytes(attempt, f"{at}{number}.")
        if attempt.attempt_number != number + 1:
            raise invalid(f"{at}{number}.attempt_number", f"must be {number + 1}")
        if number < len(attempts) - 1 and attempt.outcome == "completed":
            raise invalid(f"{at}{number}.outcome", "must not be completed: another attempt follows")
    if attempts[-1].outcome != outcome:
        raise invalid(f"{at}{len(attempts) - 1}.outcome", "must be the outcome of the activity")


def _local_end(local: RecordLocalActivity, at: str) -> Document:
    """What a local activity came to: its result, or its failure in the words that workflow code has seen."""
    result = envelope(local.result, at + "result")
    failure: Document = {
        "message": local.message,
        "exception_type": local.exception_type,
        "non_retryable": local.non_retryable,
        "timeout_kind": local.timeout_kind,
    }
    if local.outcome == "completed":
        for name in present(failure):
            raise invalid(at + name, "must not be given when the outcome is completed")
        if is_absent(result):
            raise invalid(at + "result", "is required when the outcome is completed")
        return {"result": result, "payload_codec": "avro"}
    if not is_absent(result):
        raise invalid(at + "result", f"must not be given when the outcome is {local.outcome}")
    if local.message is None:
        raise invalid(at + "message", f"is required when the outcome is {local.outcome}")
    return failure


_local_activities = decoder(RecordLocalActivity)
_attempted = decoder(_Attempted)
_policies = decoder(RetryPolicy)
