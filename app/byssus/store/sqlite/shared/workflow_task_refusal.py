"""The fence of a workflow task: why this caller may not act on it.

run          the run; None when there is none.
task         its open task; None when there is none.
task_number  the task the caller means; None when its id is malformed.
lease_owner  who calls.
attempt      the attempt the caller was given.
now          the moment.
Result       None when the caller holds the lease, else the reason, in this order: task_not_found,
             run_closed, task_not_leased, lease_owner_mismatch, workflow_task_attempt_mismatch, lease_expired,
             run_timed_out.
"""

from __future__ import annotations

from byssus.store.sqlite.rows import Run, WorkflowTask


def workflow_task_refusal(
    run: Run | None,
    task: WorkflowTask | None,
    task_number: int | None,
    lease_owner: str,
    attempt: int,
    now: str,
) -> str | None:
    """Why a caller may not act on a workflow task, or None."""
    if run is None or task_number is None or task_number > run.last_history_sequence:
        return "task_not_found"
    if run.closed_at is not None:
        return "run_closed"
    if task is None or task.task_number != task_number or task.lease_expires_at is None:
        return "task_not_leased"
    if task.lease_owner != lease_owner:
        return "lease_owner_mismatch"
    if task.attempt != attempt:
        return "workflow_task_attempt_mismatch"
    if task.lease_expires_at <= now:
        return "lease_expired"
    if run.deadline_at is not None and run.deadline_at <= now:
        return "run_timed_out"
    return None
