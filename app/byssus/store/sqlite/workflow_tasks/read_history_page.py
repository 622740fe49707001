"""Reads a further page of the history of a claim.

It ends where the claim found the history: an event that was appended later is never delivered to it. What
the page delivers raises the lease's delivered boundary.

namespace       the namespace.
task_id         the workflow task.
lease_owner     who calls.
attempt         the attempt that was claimed.
after_sequence  the page begins behind this history sequence.
page_size       how many events at most.
Outcomes        page; the fence's refusals (workflow_task_refusal), namespace_not_found.
Writes          workflow_tasks, when the page goes beyond what had been delivered.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.rows import Run, WorkflowTask
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.history_page import history_page
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.record_delivery import record_delivery
from byssus.store.sqlite.shared.refuse_workflow_task import refuse_workflow_task
from byssus.store.sqlite.shared.workflow_task_number import workflow_task_number
from byssus.store.sqlite.shared.workflow_task_refusal import workflow_task_refusal


def read_history_page(
    session: Session,
    namespace: str,
    task_id: str,
    lease_owner: str,
    attempt: int,
    after_sequence: int,
    page_size: int,
) -> Answer:
    """A further page of a claim's history, bounded where the claim found it."""
    run = session.one(
        Run,
        "select * from runs where run_id = ? and namespace = ?",
        (task_id.partition(":k")[0], namespace),
    )
    run_id = None if run is None else run.run_id
    task = session.one(WorkflowTask, "select * from workflow_tasks where run_id = ?", (run_id,))

    reason = workflow_task_refusal(
        run, task, workflow_task_number(task_id), lease_owner, attempt, session.now()
    )
    if reason is not None:
        return refuse_workflow_task(session, namespace, reason, run, task_id, attempt)
    assert run is not None
    assert task is not None
    assert task.claimed_sequence is not None

    page = history_page(session, run.run_id, after_sequence, task.claimed_sequence, page_size)
    record_delivery(session, task, page.last)
    return Answer(
        "page",
        f'{{"task_id":{json_string(task_id)}'
        f',"workflow_task_attempt":{attempt}'
        f',"history_events":[{page.events}]'
        f',"next_history_page_token":{json_string(page.token) or "null"}'
        f',"total_history_events":{task.claimed_sequence}}}',
        None,
    )
