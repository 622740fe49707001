"""Starts the next attempt of an activity for a worker.

poll          the poll.
registration  the worker's registration.
activity      the activity; it is pending, and the worker may have it.
now           the moment.
Result        the attempt.
Writes        activities.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import Poll
from byssus.store.sqlite.moments import later
from byssus.store.sqlite.rows import Activity, Registration
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.activity_timeout_at import activity_timeout_at
from byssus.store.sqlite.shared.leased_activity import leased_activity


def grant_activity(
    session: Session, poll: Poll, registration: Registration, activity: Activity, now: str
) -> Answer:
    """Start the next attempt of a pending activity for a worker."""
    activity.status = "running"
    activity.attempt_number += 1
    activity.started_at = now
    activity.last_heartbeat_at = None
    activity.lease_owner = registration.worker_id
    # A worker need not renew, so the lease outlasts the attempt's own timeout.
    activity.lease_expires_at = later(now, poll.lease_seconds + (activity.start_to_close_timeout or 0))
    session.execute(
        "update activities set status = 'running', attempt_number = ?, started_at = ?,"
        " last_heartbeat_at = null, heartbeat_details = null, lease_owner = ?, lease_expires_at = ?,"
        " registration_token = ?, poll_request_id = ?, timeout_at = ? where run_id = ? and position = ?",
        (
            activity.attempt_number,
            now,
            activity.lease_owner,
            activity.lease_expires_at,
            registration.registration_token,
            poll.poll_request_id,
            activity_timeout_at(activity),
            activity.run_id,
            activity.position,
        ),
    )
    return leased_activity(session, activity)
