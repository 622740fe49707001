"""Renews the lease of a workflow task.

namespace      the namespace.
task_id        the workflow task.
lease_owner    who calls.
attempt        the attempt that was claimed.
lease_seconds  how long the lease lasts from now.
Outcomes       renewed; the fence's refusals (workflow_task_refusal), namespace_not_found.
Writes         workflow_tasks.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.moments import later
from byssus.store.sqlite.rows import Run, WorkflowTask
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.refuse_workflow_task import refuse_workflow_task
from byssus.store.sqlite.shared.workflow_task_number import workflow_task_number
from byssus.store.sqlite.shared.workflow_task_refusal import workflow_task_refusal


def heartbeat_workflow_task(
    session: Session, namespace: str, task_id: str, lease_owner: str, attempt: int, lease_seconds: int
) -> Answer:
    """Renew the lease of a workflow task for its holder."""
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

    lease_expires_at = later(now, lease_seconds)
    session.execute(
        "update workflow_tasks set lease_expires_at = ? where run_id = ?", (lease_expires_at, run.run_id)
    )
    return Answer(
        "renewed",
        f'{{"task_id":{json_string(task_id)}'
        f',"workflow_task_attempt":{attempt}'
        f',"lease_owner":{json_string(lease_owner)}'
        f',"renewed":true,"lease_expires_at":"{lease_expires_at}"'
        f',"run_status":"{run.status}","cancel_requested":false}}',
        None,
    )
