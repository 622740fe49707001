"""Gives back an activity attempt whose answer could not be delivered: the activity is pending again at once.

namespace            the namespace.
task_id              the activity task.
activity_attempt_id  the attempt.
lease_owner          for whom it was claimed.
Outcomes             released; the fence's refusals (activity_refusal), namespace_not_found.
Writes               activities.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.rows import Activity, Run
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.activity_position import activity_position
from byssus.store.sqlite.shared.activity_refusal import activity_refusal
from byssus.store.sqlite.shared.end_activity_lease import end_activity_lease
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.ready_hint import ready_hint
from byssus.store.sqlite.shared.refuse_activity import refuse_activity


def release_activity_task(
    session: Session, namespace: str, task_id: str, activity_attempt_id: str, lease_owner: str
) -> Answer:
    """Offer an activity again whose claim did not reach its worker."""
    activity = session.one(
        Activity,
        "select * from activities where run_id = ? and position = ? and namespace = ?",
        (task_id.partition(":a")[0], activity_position(task_id), namespace),
    )
    run = None
    if activity is not None:
        run = session.one(Run, "select * from runs where run_id = ?", (activity.run_id,))
    now = session.now()

    reason = activity_refusal(run, activity, activity_attempt_id, lease_owner, now)
    if reason is not None:
        return refuse_activity(session, namespace, reason, run, task_id, activity_attempt_id, lease_owner)
    assert activity is not None

    end_activity_lease(session, activity, now)
    return Answer(
        "released",
        f'{{"task_id":{json_string(task_id)},"outcome":"released"}}',
        f"[{ready_hint('activity', activity.namespace, activity.task_queue)}]",
    )
