"""Ends a workflow task whose commands leave the run open.

The run waits for what comes, and what was held meanwhile has come already.

run     the run as its commands left it.
task    its leased task.
now     the moment.
types, payloads  the events of the commands.
hints   wake-up hints of the commands.
wakes   whether a command needs a further workflow task at once.
Result  outcome completed.
Writes  inbox, runs, history_events, workflow_tasks.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.rows import Run, WorkflowTask
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.append_history import append_history
from byssus.store.sqlite.shared.take_held_events import take_held_events
from byssus.store.sqlite.shared.wake_run import wake_run


def suspend_run(
    session: Session,
    run: Run,
    task: WorkflowTask,
    now: str,
    types: list[str],
    payloads: list[str],
    hints: list[str],
    wakes: bool,
) -> Answer:
    """Complete a workflow task that leaves its run open."""
    session.execute("delete from workflow_tasks where run_id = ?", (run.run_id,))
    held = take_held_events(session, run.run_id, run.open_wait_position)
    sequence = append_history(
        session, run.run_id, run.last_history_sequence, now, types + held.types, payloads + held.payloads
    )
    waits_on = run.open_wait_position is not None and not held.resolves_wait
    session.execute(
        "update runs set status = 'waiting', has_answered_task = 1, last_authored_position = ?,"
        " applied_through_sequence = ?, open_wait_position = ?, open_wait_fields = ?, open_wait_has_news = ?"
        " where run_id = ?",
        (
            run.last_authored_position,
            run.applied_through_sequence,
            run.open_wait_position if waits_on else None,
            run.open_wait_fields if waits_on else None,
            waits_on and bool(run.open_wait_has_news or held.has_signals),
            run.run_id,
        ),
    )
    if wakes or held.wakes:
        hints = [*hints, wake_run(session, run.run_id, sequence, now)]

    return Answer(
        "completed",
        f'{{"task_id":"{run.run_id}:k{task.task_number}"'
        ',"outcome":"completed","recorded":true,"run_status":"waiting"}',
        f"[{','.join(hints)}]",
    )
