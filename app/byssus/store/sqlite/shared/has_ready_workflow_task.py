"""Whether a queue has a workflow task that is due, be it held for one worker.

namespace, task_queue  the queue.
now           the moment.
hold_seconds  the longest hold to look behind.
Result        true if there is one. One index probe per priority, whatever waits for later.
"""

from __future__ import annotations

from byssus.store.sqlite.moments import later
from byssus.store.sqlite.session import Session


def has_ready_workflow_task(
    session: Session, namespace: str, task_queue: str, now: str, hold_seconds: int
) -> bool:
    """Whether a queue has a due workflow task."""
    return session.exists(
        "select 1 from workflow_tasks where namespace = ? and task_queue = ? and status = 'ready'"
        " and priority in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9) and held_until <= ? and available_at <= ?"
        " limit 1",
        (namespace, task_queue, later(now, hold_seconds), now),
    )
