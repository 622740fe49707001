"""Reads all that is kept of a run, at one moment, for an archive or a replay elsewhere.

namespace    the namespace.
workflow_id  the workflow.
run_id       its run.
Outcomes     exported; history_export_too_large (more than 20,000 events, or than 8 MiB of them),
             instance_not_found, run_not_found, namespace_not_found.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.rows import Activity, Run, RunPayloads, Timer, WorkflowTask
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.open_task_summary import open_task_summary
from byssus.store.sqlite.shared.refuse import refuse
from byssus.store.sqlite.shared.refuse_missing import refuse_missing
from byssus.store.sqlite.shared.run_summary import run_summary

_EVENTS = 20_000
_BYTES = 8_388_608


def export_run(session: Session, namespace: str, workflow_id: str, run_id: str) -> Answer:
    """All that is kept of a run, read at one moment."""
    members = f',"workflow_id":{json_string(workflow_id)},"run_id":{json_string(run_id)}'
    run = session.one(
        Run,
        "select * from runs where run_id = ? and namespace = ? and workflow_id = ?",
        (run_id, namespace, workflow_id),
    )
    if run is None:
        known = "select 1 from workflows where namespace = ? and workflow_id = ?"
        reason = "run_not_found" if session.exists(known, (namespace, workflow_id)) else "instance_not_found"
        return refuse_missing(session, namespace, reason, members)
    if run.last_history_sequence > _EVENTS or run.history_size_bytes > _BYTES:
        return refuse(
            "history_export_too_large",
            f'{members},"last_history_sequence":{run.last_history_sequence}'
            f',"history_size_bytes":{run.history_size_bytes}',
        )

    payloads = session.one(RunPayloads, "select * from run_payloads where run_id = ?", (run_id,))
    assert payloads is not None
    task = session.one(WorkflowTask, "select * from workflow_tasks where run_id = ?", (run_id,))
    events = session.execute(
        "select wire from history_events where run_id = ? order by sequence", (run_id,)
    ).fetchall()
    activities = session.every(
        Activity, "select * from activities where run_id = ? order by position", (run_id,)
    )
    timers = session.every(Timer, "select * from timers where run_id = ? order by position", (run_id,))

    return Answer(
        "exported",
        f'{{"exported_at":"{session.now()}"'
        f',"workflow":{{{run_summary(run)}'
        f',"is_terminal":{"false" if run.closed_at is None else "true"}'
        f',"closed_reason":{json_string(run.closed_reason) or "null"}'
        f',"run_number":{run.run_number}'
        f',"last_history_sequence":{run.last_history_sequence}'
        f',"continued_from_run_id":{json_string(run.continued_from_run_id) or "null"}'
        f',"continued_to_run_id":{json_string(run.continued_to_run_id) or "null"}'
        f',"memo":{payloads.memo or "{}"}'
        f',"search_attributes":{payloads.search_attributes or "{}"}'
        f'}},"input":{payloads.input or "null"}'
        f',"output":{payloads.output or "null"}'
        f',"events":[{",".join(wire for (wire,) in events)}'
        f'],"tasks":[{open_task_summary(task) or ""}'
        f'],"activities":[{",".join(map(_activity, activities))}'
        f'],"timers":[{",".join(map(_timer, timers))}]}}',
        None,
    )


def _activity(activity: Activity) -> str:
    return (
        f'{{"id":"{activity.run_id}:a{activity.position}"'
        f',"sequence":{activity.position}'
        f',"activity_type":{json_string(activity.activity_type)}'
        f',"queue":{json_string(activity.task_queue)}'
        f',"status":"{activity.status}"'
        f',"attempt_count":{activity.attempt_number}'
        f',"closed_at":{json_string(activity.closed_at) or "null"}}}'
    )


def _timer(timer: Timer) -> str:
    return (
        f'{{"id":"{timer.run_id}:t{timer.position}"'
        f',"sequence":{timer.position}'
        f',"kind":"{timer.kind}"'
        f',"fire_at":"{timer.fire_at}"}}'
    )
