"""Leases the first due workflow task of a queue that a worker can run.

Of each priority first those whose living affinity is the worker's, then those that are held for nobody.

poll          the poll.
registration  the worker's registration.
now           the moment.
Result        the task with its first page of history, or None.
Writes        workflow_tasks, sticky_counts.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import Poll
from byssus.store.sqlite.rows import Registration, Run, WorkflowTask
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.grant_workflow_task import grant_workflow_task


def lease_workflow_task(session: Session, poll: Poll, registration: Registration, now: str) -> Answer | None:
    """Lease the first due workflow task that a worker can run, or return None."""
    task = _first_task(session, registration, now)
    if task is None:
        return None
    run = session.one(Run, "select * from runs where run_id = ?", (task.run_id,))
    assert run is not None
    return grant_workflow_task(session, poll, registration, run, task, now)


def _first_task(session: Session, registration: Registration, now: str) -> WorkflowTask | None:
    """The first task that the worker may claim: its own, unless one of a higher priority is there for all."""
    # All priorities are named, so that each is one range of an index, up to the present moment.
    own = session.one(
        WorkflowTask,
        "select t.* from workflow_tasks as t inner join runs as r on t.run_id = r.run_id"
        " where t.sticky_registration_token = ?1 and t.status = 'ready'"
        " and t.priority in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9) and t.available_at <= ?2"
        " and t.sticky_until > ?2"
        " and t.workflow_type in (select value from json_each(?3))"
        " and (t.build_id is null or t.build_id = ?4)"
        " and (r.deadline_at is null or r.deadline_at > ?2)"
        " order by t.priority, t.available_at, t.run_id limit 1",
        (registration.registration_token, now, registration.workflow_types, registration.build_id),
    )
    common = session.one(
        WorkflowTask,
        "select t.* from workflow_tasks as t inner join runs as r on t.run_id = r.run_id"
        " where t.namespace = ?1 and t.task_queue = ?2 and t.status = 'ready'"
        " and t.priority in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9) and t.held_until <= ?3"
        " and t.workflow_type in (select value from json_each(?4))"
        " and (t.build_id is null or t.build_id = ?5)"
        " and (r.deadline_at is null or r.deadline_at > ?3)"
        " order by t.priority, t.held_until, t.run_id limit 1",
        (
            registration.namespace,
            registration.task_queue,
            now,
            registration.workflow_types,
            registration.build_id,
        ),
    )
    if own is not None and (common is None or own.priority <= common.priority):
        return own
    return common
