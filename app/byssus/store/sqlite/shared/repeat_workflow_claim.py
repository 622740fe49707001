"""The claim that a repeated poll was given before, while its lease lives.

Its page holds no more than has been delivered, so that nothing has to be noted again.

poll          the poll.
registration  the worker's registration.
now           the moment.
Result        the same task again, or None.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import Poll
from byssus.store.sqlite.rows import Registration, Run, WorkflowTask
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.history_page import history_page
from byssus.store.sqlite.shared.leased_workflow_task import leased_workflow_task


def repeat_workflow_claim(
    session: Session, poll: Poll, registration: Registration, now: str
) -> Answer | None:
    """The living claim of a poll that is repeated, or None."""
    task = session.one(
        WorkflowTask,
        "select * from workflow_tasks where namespace = ? and lease_owner = ? and poll_request_id = ?"
        " and status = 'leased' and lease_expires_at > ? limit 1",
        (poll.namespace, poll.worker_id, poll.poll_request_id, now),
    )
    if task is None:
        return None
    run = session.one(Run, "select * from runs where run_id = ?", (task.run_id,))
    assert run is not None
    assert task.after_sequence is not None
    assert task.claimed_sequence is not None
    assert task.delivered_sequence is not None
    page = history_page(
        session,
        run.run_id,
        task.after_sequence,
        task.claimed_sequence,
        min(poll.page_size, task.delivered_sequence - task.after_sequence),
    )
    return leased_workflow_task(session, run, task, registration.sticky_history_suffix, page)
