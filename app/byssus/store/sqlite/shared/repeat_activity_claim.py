"""The claim that a repeated poll was given before, while its lease lives.

poll    the poll.
now     the moment.
Result  the same attempt again, or None.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import Poll
from byssus.store.sqlite.rows import Activity
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.leased_activity import leased_activity


def repeat_activity_claim(session: Session, poll: Poll, now: str) -> Answer | None:
    """The living claim of a poll that is repeated, or None."""
    activity = session.one(
        Activity,
        "select * from activities where namespace = ? and lease_owner = ? and poll_request_id = ?"
        " and status = 'running' and lease_expires_at > ? limit 1",
        (poll.namespace, poll.worker_id, poll.poll_request_id, now),
    )
    return None if activity is None else leased_activity(session, activity)
