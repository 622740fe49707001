"""The fence of an activity attempt: why this caller may not act on it.

run          the run; None when there is none.
activity     the activity; None when there is none.
attempt_id   the attempt the caller was given.
lease_owner  who calls.
now          the moment.
Result       None when the caller holds the attempt, else the reason, in this order: attempt_not_found,
             task_mismatch, run_cancelled, run_terminated, run_closed, stale_attempt, activity_not_running,
             lease_owner_mismatch, lease_expired, run_timed_out.
"""

from __future__ import annotations

import re

from byssus.store.sqlite.rows import Activity, Run

_ATTEMPT_ID = re.compile(r"([0-9a-f-]{36}:a[0-9]{1,9})\.([0-9]{1,9})")


def activity_refusal(  # noqa: C901
    run: Run | None, activity: Activity | None, attempt_id: str, lease_owner: str, now: str
) -> str | None:
    """Why a caller may not act on an activity attempt, or None."""
    match = _ATTEMPT_ID.fullmatch(attempt_id)
    if run is None or activity is None or match is None:
        return "attempt_not_found"
    if match[1] != f"{activity.run_id}:a{activity.position}":
        return "task_mismatch"
    attempt_number = int(match[2])
    if attempt_number > activity.attempt_number:
        return "attempt_not_found"
    if run.status == "cancelled":
        return "run_cancelled"
    if run.status == "terminated":
        return "run_terminated"
    if run.closed_at is not None:
        return "run_closed"
    if attempt_number < activity.attempt_number:
        return "stale_attempt"
    if activity.status != "running" or activity.lease_expires_at is None:
        return "activity_not_running"
    if activity.lease_owner != lease_owner:
        return "lease_owner_mismatch"
    if activity.lease_expires_at <= now:
        return "lease_expired"
    if run.deadline_at is not None and run.deadline_at <= now:
        return "run_timed_out"
    return None
