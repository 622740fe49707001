"""Offers again what workers have leased and neither answered nor renewed in time.

batch_size  how many workflow tasks at most, and how many activities.
Outcomes    swept: how many leases ended, and whether there may be more.
Writes      workflow_tasks, activities, and what was held meanwhile: inbox, runs, history_events.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.rows import Activity, Run, WorkflowTask
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.end_activity_lease import end_activity_lease
from byssus.store.sqlite.shared.end_workflow_lease import end_workflow_lease
from byssus.store.sqlite.shared.ready_hint import ready_hint
from byssus.store.sqlite.shared.swept import swept


def expire_leases(session: Session, batch_size: int) -> Answer:
    """Make workflow tasks and activities with expired leases ready again."""
    now = session.now()
    tasks = session.every(
        WorkflowTask,
        "select * from workflow_tasks where status = 'leased' and lease_expires_at <= ?"
        " order by lease_expires_at, run_id limit ?",
        (now, batch_size),
    )
    activities = session.every(
        Activity,
        "select * from activities where status = 'running' and lease_expires_at <= ?"
        " order by lease_expires_at, run_id, position limit ?",
        (now, batch_size),
    )
    if tasks or activities:
        session.must_write()

    hints: list[str | None] = []
    for task in tasks:
        run = session.one(Run, "select * from runs where run_id = ?", (task.run_id,))
        assert run is not None
        hints += [end_workflow_lease(session, run, now, now), f'["run","{run.run_id}"]']
    for activity in activities:
        end_activity_lease(session, activity, now)
        hints.append(ready_hint("activity", activity.namespace, activity.task_queue))

    more = batch_size in (len(tasks), len(activities))
    return swept(len(tasks) + len(activities), more, hints)
