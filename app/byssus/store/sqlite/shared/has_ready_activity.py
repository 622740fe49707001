"""Whether a queue has an activity that is due.

namespace, task_queue  the queue.
now     the moment.
Result  true if there is one. One index probe per priority, whatever waits for later.
"""

from __future__ import annotations

from byssus.store.sqlite.session import Session


def has_ready_activity(session: Session, namespace: str, task_queue: str, now: str) -> bool:
    """Whether a queue has a due activity."""
    return session.exists(
        "select 1 from activities where namespace = ? and task_queue = ? and status = 'pending'"
        " and priority in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9) and available_at <= ? limit 1",
        (namespace, task_queue, now),
    )
