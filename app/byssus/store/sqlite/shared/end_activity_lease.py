"""Ends the lease of an activity attempt that was not answered: the activity is pending again.

The attempt stays counted, so that its holder, if it still lives, is fenced off.

activity  the running activity.
now       when the lease ends.
Writes    activities.
"""

from __future__ import annotations

from dataclasses import replace

from byssus.store.sqlite.rows import Activity
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.activity_timeout_at import activity_timeout_at


def end_activity_lease(session: Session, activity: Activity, now: str) -> None:
    """Make a running activity pending again."""
    pending = replace(activity, status="pending", available_at=now)
    session.execute(
        "update activities set status = 'pending', available_at = ?, lease_owner = null,"
        " lease_expires_at = null, registration_token = null, poll_request_id = null, started_at = null,"
        " last_heartbeat_at = null, timeout_at = ? where run_id = ? and position = ?",
        (now, activity_timeout_at(pending), activity.run_id, activity.position),
    )
