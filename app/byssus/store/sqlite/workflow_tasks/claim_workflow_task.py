"""Claims workflow tasks for polls that wait on one queue: for each the first due one its worker can run.

A poll that is repeated while its claim lives gets the same claim. When nothing is due it takes no lock,
but for the note that a sticky worker polls.

polls     array of {namespace, worker_id, task_queue, build_id?, poll_request_id, page_size, lease_seconds,
          sticky_execution, hold_seconds, polling_seconds}, all of one namespace and queue.
Result    one answer per poll, in order.
Outcomes  leased, empty; worker_not_registered, task_queue_mismatch, build_id_mismatch, namespace_not_found.
Writes    workflow_tasks, sticky_counts, worker_liveness.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import polls as poll_lists
from byssus.store.sqlite.rows import Registration
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.empty_poll import empty_poll
from byssus.store.sqlite.shared.has_ready_workflow_task import has_ready_workflow_task
from byssus.store.sqlite.shared.lease_workflow_task import lease_workflow_task
from byssus.store.sqlite.shared.record_poll import record_poll
from byssus.store.sqlite.shared.refuse_poll import refuse_poll
from byssus.store.sqlite.shared.repeat_workflow_claim import repeat_workflow_claim


def claim_workflow_task(session: Session, polls: str) -> list[Answer]:
    """Claim ready workflow tasks of one queue for waiting polls."""
    waiting = poll_lists.decode(polls)
    now = session.now()
    due = has_ready_workflow_task(
        session, waiting[0].namespace, waiting[0].task_queue, now, waiting[0].hold_seconds
    )
    if due:
        session.must_write()

    answers = []
    for poll in waiting:
        registration = session.one(
            Registration,
            "select * from worker_registrations where namespace = ? and worker_id = ?",
            (poll.namespace, poll.worker_id),
        )
        answer = refuse_poll(session, poll, registration)
        if answer is None:
            assert registration is not None
            if registration.sticky_execution and poll.sticky_execution:
                record_poll(session, poll.namespace, poll.worker_id, poll.polling_seconds, now)
            answer = repeat_workflow_claim(session, poll, registration, now)
        if answer is None and due:
            assert registration is not None
            answer = lease_workflow_task(session, poll, registration, now)
        answers.append(answer or empty_poll())
    return answers
