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
carried      what the worker asks for next (see carry_polls), or None.
Outcomes     completed; the fence's refusals (workflow_task_refusal), conflicting_completion, that of what is
             carried (carried_refusal), those of sticky_cache (sticky_refusal), invalid_commands,
             namespace_not_found.
Writes       affinities, worker_liveness, runs, history_events, workflow_tasks, activities, timers, inbox,
             run_payloads, receipts; when it continues as new also workflows and the new run; as carry_polls.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import carried_parts, sticky_caches
from byssus.store.sqlite.documents import commands as command_lists
from byssus.store.sqlite.rows import Registration, Run, WorkflowTask
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.answer_workflow_task import answer_workflow_task
from byssus.store.sqlite.shared.carried_refusal import carried_refusal
from byssus.store.sqlite.shared.carry_polls import carry_polls
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.record_receipt import record_receipt
from byssus.store.sqlite.shared.record_sticky_metrics import record_sticky_metrics
from byssus.store.sqlite.shared.refuse_workflow_task import refuse_workflow_task
from byssus.store.sqlite.shared.repeat_polls import repeat_polls
from byssus.store.sqlite.shared.repeated_answer import repeated_answer
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
    carried: str | None,
) -> Answer:
    """Complete a workflow task with its commands, in one transaction with the history that they make."""
    subject = f"{task_id[37:]}.{attempt}"
    rejected = (
        f',"task_id":{json_string(task_id)},"workflow_task_attempt":{attempt}'
        ',"outcome":"rejected","recorded":false'
    )
    parts = None if carried is None else carried_parts.decode(carried)
    kept = None if sticky is None else sticky_caches.decode(sticky)
    registration = None
    if parts is not None or kept is not None:
        registration = session.one(
            Registration,
            "select * from worker_registrations where namespace = ? and worker_id = ?",
            (namespace, lease_owner),
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
        if answer.outcome != "completed" or parts is None:
            return answer
        assert run is not None
        return repeat_polls(session, run, registration, parts, now, answer)
    reason = workflow_task_refusal(run, task, workflow_task_number(task_id), lease_owner, attempt, now)
    if reason is not None:
        return refuse_workflow_task(session, namespace, reason, run, task_id, attempt)
    assert run is not None
    assert task is not None
    if parts is not None:
        answer = carried_refusal(registration, rejected)
        if answer is not None:
            return answer

    answer = answer_workflow_task(session, run, task, registration, command_lists.decode(commands), kept, now)
    if answer.outcome != "completed":
        return answer
    record_receipt(session, run.run_id, subject, lease_owner, digest, now, answer)
    if kept is not None:
        record_sticky_metrics(session, namespace, lease_owner, kept)
    if parts is not None:
        assert registration is not None
        run = Run(*session.execute("select * from runs where run_id = ?", (run_id,)).fetchone())
        answer = carry_polls(session, run, registration, parts, False, now, answer)
    return answer
