"""Makes a run with its first event and its first workflow task.

run       what the run is made of.
payloads  its input, memo and search attributes.
now       when it starts.
Result    the wake-up hints, as elements joined by commas.
Writes    runs, run_payloads, history_events, workflow_tasks.
"""

from __future__ import annotations

from byssus.store.sqlite.rows import NewRun, RunPayloads
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.append_history import append_history
from byssus.store.sqlite.shared.json_member import json_member
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.wake_run import wake_run


def open_run(session: Session, run: NewRun, payloads: RunPayloads, now: str) -> str:
    """Insert a run, its WorkflowStarted event and its first workflow task."""
    session.execute(
        "insert into runs (run_id, namespace, workflow_id, run_number, first_run_id, workflow_type,"
        " task_queue, build_id, priority, fairness_key, fairness_weight, business_key, status,"
        " continued_from_run_id, execution_timeout_seconds, run_timeout_seconds, execution_deadline_at,"
        " run_deadline_at, started_at, last_progress_at)"
        " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?, ?, ?, ?, ?)",
        (
            run.run_id,
            run.namespace,
            run.workflow_id,
            run.run_number,
            run.first_run_id,
            run.workflow_type,
            run.task_queue,
            run.build_id,
            run.priority,
            run.fairness_key,
            run.fairness_weight,
            run.business_key,
            run.continued_from_run_id,
            run.execution_timeout_seconds,
            run.run_timeout_seconds,
            run.execution_deadline_at,
            run.run_deadline_at,
            now,
            now,
        ),
    )
    session.execute(
        "insert into run_payloads (run_id, input, memo, search_attributes) values (?, ?, ?, ?)",
        (run.run_id, payloads.input, payloads.memo, payloads.search_attributes),
    )
    sequence = append_history(session, run.run_id, 0, now, ["WorkflowStarted"], [_started(run, payloads)])
    return f'["run","{run.run_id}"],' + wake_run(session, run.run_id, sequence, now)


def _started(run: NewRun, payloads: RunPayloads) -> str:
    """The payload of WorkflowStarted."""
    return (
        f'{{"workflow_type":{json_string(run.workflow_type)}'
        f',"workflow_id":{json_string(run.workflow_id)}'
        f',"run_id":"{run.run_id}"'
        f',"run_number":{run.run_number}'
        f',"task_queue":{json_string(run.task_queue)}'
        ',"payload_codec":"avro"'
        + json_member("build_id", json_string(run.build_id))
        + json_member("business_key", json_string(run.business_key))
        + json_member("memo", payloads.memo)
        + json_member("search_attributes", payloads.search_attributes)
        + json_member("execution_timeout_seconds", run.execution_timeout_seconds)
        + json_member("run_timeout_seconds", run.run_timeout_seconds)
        + json_member("execution_deadline_at", json_string(run.execution_deadline_at))
        + json_member("run_deadline_at", json_string(run.run_deadline_at))
        + json_member("continued_from_run_id", json_string(run.continued_from_run_id))
        + "}"
    )
