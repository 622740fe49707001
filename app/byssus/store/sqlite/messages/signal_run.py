"""Sends a signal to a run. It reaches workflow code at its next workflow task.

Until the first task has been answered, and while one is leased, it is held.

namespace    the namespace.
workflow_id  the workflow.
run_id       one of its runs; None: the current one.
signal_name  the signal.
input        its arguments as a payload envelope, or None.
request_id   repeats of one request get one answer; None: not repeatable.
digest       digest of the request's body.
Outcomes     signal_received; instance_not_found, run_not_found, historical_run_command_rejected,
             request_id_conflict, run_not_active, structural_limit_exceeded, namespace_not_found.
Writes       receipts; inbox, or runs, history_events, workflow_tasks.
"""

from __future__ import annotations

import uuid

from byssus.store.answer import Answer
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.json_member import json_member
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.lock_target_run import lock_target_run
from byssus.store.sqlite.shared.record_event import record_event
from byssus.store.sqlite.shared.record_receipt import record_receipt
from byssus.store.sqlite.shared.refuse import refuse
from byssus.store.sqlite.shared.repeated_answer import repeated_answer
from byssus.store.sqlite.shared.target_refusal import target_refusal

_HELD_SIGNALS = 5000


def signal_run(
    session: Session,
    namespace: str,
    workflow_id: str,
    run_id: str | None,
    signal_name: str,
    input: str | None,
    request_id: str | None,
    digest: str,
) -> Answer:
    """Record a signal for a run, at once or held, and wake it."""
    run = lock_target_run(session, namespace, workflow_id, run_id)
    now = session.now()

    subject = None if request_id is None else f"signal:{request_id}"
    answer = repeated_answer(
        session,
        None if run is None else run.first_run_id,
        subject,
        signal_name,
        digest,
        "request_id_conflict",
        f',"workflow_id":{json_string(workflow_id)},"request_id":{json_string(request_id)}',
    )
    if answer is None:
        answer = target_refusal(session, run, namespace, workflow_id, run_id)
    if answer is not None:
        return answer
    assert run is not None

    (held,) = session.execute(
        "select count(*) from inbox where run_id = ? and kind = 'signal'", (run.run_id,)
    ).fetchone()
    if held >= _HELD_SIGNALS:
        return refuse(
            "structural_limit_exceeded",
            f',"workflow_id":{json_string(workflow_id)},"limit_kind":"pending_signal_count"'
            f',"current_value":{held},"configured_limit":{_HELD_SIGNALS}',
        )

    signal_id = f"{run.run_id}:s{uuid.uuid4().hex}"
    codec = "" if input is None else ',"payload_codec":"avro"'
    payload = (
        f'{{"signal_id":"{signal_id}","signal_name":{json_string(signal_name)}'
        f"{json_member('arguments', input)}{codec}}}"
    )
    hints = record_event(session, run, now, "signal", "SignalReceived", payload, wakes=True)

    answer = Answer(
        "signal_received",
        f'{{"workflow_id":{json_string(workflow_id)}'
        f',"run_id":"{run.run_id}"'
        f',"workflow_type":{json_string(run.workflow_type)}'
        f',"signal_name":{json_string(signal_name)}'
        f',"signal_id":"{signal_id}"'
        ',"outcome":"signal_received","command_status":"accepted","command_source":"control_plane"'
        f',"target_scope":"{"instance" if run_id is None else "run"}"'
        f"{json_member('request_id', json_string(request_id))}}}",
        f"[{hints}]",
    )
    if subject is not None:
        record_receipt(session, run.first_run_id, subject, signal_name, digest, now, answer)
    return answer
