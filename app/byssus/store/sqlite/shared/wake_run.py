"""Makes sure that the run has an open workflow task; an open one takes the news along.

A new one waits a while for the worker that has the run in its cache.

run_id    the run.
sequence  the run's last history sequence, which names the task.
now       from when on the task may be claimed.
Result    the hint for the run's queue, or for the worker that the task is held for.
Writes    workflow_tasks.
"""

from __future__ import annotations

from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.held_hint import held_hint
from byssus.store.sqlite.shared.sticky_hold import sticky_hold


def wake_run(session: Session, run_id: str, sequence: int, now: str) -> str:
    """Open a workflow task for a run unless one is open, with its queue, build, priority and affinity."""
    hold = sticky_hold(session, run_id, now, now)
    session.execute(
        "insert into workflow_tasks (run_id, task_number, namespace, task_queue, workflow_type, build_id,"
        " priority, status, available_at, sticky_worker_id, sticky_registration_token, sticky_until,"
        " held_until)"
        " select run_id, ?, namespace, task_queue, workflow_type, build_id, priority, 'ready', ?, ?, ?, ?, ?"
        " from runs where run_id = ?"
        " on conflict (run_id) do nothing",
        (sequence, now, *hold, run_id),
    )
    namespace, task_queue = session.execute(
        "select namespace, task_queue from runs where run_id = ?", (run_id,)
    ).fetchone()
    return held_hint(namespace, task_queue, hold.sticky_worker_id, hold.held_until, now)
