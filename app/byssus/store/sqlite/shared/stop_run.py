"""Closes a run on a client's word: what cancel_run and terminate_run have in common.

namespace .. digest  as of those two.
status      cancelled or terminated.
command     cancel or terminate.
requested   CancelRequested or TerminateRequested.
terminal    WorkflowCancelled or WorkflowTerminated.
Outcomes    `status`; target_refusal's refusals, request_id_conflict.
Writes      through close_run; receipts.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.close_run import close_run
from byssus.store.sqlite.shared.json_member import json_member
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.lock_target_run import lock_target_run
from byssus.store.sqlite.shared.record_receipt import record_receipt
from byssus.store.sqlite.shared.repeated_answer import repeated_answer
from byssus.store.sqlite.shared.target_refusal import target_refusal


def stop_run(
    session: Session,
    namespace: str,
    workflow_id: str,
    run_id: str | None,
    reason: str | None,
    request_id: str | None,
    digest: str,
    status: str,
    command: str,
    requested: str,
    terminal: str,
) -> Answer:
    """Cancel or terminate a run: the common body of cancel_run and terminate_run."""
    run = lock_target_run(session, namespace, workflow_id, run_id)
    now = session.now()

    subject = None if request_id is None else f"{command}:{request_id}"
    answer = repeated_answer(
        session,
        None if run is None else run.first_run_id,
        subject,
        command,
        digest,
        "request_id_conflict",
        f',"workflow_id":{json_string(workflow_id)},"request_id":{json_string(request_id)}',
    )
    if answer is None:
        answer = target_refusal(session, run, namespace, workflow_id, run_id)
    if answer is not None:
        return answer
    assert run is not None

    payload = f'{{"closed_reason":"{status}"{json_member("reason", json_string(reason))}}}'
    close_run(session, run, now, status, status, [requested], [payload], terminal, payload, by_worker=False)

    answer = Answer(
        status,
        f'{{"workflow_id":{json_string(workflow_id)}'
        f',"run_id":"{run.run_id}"'
        f',"workflow_type":{json_string(run.workflow_type)}'
        f',"outcome":"{status}"'
        ',"command_status":"accepted","command_source":"control_plane"'
        f',"target_scope":"{"instance" if run_id is None else "run"}"'
        f"{json_member('request_id', json_string(request_id))}}}",
        f'[["run","{run.run_id}"]]',
    )
    if subject is not None:
        record_receipt(session, run.first_run_id, subject, command, digest, now, answer)
    return answer
