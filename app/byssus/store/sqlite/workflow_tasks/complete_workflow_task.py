"""Applies what workflow code decided: its commands' events, in order, then what was held meanwhile.

namespace    the namespace.
task_id      the workflow task.
lease_owner  who calls.
attempt      the attempt that was claimed.
commands     the commands (docs/commands.md), at most one terminal one, last.
digest       digest of the commands and of sticky_cache but for its totals, for repeats.
sticky       that the worker keeps the run in its cache: worker_id, workflow_id, run_id, build_id,
             ttl_seconds, history_last_sequence?, hit, miss, eviction, forced_cold_replay; hold_seconds,
             protocol_version. None: it retains nothing.
Outcomes     completed; the fence's refusals (workflow_task_refusal), conflicting_completion, those of
             sticky_cache (sticky_refusal), invalid_commands, namespace_not_found.
Writes       affinities, worker_liveness, runs, history_events, workflow_tasks, activities, timers, inbox,
             run_payloads, receipts; when it continues as new also workflows and the new run.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import commands as command_lists
from byssus.store.sqlite.documents import sticky_caches
from byssus.store.sqlite.rows import Registration, Run, WorkflowTask
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.apply_commands import apply_commands
from byssus.store.sqlite.shared.clear_affinity import clear_affinity
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.misplaced_command import misplaced_command
from byssus.store.sqlite.shared.record_affinity import record_affinity
from byssus.store.sqlite.shared.record_receipt import record_receipt
from byssus.store.sqlite.shared.record_sticky_metrics import record_sticky_metrics
from byssus.store.sqlite.shared.refuse import refuse
from byssus.store.sqlite.shared.refuse_workflow_task import refuse_workflow_task
from byssus.store.sqlite.shared.repeated_answer import repeated_answer
from byssus.store.sqlite.shared.sticky_refusal import sticky_refusal
from byssus.store.sqlite.shared.workflow_task_number import workflow_task_number
from byssus.store.sqlite.shared.workflow_task_refusal import workflow_task_refusal


def complete_workflow_task(
    session: Session,
    namespace: str,
    task_id: str,
    lease_owner: str,
    attempt: int,
    commands: str,
    digest: str,
    sticky: str | None,
) -> Answer:
    """Complete a workflow task with its commands, in one transaction with the history that they make."""
    subject = f"{task_id[37:]}.{attempt}"
    rejected = (
        f',"task_id":{json_string(task_id)},"workflow_task_attempt":{attempt}'
        ',"outcome":"rejected","recorded":false'
    )
    run = session.one(
        Run,
        "select * from runs where run_id = ? and namespace = ?",
        (task_id.partition(":k")[0], namespace),
    )
    run_id = None if run is None else run.run_id
    task = session.one(WorkflowTask, "select * from workflow_tasks where run_id = ?", (run_id,))
    now = session.now()

    answer = repeated_answer(
        session, run_id, subject, lease_owner, digest, "conflicting_completion", rejected
    )
    if answer is not None:
        return answer
    reason = workflow_task_refusal(run, task, workflow_task_number(task_id), lease_owner, attempt, now)
    if reason is not None:
        return refuse_workflow_task(session, namespace, reason, run, task_id, attempt)
    assert run is not None
    assert task is not None
    kept = None if sticky is None else sticky_caches.decode(sticky)
    registration = None
    if kept is not None:
        registration = session.one(
            Registration,
            "select * from worker_registrations where namespace = ? and worker_id = ?",
            (namespace, lease_owner),
        )
        answer = sticky_refusal(run, task, registration, kept)
        if answer is not None:
            return answer
    decided = command_lists.decode(commands)
    misplaced = misplaced_command(run, decided)
    if misplaced is not None:
        field = f"commands.{misplaced}.parallel_group_base_sequence"
        return refuse("invalid_commands", f'{rejected},"command_index":{misplaced},"field":"{field}"')

    if kept is None:
        clear_affinity(session, run.run_id)
    else:
        assert registration is not None
        record_affinity(session, run, task, registration, kept, now)
    answer = apply_commands(session, run, task, decided, now)
    record_receipt(session, run.run_id, subject, lease_owner, digest, now, answer)
    if kept is not None:
        record_sticky_metrics(session, namespace, lease_owner, kept)
    return answer
