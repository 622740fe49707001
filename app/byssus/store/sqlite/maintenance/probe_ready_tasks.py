"""Says which of some queues have something to claim: the net under lost wake-ups.

queues    array of ["workflow" or "activity", namespace, task_queue].
Outcomes  probed: those of them that have a due task.
"""

from __future__ import annotations

import msgspec

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import raw_lists, text_lists, text_of
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.has_ready_activity import has_ready_activity
from byssus.store.sqlite.shared.has_ready_workflow_task import has_ready_workflow_task


def probe_ready_tasks(session: Session, queues: str) -> Answer:
    """The queues that have a due workflow task or activity."""
    now = session.now()
    ready = [text_of(queue) or "" for queue in raw_lists.decode(queues) if _is_ready(session, queue, now)]
    return Answer("probed", f'{{"ready":[{",".join(ready)}]}}', None)


def _is_ready(session: Session, queue: msgspec.Raw, now: str) -> bool:
    kind, namespace, task_queue = text_lists.decode(queue)
    has_ready = has_ready_workflow_task if kind == "workflow" else has_ready_activity
    return has_ready(session, namespace, task_queue, now)
