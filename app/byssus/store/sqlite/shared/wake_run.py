"""Makes sure that the run has an open workflow task; an open one takes the news along.

run_id    the run.
sequence  the run's last history sequence, which names the task.
now       from when on the task may be claimed.
Result    the hint for the run's queue.
Writes    workflow_tasks.
"""

from __future__ import annotations

from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.ready_hint import ready_hint


def wake_run(session: Session, run_id: str, sequence: int, now: str) -> str:
    """Open a workflow task for a run unless one is open, with the run's queue, build and priority."""
    session.execute(
        "insert into workflow_tasks (run_id, task_number, namespace, task_queue, workflow_type, build_id,"
        " priority, status, available_at)"
        " select run_id, ?, namespace, task_queue, workflow_type, build_id, priority, 'ready', ?"
        " from runs where run_id = ?"
        " on conflict (run_id) do nothing",
        (sequence, now, run_id),
    )
    queue = session.execute("select namespace, task_queue from runs where run_id = ?", (run_id,)).fetchone()
    return ready_hint("workflow", *queue)
