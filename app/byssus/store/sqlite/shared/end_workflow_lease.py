"""Ends the lease of a workflow task that was not answered.

What was held meanwhile enters history, and the task is ready again, its attempt to be raised by the next
claim.

run           the run.
now           when the lease ends.
available_at  when the task may be claimed again.
Writes        inbox, runs, history_events, workflow_tasks.
"""

from __future__ import annotations

from byssus.store.sqlite.rows import Run
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.release_held_events import release_held_events


def end_workflow_lease(session: Session, run: Run, now: str, available_at: str) -> None:
    """Make a leased workflow task ready again and append what was held meanwhile."""
    release_held_events(session, run, now)
    session.execute(
        "update workflow_tasks set status = 'ready', available_at = ?, lease_owner = null,"
        " lease_expires_at = null, registration_token = null, poll_request_id = null, claimed_sequence = null"
        " where run_id = ?",
        (available_at, run.run_id),
    )
