"""What a worker is told of a workflow task that it holds, with the first page of history.

run           the run.
task          its leased task.
takes_suffix  whether the worker knows history suffixes: it is told where its history begins and ends.
page          the first page.
Result        the answer of a poll. History ends where the claim found it.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.rows import Run, WorkflowTask
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.history_page import HistoryPage
from byssus.store.sqlite.shared.json_string import json_string


def leased_workflow_task(
    session: Session, run: Run, task: WorkflowTask, takes_suffix: bool, page: HistoryPage
) -> Answer:
    """A leased workflow task in wire form, with its first page of history."""
    (run_input,) = session.execute(
        "select input from run_payloads where run_id = ?", (run.run_id,)
    ).fetchone()
    suffix = (
        f',"history_after_sequence":{task.after_sequence},"history_last_sequence":{task.claimed_sequence}'
        if takes_suffix
        else ""
    )

    return Answer(
        "leased",
        f'{{"task":{{"task_id":"{run.run_id}:k{task.task_number}"'
        f',"task_kind":"workflow","namespace":{json_string(run.namespace)}'
        f',"workflow_id":{json_string(run.workflow_id)}'
        f',"run_id":"{run.run_id}"'
        f',"workflow_type":{json_string(run.workflow_type)}'
        f',"task_queue":{json_string(run.task_queue)}'
        f',"payload_codec":"avro","arguments":{run_input or "null"}'
        f',"workflow_task_attempt":{task.attempt}'
        f',"lease_owner":{json_string(task.lease_owner)}'
        f',"lease_expires_at":"{task.lease_expires_at}"'
        f',"sticky_replay_mode":"{task.sticky_replay_mode}"'
        f',"run_status":"{run.status}"'
        f',"cancel_requested":false,"history_size_bytes":{run.history_size_bytes}'
        f',"last_history_sequence":{task.claimed_sequence}'
        f',"total_history_events":{task.claimed_sequence}'
        f'{suffix},"history_events":[{page.events}]'
        f',"next_history_page_token":{json_string(page.token) or "null"}'
        '},"poll_status":"leased"}',
        None,
    )
