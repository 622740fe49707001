"""Ends the lease of a workflow task that was not answered.

What was held meanwhile enters history, and the task is ready again, its attempt to be raised by the next
claim. The run's affinity stays as it is.

run           the run.
now           when the lease ends.
available_at  when the task may be claimed again.
Result        the hint for the run's queue, or for the worker that the task is held for.
Writes        inbox, runs, history_events, workflow_tasks.
"""

from __future__ import annotations

from byssus.store.sqlite.rows import Run
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.held_hint import held_hint
from byssus.store.sqlite.shared.ready_hint import ready_hint
from byssus.store.sqlite.shared.release_held_events import release_held_events
from byssus.store.sqlite.shared.sticky_hold import sticky_hold


def end_workflow_lease(session: Session, run: Run, now: str, available_at: str) -> str:
    """Make a leased workflow task ready again and append what was held meanwhile."""
    release_held_events(session, run, now)
    hold = sticky_hold(session, run.run_id, available_at, now)
    session.execute(
        "update workflow_tasks set status = 'ready', available_at = ?, lease_owner = null,"
        " lease_expires_at = null, registration_token = null, poll_request_id = null,"
        " sticky_replay_mode = null, sticky_claimed_at = null, after_sequence = null,"
        " claimed_sequence = null, delivered_sequence = null, sticky_worker_id = ?,"
        " sticky_registration_token = ?, sticky_until = ?, held_until = ? where run_id = ?",
        (available_at, *hold, run.run_id),
    )

    if available_at > now:
        return ready_hint("workflow", run.namespace, run.task_queue, available_at)
    return held_hint(run.namespace, run.task_queue, hold.sticky_worker_id, hold.held_until, now)
