"""Ends a workflow task whose last command closes the run: completed, failed, or continued as a new run.

run       the run as its commands left it.
task      its leased task.
terminal  complete_workflow, fail_workflow or continue_as_new.
now       the moment.
types, payloads  the events of the commands before it.
Result    outcome completed.
Writes    through close_run and continue_run; run_payloads.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import Command
from byssus.store.sqlite.rows import Run, WorkflowTask
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.close_run import close_run
from byssus.store.sqlite.shared.continue_run import continue_run


def finish_run(
    session: Session,
    run: Run,
    task: WorkflowTask,
    terminal: Command,
    now: str,
    types: list[str],
    payloads: list[str],
) -> Answer:
    """Complete a workflow task that closes its run."""
    status = "completed"
    hints = f'["run","{run.run_id}"]'
    session.execute(
        "update runs set has_answered_task = 1, last_authored_position = ?, applied_through_sequence = ?"
        " where run_id = ?",
        (run.last_authored_position, run.applied_through_sequence, run.run_id),
    )

    fields = terminal.fields or "{}"
    match terminal.type:
        case "complete_workflow":
            session.execute(
                "update run_payloads set output = ? where run_id = ?", (terminal.output, run.run_id)
            )
            close_run(
                session,
                run,
                now,
                "completed",
                "completed",
                types,
                payloads,
                "WorkflowCompleted",
                fields,
                True,
            )
        case "fail_workflow":
            status = "failed"
            close_run(session, run, now, "failed", "failed", types, payloads, "WorkflowFailed", fields, True)
        case "continue_as_new":
            hints += "," + continue_run(session, run, terminal, now, types, payloads)

    return Answer(
        "completed",
        f'{{"task_id":"{run.run_id}:k{task.task_number}"'
        f',"outcome":"completed","recorded":true,"run_status":"{status}"}}',
        f"[{hints}]",
    )
