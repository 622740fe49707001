"""Records that a worker could not answer a workflow task.

The run itself does not fail: the task is offered again, later and later. A worker that merely waits for
history is done with the task.

namespace    the namespace.
task_id      the workflow task.
lease_owner  who calls.
attempt      the attempt that was claimed.
failure      type?, message, reason?
digest       digest of the failure, for repeats.
Outcomes     failed, waiting_for_history; the fence's refusals (workflow_task_refusal),
             conflicting_completion, namespace_not_found.
Writes       workflow_tasks, receipts, and what was held meanwhile: inbox, runs, history_events.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import task_failures
from byssus.store.sqlite.moments import later
from byssus.store.sqlite.rows import Run, WorkflowTask
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.acknowledge_workflow_task import acknowledge_workflow_task
from byssus.store.sqlite.shared.end_workflow_lease import end_workflow_lease
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.record_receipt import record_receipt
from byssus.store.sqlite.shared.refuse_workflow_task import refuse_workflow_task
from byssus.store.sqlite.shared.repeated_answer import repeated_answer
from byssus.store.sqlite.shared.workflow_task_number import workflow_task_number
from byssus.store.sqlite.shared.workflow_task_refusal import workflow_task_refusal


def fail_workflow_task(
    session: Session, namespace: str, task_id: str, lease_owner: str, attempt: int, failure: str, digest: str
) -> Answer:
    """Record a failed workflow task and offer it again later, or let its worker wait for history."""
    subject = f"{task_id[37:]}.{attempt}"
    run = session.one(
        Run,
        "select * from runs where run_id = ? and namespace = ?",
        (task_id.partition(":k")[0], namespace),
    )
    run_id = None if run is None else run.run_id
    task = session.one(WorkflowTask, "select * from workflow_tasks where run_id = ?", (run_id,))
    now = session.now()

    answer = repeated_answer(
        session,
        run_id,
        subject,
        lease_owner,
        digest,
        "conflicting_completion",
        f',"task_id":{json_string(task_id)},"workflow_task_attempt":{attempt}'
        ',"outcome":"rejected","recorded":false',
    )
    if answer is not None:
        return answer
    reason = workflow_task_refusal(run, task, workflow_task_number(task_id), lease_owner, attempt, now)
    if reason is not None:
        return refuse_workflow_task(session, namespace, reason, run, task_id, attempt)
    assert run is not None
    assert task is not None

    failure_type = task_failures.decode(failure).type
    if failure_type == "WorkflowTaskWaitingForHistory":
        answer = acknowledge_workflow_task(session, run, task, now)
    else:
        available_at = later(now, _pause(failure_type, task.failure_count))
        hint = end_workflow_lease(session, run, now, available_at)
        session.execute(
            "update workflow_tasks set failure_count = failure_count + 1, last_failure = ? where run_id = ?",
            (failure, run.run_id),
        )
        answer = Answer(
            "failed",
            f'{{"task_id":{json_string(task_id)}'
            f',"outcome":"failed","recorded":true,"run_status":"{run.status}"'
            f',"retry_available_at":"{available_at}"}}',
            f'[{hint},["run","{run.run_id}"]]',
        )
    record_receipt(session, run.run_id, subject, lease_owner, digest, now, answer)
    return answer


def _pause(failure_type: str | None, failure_count: int) -> int:
    """Seconds until the task is offered again: twice as long after each failure, a minute at most."""
    if failure_type in ("NonDeterministicReplayError", "WorkflowEntryArgumentsMismatchError"):
        return 60
    return min(60, 1 << min(failure_count, 6))
