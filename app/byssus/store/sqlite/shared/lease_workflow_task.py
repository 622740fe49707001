"""Leases the first due workflow task of a queue that a worker can run.

poll          the poll.
registration  the worker's registration.
now           the moment.
Result        the task with its first page of history, or None.
Writes        workflow_tasks.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import Poll
from byssus.store.sqlite.moments import later
from byssus.store.sqlite.rows import Registration, Run, WorkflowTask
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.leased_workflow_task import leased_workflow_task


def lease_workflow_task(session: Session, poll: Poll, registration: Registration, now: str) -> Answer | None:
    """Lease the first due workflow task that a worker can run, or return None."""
    # All priorities are named, so that each is one range of the index, up to the present moment.
    task = session.one(
        WorkflowTask,
        "select t.* from workflow_tasks as t inner join runs as r on t.run_id = r.run_id"
        " where t.namespace = ?1 and t.task_queue = ?2 and t.status = 'ready'"
        " and t.priority in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9) and t.available_at <= ?3"
        " and t.workflow_type in (select value from json_each(?4))"
        " and (t.build_id is null or t.build_id = ?5)"
        " and (r.deadline_at is null or r.deadline_at > ?3)"
        " order by t.priority, t.available_at, t.run_id limit 1",
        (
            registration.namespace,
            registration.task_queue,
            now,
            registration.workflow_types,
            registration.build_id,
        ),
    )
    if task is None:
        return None

    run = session.one(Run, "select * from runs where run_id = ?", (task.run_id,))
    assert run is not None
    task.status = "leased"
    task.attempt += 1
    task.lease_owner = registration.worker_id
    task.lease_expires_at = later(now, poll.lease_seconds)
    task.claimed_sequence = run.last_history_sequence
    session.execute(
        "update workflow_tasks set status = 'leased', attempt = ?, lease_owner = ?, lease_expires_at = ?,"
        " registration_token = ?, poll_request_id = ?, claimed_sequence = ? where run_id = ?",
        (
            task.attempt,
            task.lease_owner,
            task.lease_expires_at,
            registration.registration_token,
            poll.poll_request_id,
            task.claimed_sequence,
            task.run_id,
        ),
    )
    return leased_workflow_task(session, run, task, poll.page_size)
