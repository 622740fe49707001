"""Records an answer, so that the same request repeated gets the same.

run_id   the run.
subject  what was answered (see receipts).
caller   who called.
digest   digest of the request's body.
now      the moment.
answer   the answer; its hints are not kept, since they were given.
Writes   receipts.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.session import Session


def record_receipt(
    session: Session, run_id: str, subject: str, caller: str, digest: str, now: str, answer: Answer
) -> None:
    """Keep an answer for when its request is repeated."""
    session.execute(
        "insert into receipts (run_id, subject, caller, digest, outcome, body, recorded_at)"
        " values (?, ?, ?, ?, ?, ?, ?)",
        (run_id, subject, caller, digest, answer.outcome, answer.body, now),
    )
