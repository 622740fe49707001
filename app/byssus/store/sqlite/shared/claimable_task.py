"""A run's workflow task, if a worker may have it now.

run           the run.
registration  the registration of the worker.
now           the moment.
Result        the task; None when there is none, or when it is leased, not due, held for another, or not one
              that the worker can run.
"""

from __future__ import annotations

from byssus.store.sqlite.rows import Registration, Run, WorkflowTask
from byssus.store.sqlite.session import Session


def claimable_task(session: Session, run: Run, registration: Registration, now: str) -> WorkflowTask | None:
    """The workflow task of a run if a worker may claim it now, or None."""
    if run.deadline_at is not None and run.deadline_at <= now:
        return None
    return session.one(
        WorkflowTask,
        "select * from workflow_tasks"
        " where run_id = ?1 and status = 'ready' and available_at <= ?2"
        " and (held_until <= ?2 or (sticky_registration_token = ?3 and sticky_until > ?2))"
        " and namespace = ?4 and task_queue = ?5"
        " and workflow_type in (select value from json_each(?6))"
        " and (build_id is null or build_id = ?7)",
        (
            run.run_id,
            now,
            registration.registration_token,
            registration.namespace,
            registration.task_queue,
            registration.workflow_types,
            registration.build_id,
        ),
    )
