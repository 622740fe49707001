"""Starts the next attempt of the first due activity of a queue that a worker can run.

poll          the poll.
registration  the worker's registration.
now           the moment.
Result        the attempt, or None.
Writes        activities.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import Poll
from byssus.store.sqlite.rows import Activity, Registration
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.grant_activity import grant_activity


def lease_activity(session: Session, poll: Poll, registration: Registration, now: str) -> Answer | None:
    """Start the next attempt of the first due activity that a worker can run, or return None."""
    # All priorities are named, so that each is one range of the index, up to the present moment.
    activity = session.one(
        Activity,
        "select * from activities"
        " where namespace = ?1 and task_queue = ?2 and status = 'pending'"
        " and priority in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9) and available_at <= ?3"
        " and activity_type in (select value from json_each(?4))"
        " and (build_id is null or build_id = ?5)"
        " and (timeout_at is null or timeout_at > ?3)"
        " order by priority, available_at, run_id, position limit 1",
        (
            registration.namespace,
            registration.task_queue,
            now,
            registration.activity_types,
            registration.build_id,
        ),
    )
    if activity is None:
        return None

    return grant_activity(session, poll, registration, activity, now)
