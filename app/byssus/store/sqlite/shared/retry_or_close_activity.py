"""Ends a failed or timed-out attempt: another attempt later, or the end of the activity.

Which of them, the retry policy says.

run         the run.
activity    the activity, running or pending.
now         when the attempt ended.
retryable   whether this kind of end may be retried at all.
status      failed or timed_out: what the activity becomes when it is not retried.
event_type  ActivityFailed or ActivityTimedOut.
members     what the event says of the failure, with a leading comma.
Result      outcome: retry_scheduled or `status`; available_at: when the next attempt may start; hints:
            wake-ups.
Writes      activities; through record_event inbox, runs, history_events, workflow_tasks.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from byssus.store.sqlite.documents import number_lists
from byssus.store.sqlite.moments import later
from byssus.store.sqlite.rows import Activity, Run
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.activity_event import activity_event
from byssus.store.sqlite.shared.activity_timeout_at import activity_timeout_at
from byssus.store.sqlite.shared.group_has_open_leaf import group_has_open_leaf
from byssus.store.sqlite.shared.ready_hint import ready_hint
from byssus.store.sqlite.shared.record_event import record_event


class AttemptEnd(NamedTuple):
    """What became of an activity whose attempt ended."""

    outcome: str
    available_at: str | None
    hints: str


def retry_or_close_activity(
    session: Session,
    run: Run,
    activity: Activity,
    now: str,
    retryable: bool,
    status: str,
    event_type: str,
    members: str,
) -> AttemptEnd:
    """Schedule the next attempt of an activity, or end it with its final failure or timeout."""
    available_at = later(now, _backoff(activity))
    deadline = activity.schedule_to_close_deadline_at
    if (
        retryable
        and (activity.max_attempts is None or activity.attempt_number < activity.max_attempts)
        and (deadline is None or available_at < deadline)
    ):
        pending = replace(activity, status="pending", available_at=available_at)
        session.execute(
            "update activities set status = 'pending', available_at = ?, lease_owner = null,"
            " lease_expires_at = null, started_at = null, last_heartbeat_at = null, heartbeat_details = null,"
            " timeout_at = ? where run_id = ? and position = ?",
            (available_at, activity_timeout_at(pending), activity.run_id, activity.position),
        )
        payload = activity_event(activity, f'{members},"retry_available_at":"{available_at}"')
        hints = record_event(session, run, now, "result", "ActivityRetryScheduled", payload, wakes=False)
        ready = ready_hint("activity", activity.namespace, activity.task_queue, available_at)
        return AttemptEnd("retry_scheduled", available_at, f"{hints},{ready}" if hints else ready)

    session.execute(
        "update activities set status = ?, closed_at = ?, lease_owner = null, lease_expires_at = null,"
        " started_at = null, timeout_at = null where run_id = ? and position = ?",
        (status, now, activity.run_id, activity.position),
    )
    wakes = not group_has_open_leaf(session, run.run_id, activity.group_base, activity.group_size)
    hints = record_event(session, run, now, "result", event_type, activity_event(activity, members), wakes)
    return AttemptEnd(status, None, hints)


def _backoff(activity: Activity) -> int:
    """Seconds until the next attempt; the last number of the list holds for all later ones."""
    backoff = number_lists.decode(activity.backoff_seconds)[: activity.attempt_number]
    return backoff[-1] if backoff else 0
