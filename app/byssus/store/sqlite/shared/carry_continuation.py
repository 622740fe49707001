"""Completes the workflow task that an activity's completion asks for, with commands computed ahead.

The task is leased and answered before anybody could claim it.

A speculative part: in a savepoint of its own. What fails in it is undone alone; the completion stands, and so
does what the caller remembers of the run.

run           the run as the completion has left it.
registration  the registration of the worker that calls.
continuation  basis_sequence: through which history sequence the worker has computed; commands; sticky? (see
              complete_workflow_task); the last two as JSON text.
asks          whether the completion asked for a workflow task.
now           the moment.
answer        the completion's answer.
Result        run: the run as the part has left it; is_applied; answer: with the member continuation.
Writes        affinities, worker_liveness; as apply_commands.
"""

from __future__ import annotations

from typing import NamedTuple

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import Command, Continuation, sticky_caches
from byssus.store.sqlite.documents import commands as command_lists
from byssus.store.sqlite.rows import Affinity, Registration, Run, WorkflowTask
from byssus.store.sqlite.session import PartFailed, PartRefused, Session
from byssus.store.sqlite.shared.answer_workflow_task import answer_workflow_task
from byssus.store.sqlite.shared.continuation_refusal import continuation_refusal
from byssus.store.sqlite.shared.failure_hint import failure_hint
from byssus.store.sqlite.shared.record_sticky_metrics import record_sticky_metrics
from byssus.store.sqlite.shared.with_part import with_part


class Continued(NamedTuple):
    """What became of a continuation."""

    run: Run
    is_applied: bool
    answer: Answer


def carry_continuation(
    session: Session,
    run: Run,
    registration: Registration,
    continuation: Continuation,
    asks: bool,
    now: str,
    answer: Answer,
) -> Continued:
    """Complete the workflow task that an activity completion asks for, in a savepoint of its own."""
    completed_run = run
    try:
        with session.part():
            commands = command_lists.decode(continuation.commands)
            sticky = None if continuation.sticky is None else sticky_caches.decode(continuation.sticky)
            task = _leased_task(session, run, registration, continuation.basis_sequence, commands, asks, now)
            applied = answer_workflow_task(session, run, task, registration, commands, sticky, now)
            if applied.outcome != "completed":
                # Undoes the lease, too.
                raise PartRefused(applied.outcome)
            run = Run(*session.execute("select * from runs where run_id = ?", (run.run_id,)).fetchone())
            if sticky is not None:
                record_sticky_metrics(session, registration.namespace, registration.worker_id, sticky)
    except PartRefused as refused:
        return _refused(run, str(refused), answer)
    except PartFailed as failed:
        # The savepoint has undone rows, not variables.
        run = completed_run
        return _refused(run, "failed", failure_hint(answer, "continuation", str(failed)))

    told = (
        f'{{"outcome":"applied","reason":null,"task_id":"{run.run_id}:k{task.task_number}"'
        f',"run_status":"{run.status}","history_last_sequence":{run.last_history_sequence}}}'
    )
    return Continued(run, True, with_part(answer._replace(hints=applied.hints), "continuation", told))


def _leased_task(
    session: Session,
    run: Run,
    registration: Registration,
    basis_sequence: int,
    commands: list[Command],
    asks: bool,
    now: str,
) -> WorkflowTask:
    """A task of the run, leased to the worker with what it has computed from. Raises PartRefused."""
    pending = session.one(WorkflowTask, "select * from workflow_tasks where run_id = ?", (run.run_id,))
    affinity = session.one(Affinity, "select * from affinities where run_id = ?", (run.run_id,))
    is_stale = session.exists(
        "select 1 from worker_liveness where namespace = ? and worker_id = ? and stale_at <= ?",
        (registration.namespace, registration.worker_id, now),
    )
    reason = continuation_refusal(
        run, pending, affinity, registration, is_stale, basis_sequence, commands, asks, now
    )
    if reason is not None:
        raise PartRefused(reason)

    row = session.execute(
        "insert into workflow_tasks (run_id, task_number, namespace, task_queue, workflow_type, build_id,"
        " priority, status, available_at, attempt, lease_owner, lease_expires_at, registration_token,"
        " held_until, sticky_replay_mode, sticky_claimed_at, after_sequence, claimed_sequence,"
        " delivered_sequence)"
        " values (?, ?, ?, ?, ?, ?, ?, 'leased', ?, 1, ?, ?, ?, ?, 'sticky_hit_expected', ?, ?, ?, ?)"
        " returning *",
        (
            run.run_id,
            run.last_history_sequence,
            run.namespace,
            run.task_queue,
            run.workflow_type,
            run.build_id,
            run.priority,
            now,
            registration.worker_id,
            now,
            registration.registration_token,
            now,
            now,
            basis_sequence,
            run.last_history_sequence,
            basis_sequence,
        ),
    ).fetchone()
    return WorkflowTask(*row)


def _refused(run: Run, reason: str, answer: Answer) -> Continued:
    told = f'{{"outcome":"refused","reason":"{reason}"}}'
    return Continued(run, False, with_part(answer, "continuation", told))
