"""Commands that schedule an activity."""

from __future__ import annotations

import msgspec

from byssus.errors import invalid
from byssus.http.commands.groups import group_members
from byssus.http.commands.members import ABSENT, Document, Line, Sequence, decoder, envelope, part
from byssus.http.documents import present, text_of, verbatim
from byssus.http.validation import Identifier, Seconds, SecondsFromZero, decode
from byssus.payloads import is_absent


class RetryPolicy(msgspec.Struct):
    """How often and how fast an activity is tried again."""

    max_attempts: Sequence | None = 1
    backoff_seconds: list[SecondsFromZero] | SecondsFromZero | None = None
    non_retryable_error_types: list[Line] | None = None


class ScheduleActivity(msgspec.Struct):
    """Run an activity."""

    activity_type: Identifier
    queue: Identifier
    arguments: msgspec.Raw = ABSENT
    retry_policy: msgspec.Raw = ABSENT
    start_to_close_timeout: Seconds | None = None
    schedule_to_start_timeout: Seconds | None = None
    schedule_to_close_timeout: Seconds | None = None
    heartbeat_timeout: Seconds | None = None
    worker_session: msgspec.Raw = ABSENT
    cancellation_policy: str | None = None


def schedule_activity(command: msgspec.Raw, at: str) -> Document:
    """What an activity is scheduled with."""
    activity = decode(_activities, command, at)
    if not is_absent(activity.worker_session):
        raise invalid(at + "worker_session", "is not supported by this server")
    if activity.cancellation_policy not in (None, "try_cancel"):
        raise invalid(at + "cancellation_policy", "must be try_cancel")
    arguments = envelope(activity.arguments, at + "arguments")
    timeouts = {
        "start_to_close_timeout": activity.start_to_close_timeout,
        "schedule_to_start_timeout": activity.schedule_to_start_timeout,
        "schedule_to_close_timeout": activity.schedule_to_close_timeout,
        "heartbeat_timeout": activity.heartbeat_timeout,
    }
    recorded: Document = {
        "activity_type": activity.activity_type,
        "arguments": arguments,
        "queue": activity.queue,
        "retry_policy": activity.retry_policy,
        **timeouts,
    }
    typed: Document = {
        "activity_type": activity.activity_type,
        "task_queue": activity.queue,
        "arguments": part(arguments),
        **timeouts,
        **_retries(activity.retry_policy, at + "retry_policy."),
        **group_members(command, at),
    }
    return {"fields": verbatim(present(recorded)), **present(typed)}


def _retries(policy: msgspec.Raw, at: str) -> Document:
    if is_absent(policy):
        return {"max_attempts": 1, "backoff_seconds": [], "non_retryable_error_types": []}
    retries = decode(_policies, policy, at)
    backoff = retries.backoff_seconds
    return {
        "max_attempts": retries.max_attempts,
        "backoff_seconds": [backoff] if isinstance(backoff, int) else backoff or [],
        "non_retryable_error_types": retries.non_retryable_error_types or [],
        "retry_policy": text_of(policy),
    }


_activities = decoder(ScheduleActivity)
_policies = decoder(RetryPolicy)
