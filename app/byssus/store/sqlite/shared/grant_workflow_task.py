"""Leases a workflow task to a worker, with its first page of history.

The page begins behind what the worker holds, or at the beginning.

poll          the poll.
registration  the worker's registration.
run           the run.
task          its task, which is ready, and which the worker may have.
now           the moment.
Result        the task with its first page of history.
Writes        workflow_tasks, sticky_counts.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import Poll
from byssus.store.sqlite.moments import later
from byssus.store.sqlite.rows import Affinity, Registration, Run, WorkflowTask
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.count_sticky_claim import count_sticky_claim
from byssus.store.sqlite.shared.history_page import history_page
from byssus.store.sqlite.shared.leased_workflow_task import leased_workflow_task
from byssus.store.sqlite.shared.select_history_suffix import select_history_suffix
from byssus.store.sqlite.shared.sticky_replay_mode import sticky_replay_mode


def grant_workflow_task(
    session: Session, poll: Poll, registration: Registration, run: Run, task: WorkflowTask, now: str
) -> Answer:
    """Lease a ready workflow task to a worker."""
    affinity = None
    if poll.sticky_execution:
        affinity = session.one(Affinity, "select * from affinities where run_id = ?", (run.run_id,))
    mode = sticky_replay_mode(affinity, registration, run.last_history_sequence, now)
    after = select_history_suffix(affinity, registration, mode, run.last_history_sequence)
    page = history_page(session, run.run_id, after, run.last_history_sequence, poll.page_size)
    if poll.sticky_execution:
        size = 0 if affinity is None else affinity.history_size_bytes
        count_sticky_claim(session, run.namespace, mode, after, size, now)

    # The delivered boundary begins with the page that goes out with the lease; record_delivery raises it.
    task.status = "leased"
    task.attempt += 1
    task.lease_owner = registration.worker_id
    task.lease_expires_at = later(now, poll.lease_seconds)
    task.sticky_replay_mode = mode
    task.after_sequence = after
    task.claimed_sequence = run.last_history_sequence
    session.execute(
        "update workflow_tasks set status = 'leased', attempt = ?, lease_owner = ?, lease_expires_at = ?,"
        " registration_token = ?, poll_request_id = ?, sticky_replay_mode = ?, sticky_claimed_at = ?,"
        " after_sequence = ?, claimed_sequence = ?, delivered_sequence = ? where run_id = ?",
        (
            task.attempt,
            task.lease_owner,
            task.lease_expires_at,
            registration.registration_token,
            poll.poll_request_id,
            mode,
            now,
            after,
            task.claimed_sequence,
            after if page.last is None else page.last,
            task.run_id,
        ),
    )
    return leased_workflow_task(session, run, task, registration.sticky_history_suffix, page)
