"""Why a continuation is not applied.

run             the run as the activity's completion has left it.
task            its workflow task, or None.
affinity        its affinity, or None.
registration    the registration of the worker that calls.
is_stale        whether that worker's heartbeat is overdue.
basis_sequence  through which history sequence the worker has computed.
commands        the commands.
asks            whether the completion asked for a workflow task.
now             the moment.
Result          no_workflow_task, unsupported_continuation_command, history_moved, workflow_task_pending,
                not_sticky_owner or registration_changed, in this order; or None. A run whose cancellation was
                requested is closed, so its activities do not get here.
"""

from __future__ import annotations

from byssus.store.sqlite.documents import Command
from byssus.store.sqlite.rows import Affinity, Registration, Run, WorkflowTask

_SUPPORTED = {
    "schedule_activity",
    "start_timer",
    "record_side_effect",
    "record_local_activity",
    "complete_workflow",
    "fail_workflow",
}


def continuation_refusal(
    run: Run,
    task: WorkflowTask | None,
    affinity: Affinity | None,
    registration: Registration,
    is_stale: bool,
    basis_sequence: int,
    commands: list[Command],
    asks: bool,
    now: str,
) -> str | None:
    """Why a continuation is not applied, or None."""
    if not asks:
        return "no_workflow_task"
    if any(command.type not in _SUPPORTED for command in commands):
        return "unsupported_continuation_command"
    if run.last_history_sequence != basis_sequence + 1:
        return "history_moved"
    if task is not None:
        return "workflow_task_pending"
    if affinity is None or affinity.sticky_until <= now:
        return "not_sticky_owner"
    if affinity.sticky_worker_id != registration.worker_id or affinity.delivered_sequence < basis_sequence:
        return "not_sticky_owner"
    if affinity.registration_token != registration.registration_token or is_stale:
        return "registration_changed"
    return None
