"""Gives back a claim whose answer could not be delivered: the task is ready again at once.

namespace    the namespace.
task_id      the workflow task.
lease_owner  for whom it was claimed.
attempt      the attempt that was claimed.
Outcomes     released; the fence's refusals (workflow_task_refusal), namespace_not_found.
Writes       workflow_tasks, and what was held meanwhile: inbox, runs, history_events.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.rows import Run, WorkflowTask
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.end_workflow_lease import end_workflow_lease
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.refuse_workflow_task import refuse_workflow_task
from byssus.store.sqlite.shared.workflow_task_number import workflow_task_number
from byssus.store.sqlite.shared.workflow_task_refusal import workflow_task_refusal


def release_workflow_task(
    session: Session, namespace: str, task_id: str, lease_owner: str, attempt: int
) -> Answer:
    """Offer a workflow task again whose claim did not reach its worker."""
    run = session.one(
        Run,
        "select * from runs where run_id = ? and namespace = ?",
        (task_id.partition(":k")[0], namespace),
    )
    run_id = None if run is None else run.run_id
    task = session.one(WorkflowTask, "select * from workflow_tasks where run_id = ?", (run_id,))
    now = session.now()

    reason = workflow_task_refusal(run, task, workflow_task_number(task_id), lease_owner, attempt, now)
    if reason is not None:
        return refuse_workflow_task(session, namespace, reason, run, task_id, attempt)
    assert run is not None

    hint = end_workflow_lease(session, run, now, now)
    return Answer(
        "released",
        f'{{"task_id":{json_string(task_id)},"outcome":"released"}}',
        f"[{hint}]",
    )
