"""The activity of a run that a poll was given, while its lease lives.

poll    the poll.
run_id  the run.
now     the moment.
Result  the activity, or None.
"""

from __future__ import annotations

from byssus.store.sqlite.documents import Poll
from byssus.store.sqlite.rows import Activity
from byssus.store.sqlite.session import Session


def polled_activity(session: Session, poll: Poll, run_id: str, now: str) -> Activity | None:
    """The activity of a run that a poll was given, or None."""
    return session.one(
        Activity,
        "select * from activities where namespace = ? and lease_owner = ? and poll_request_id = ?"
        " and status = 'running' and lease_expires_at > ? and run_id = ? limit 1",
        (poll.namespace, poll.worker_id, poll.poll_request_id, now, run_id),
    )
