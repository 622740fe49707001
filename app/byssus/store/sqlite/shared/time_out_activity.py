"""Times out an activity, if one of its timeouts has truly struck.

Heartbeats may have moved on since its row said so.

run       its run.
position  its authored position.
now       the moment.
Result    the wake-up hints, as elements joined by commas; None when no timeout had struck.
Writes    activities; inbox, or runs, history_events, workflow_tasks.
"""

from __future__ import annotations

from byssus.store.sqlite.moments import later
from byssus.store.sqlite.rows import Activity, Run
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.activity_timeout_at import activity_timeout_at
from byssus.store.sqlite.shared.retry_or_close_activity import retry_or_close_activity


def time_out_activity(session: Session, run: Run, position: int, now: str) -> str | None:
    """Retry or end an activity whose timeout has struck."""
    activity = session.one(
        Activity,
        "select * from activities where run_id = ? and position = ? and closed_at is null",
        (run.run_id, position),
    )
    if activity is None:
        return None
    timeout_at = activity_timeout_at(activity)
    if timeout_at is not None and timeout_at > now:
        session.execute(
            "update activities set timeout_at = ? where run_id = ? and position = ?",
            (timeout_at, run.run_id, position),
        )
        return None

    kind = _timeout_kind(activity, now)
    end = retry_or_close_activity(
        session,
        run,
        activity,
        now,
        kind in ("heartbeat", "start_to_close"),
        "timed_out",
        "ActivityTimedOut",
        f',"timeout_kind":"{kind}","message":"The activity\'s {kind.replace("_", "-")} timeout has passed."'
        ',"exception_type":"ActivityTimedOut","failure_category":"timeout"',
    )
    return end.hints


def _timeout_kind(activity: Activity, now: str) -> str:
    """Which of the activity's timeouts has struck."""
    deadline = activity.schedule_to_close_deadline_at
    if deadline is not None and deadline <= now:
        return "schedule_to_close"
    if activity.status == "pending" or activity.started_at is None:
        return "schedule_to_start"
    silent = later(activity.last_heartbeat_at or activity.started_at, activity.heartbeat_timeout)
    return "heartbeat" if silent is not None and silent <= now else "start_to_close"
