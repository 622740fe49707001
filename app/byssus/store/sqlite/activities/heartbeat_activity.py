"""Notes that an activity attempt makes progress, and renews its lease.

namespace            the namespace.
task_id              the activity task.
activity_attempt_id  the attempt.
lease_owner          who calls.
details              progress, or None.
lease_seconds        how long a renewed lease lasts.
Outcomes             heartbeat_recorded; the fence's refusals (activity_refusal), namespace_not_found.
Writes               activities. The lease is renewed when half of it is over, so that most heartbeats touch
                     no index; the heartbeat timeout is moved on by enforce_timeouts.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.moments import later
from byssus.store.sqlite.rows import Activity, Run
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.activity_position import activity_position
from byssus.store.sqlite.shared.activity_refusal import activity_refusal
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.refuse_activity import refuse_activity


def heartbeat_activity(
    session: Session,
    namespace: str,
    task_id: str,
    activity_attempt_id: str,
    lease_owner: str,
    details: str | None,
    lease_seconds: int,
) -> Answer:
    """Record an activity's heartbeat and renew its lease."""
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
    assert activity.lease_expires_at is not None

    lease_expires_at = activity.lease_expires_at
    if lease_expires_at < later(now, lease_seconds / 2):
        lease_expires_at = later(now, lease_seconds)
    session.execute(
        "update activities set last_heartbeat_at = ?, heartbeat_details = ?, lease_expires_at = ?"
        " where run_id = ? and position = ?",
        (now, details, lease_expires_at, activity.run_id, activity.position),
    )
    return Answer(
        "heartbeat_recorded",
        f'{{"task_id":{json_string(task_id)}'
        f',"activity_attempt_id":{json_string(activity_attempt_id)}'
        f',"lease_owner":{json_string(lease_owner)}'
        ',"cancel_requested":false,"can_continue":true,"reason":null,"heartbeat_recorded":true'
        f',"last_heartbeat_at":"{now}","lease_expires_at":"{lease_expires_at}"}}',
        None,
    )
