"""Completes an activity with its result, and wakes its run.

namespace            the namespace.
task_id              the activity task.
activity_attempt_id  the attempt.
lease_owner          who calls.
result               the result as a payload envelope, or None.
digest               digest of the result, for repeats.
Outcomes             completed; the fence's refusals (activity_refusal), conflicting_completion,
                     namespace_not_found.
Writes               activities, receipts; inbox, or runs, history_events, workflow_tasks.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.rows import Activity, Run
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.activity_event import activity_event
from byssus.store.sqlite.shared.activity_position import activity_position
from byssus.store.sqlite.shared.activity_refusal import activity_refusal
from byssus.store.sqlite.shared.group_has_open_leaf import group_has_open_leaf
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.record_event import record_event
from byssus.store.sqlite.shared.record_receipt import record_receipt
from byssus.store.sqlite.shared.refuse_activity import refuse_activity
from byssus.store.sqlite.shared.repeated_answer import repeated_answer


def complete_activity(
    session: Session,
    namespace: str,
    task_id: str,
    activity_attempt_id: str,
    lease_owner: str,
    result: str | None,
    digest: str,
) -> Answer:
    """Complete an activity attempt with its result and wake its run."""
    subject = activity_attempt_id[37:]
    members = f'"task_id":{json_string(task_id)},"activity_attempt_id":{json_string(activity_attempt_id)}'
    run = session.one(
        Run,
        "select * from runs where run_id = ? and namespace = ?",
        (task_id.partition(":a")[0], namespace),
    )
    run_id = None if run is None else run.run_id
    activity = session.one(
        Activity,
        "select * from activities where run_id = ? and position = ?",
        (run_id, activity_position(task_id)),
    )
    now = session.now()

    answer = repeated_answer(
        session,
        run_id,
        subject,
        lease_owner,
        digest,
        "conflicting_completion",
        f',{members},"outcome":"rejected","recorded":false',
    )
    if answer is not None:
        return answer
    reason = activity_refusal(run, activity, activity_attempt_id, lease_owner, now)
    if reason is not None:
        return refuse_activity(session, namespace, reason, run, task_id, activity_attempt_id, lease_owner)
    assert run is not None
    assert activity is not None

    session.execute(
        "update activities set status = 'completed', closed_at = ?, lease_owner = null,"
        " lease_expires_at = null, started_at = null, timeout_at = null where run_id = ? and position = ?",
        (now, activity.run_id, activity.position),
    )
    hints = record_event(
        session,
        run,
        now,
        "result",
        "ActivityCompleted",
        activity_event(activity, f',"result":{result or "null"},"payload_codec":"avro"'),
        wakes=not group_has_open_leaf(session, run.run_id, activity.group_base, activity.group_size),
    )

    answer = Answer("completed", f'{{{members},"outcome":"completed","recorded":true}}', f"[{hints}]")
    record_receipt(session, run.run_id, subject, lease_owner, digest, now, answer)
    return answer
