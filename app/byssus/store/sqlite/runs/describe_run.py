"""Describes a run: its state, its input and output, and what may be done with it.

namespace    the namespace.
workflow_id  the workflow.
run_id       one of its runs; None: the current one.
Outcomes     described; instance_not_found, run_not_found, namespace_not_found.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.rows import Run, RunPayloads, Workflow, WorkflowTask
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.open_task_summary import open_task_summary
from byssus.store.sqlite.shared.refuse import refuse
from byssus.store.sqlite.shared.refuse_missing import refuse_missing
from byssus.store.sqlite.shared.run_summary import run_summary


def describe_run(session: Session, namespace: str, workflow_id: str, run_id: str | None) -> Answer:
    """The state of a run, with its payloads."""
    members = f',"workflow_id":{json_string(workflow_id)}'
    workflow = session.one(
        Workflow, "select * from workflows where namespace = ? and workflow_id = ?", (namespace, workflow_id)
    )
    if workflow is None:
        return refuse_missing(session, namespace, "instance_not_found", members)

    run = session.one(
        Run,
        "select * from runs where run_id = ? and namespace = ? and workflow_id = ?",
        (workflow.current_run_id if run_id is None else run_id, namespace, workflow_id),
    )
    if run is None:
        return refuse("run_not_found", f'{members},"run_id":{json_string(run_id)}')

    payloads = session.one(RunPayloads, "select * from run_payloads where run_id = ?", (run.run_id,))
    assert payloads is not None
    task = session.one(WorkflowTask, "select * from workflow_tasks where run_id = ?", (run.run_id,))
    current = run.run_id == workflow.current_run_id
    may_act = _truth(current and run.closed_at is None)

    return Answer(
        "described",
        f"{{{run_summary(run)}"
        f',"is_terminal":{_truth(run.closed_at is not None)}'
        f',"closed_reason":{json_string(run.closed_reason) or "null"}'
        f',"run_number":{run.run_number}'
        f',"run_count":{workflow.run_count}'
        f',"is_current_run":{_truth(current)}'
        f',"priority":{run.priority}'
        ',"payload_codec":"avro"'
        f',"execution_timeout_seconds":{_number(run.execution_timeout_seconds)}'
        f',"run_timeout_seconds":{_number(run.run_timeout_seconds)}'
        f',"execution_deadline_at":{json_string(run.execution_deadline_at) or "null"}'
        f',"run_deadline_at":{json_string(run.run_deadline_at) or "null"}'
        f',"last_progress_at":"{run.last_progress_at}"'
        f',"last_history_sequence":{run.last_history_sequence}'
        f',"history_size_bytes":{run.history_size_bytes}'
        f',"continued_from_run_id":{json_string(run.continued_from_run_id) or "null"}'
        f',"continued_to_run_id":{json_string(run.continued_to_run_id) or "null"}'
        f',"wait_kind":{_wait_kind(run, task)}'
        f',"workflow_task":{open_task_summary(task) or "null"}'
        f',"input_envelope":{payloads.input or "null"}'
        f',"output_envelope":{payloads.output or "null"}'
        f',"memo":{payloads.memo or "{}"}'
        f',"search_attributes":{payloads.search_attributes or "{}"}'
        f',"actions":{{"can_signal":{may_act},"can_query":false,"can_update":false,"can_cancel":{may_act}'
        f',"can_terminate":{may_act},"can_repair":false,"can_archive":false}}}}',
        None,
    )


def _wait_kind(run: Run, task: WorkflowTask | None) -> str:
    """What the run waits for, as JSON."""
    if run.closed_at is not None:
        return "null"
    if task is not None:
        return '"workflow_task"'
    return '"operation"' if run.open_wait_position is None else '"condition"'


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _number(value: int | None) -> str:
    return "null" if value is None else str(value)
