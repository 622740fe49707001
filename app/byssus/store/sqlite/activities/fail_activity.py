"""Ends an activity attempt with a failure: another attempt later, or the end of the activity.

Which of them, the retry policy says.

namespace            the namespace.
task_id              the activity task.
activity_attempt_id  the attempt.
lease_owner          who calls.
failure              type?, non_retryable, fields: what the event says of it.
digest               digest of the failure, for repeats.
Outcomes             failed, retry_scheduled; the fence's refusals (activity_refusal), conflicting_completion,
                     namespace_not_found.
Writes               activities, receipts; inbox, or runs, history_events, workflow_tasks.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import activity_failures, text_lists
from byssus.store.sqlite.rows import Activity, Run
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.activity_position import activity_position
from byssus.store.sqlite.shared.activity_refusal import activity_refusal
from byssus.store.sqlite.shared.json_member import json_member
from byssus.store.sqlite.shared.json_members import json_members
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.record_receipt import record_receipt
from byssus.store.sqlite.shared.refuse_activity import refuse_activity
from byssus.store.sqlite.shared.repeated_answer import repeated_answer
from byssus.store.sqlite.shared.retry_or_close_activity import retry_or_close_activity


def fail_activity(
    session: Session,
    namespace: str,
    task_id: str,
    activity_attempt_id: str,
    lease_owner: str,
    failure: str,
    digest: str,
) -> Answer:
    """End an activity attempt with a failure and retry or fail the activity."""
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

    document = activity_failures.decode(failure)
    end = retry_or_close_activity(
        session,
        run,
        activity,
        now,
        not document.non_retryable
        and document.type not in text_lists.decode(activity.non_retryable_error_types),
        "failed",
        "ActivityFailed",
        json_members(document.fields) + ',"failure_category":"activity"',
    )
    answer = Answer(
        end.outcome,
        f'{{{members},"outcome":"{end.outcome}","recorded":true'
        f"{json_member('retry_available_at', json_string(end.available_at))}}}",
        f"[{end.hints}]",
    )
    record_receipt(session, run.run_id, subject, lease_owner, digest, now, answer)
    return answer
