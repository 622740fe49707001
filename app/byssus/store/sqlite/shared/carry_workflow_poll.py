"""Claims a workflow task for the poll that a completion carries.

It gets the run's own next one, or what the queue has.

A speculative part: in a savepoint of its own. What fails in it is undone alone.

run           the run as the completion has left it.
registration  the registration of the worker that calls.
poll          the poll (see claim_workflow_task).
now           the moment.
answer        the completion's answer.
Result        the answer with the member workflow_poll: the ordinary answer of a poll, or poll_status failed.
Writes        workflow_tasks, sticky_counts, worker_liveness.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import Poll
from byssus.store.sqlite.rows import Registration, Run
from byssus.store.sqlite.session import PartFailed, Session
from byssus.store.sqlite.shared.claimable_task import claimable_task
from byssus.store.sqlite.shared.empty_poll import empty_poll
from byssus.store.sqlite.shared.failure_hint import failure_hint
from byssus.store.sqlite.shared.grant_workflow_task import grant_workflow_task
from byssus.store.sqlite.shared.held_hint import held_hint
from byssus.store.sqlite.shared.lease_workflow_task import lease_workflow_task
from byssus.store.sqlite.shared.record_poll import record_poll
from byssus.store.sqlite.shared.refuse_poll import refuse_poll
from byssus.store.sqlite.shared.repeat_workflow_claim import repeat_workflow_claim
from byssus.store.sqlite.shared.with_part import with_part
from byssus.store.sqlite.shared.without_hint import without_hint


def carry_workflow_poll(
    session: Session, run: Run, registration: Registration, poll: Poll, now: str, answer: Answer
) -> Answer:
    """Claim a workflow task for a carried poll, in a savepoint of its own."""
    try:
        with session.part():
            return _claimed(session, run, registration, poll, now, answer)
    except PartFailed as failed:
        answer = failure_hint(answer, "workflow_poll", str(failed))
        return with_part(answer, "workflow_poll", '{"task":null,"poll_status":"failed"}')


def _claimed(
    session: Session, run: Run, registration: Registration, poll: Poll, now: str, answer: Answer
) -> Answer:
    claim = refuse_poll(session, poll, registration)
    if claim is None:
        if registration.sticky_execution and poll.sticky_execution:
            record_poll(session, registration.namespace, registration.worker_id, poll.polling_seconds, now)
        claim = repeat_workflow_claim(session, poll, registration, now)
    if claim is None:
        task = claimable_task(session, run, registration, now)
        if task is None:
            claim = lease_workflow_task(session, poll, registration, now)
        else:
            claim = grant_workflow_task(session, poll, registration, run, task, now)
            if task.available_at == now:
                hint = held_hint(task.namespace, task.task_queue, task.sticky_worker_id, task.held_until, now)
                answer = without_hint(answer, hint)
    return with_part(answer, "workflow_poll", (claim or empty_poll()).body)
