"""Ends a workflow task whose worker had nothing to add.

The run waits on, and what was held meanwhile wakes it.

run     the run.
task    its leased task.
now     the moment.
Result  outcome waiting_for_history.
Writes  workflow_tasks, inbox, runs, history_events.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.rows import Run, WorkflowTask
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.append_history import append_history
from byssus.store.sqlite.shared.take_held_events import take_held_events
from byssus.store.sqlite.shared.wake_run import wake_run


def acknowledge_workflow_task(session: Session, run: Run, task: WorkflowTask, now: str) -> Answer:
    """Remove a workflow task whose worker waits for history, and wake the run for what was held."""
    hints = f'["run","{run.run_id}"]'
    session.execute("delete from workflow_tasks where run_id = ?", (run.run_id,))
    held = take_held_events(session, run.run_id, run.open_wait_position)
    sequence = append_history(session, run.run_id, run.last_history_sequence, now, held.types, held.payloads)
    waits_on = run.open_wait_position is not None and not held.resolves_wait
    session.execute(
        "update runs set status = 'waiting', has_answered_task = 1, applied_through_sequence = ?,"
        " open_wait_position = ?, open_wait_fields = ?, open_wait_has_news = ? where run_id = ?",
        (
            task.claimed_sequence,
            run.open_wait_position if waits_on else None,
            run.open_wait_fields if waits_on else None,
            waits_on and bool(run.open_wait_has_news or held.has_signals),
            run.run_id,
        ),
    )
    if held.wakes:
        hints += "," + wake_run(session, run.run_id, sequence, now)

    return Answer(
        "waiting_for_history",
        f'{{"task_id":"{run.run_id}:k{task.task_number}"'
        ',"outcome":"waiting_for_history","recorded":true,"run_status":"waiting"}',
        f"[{hints}]",
    )
