"""What a worker is told of an activity attempt that it holds.

activity  the running activity.
Result    the answer of a poll.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.moments import later
from byssus.store.sqlite.rows import Activity, Run
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.json_member import json_member
from byssus.store.sqlite.shared.json_string import json_string


def leased_activity(session: Session, activity: Activity) -> Answer:
    """A running activity attempt in wire form."""
    run = session.one(Run, "select * from runs where run_id = ?", (activity.run_id,))
    assert run is not None
    activity_id = f"{activity.run_id}:a{activity.position}"
    return Answer(
        "leased",
        f'{{"task":{{"task_id":"{activity_id}"'
        f',"namespace":{json_string(run.namespace)}'
        f',"workflow_id":{json_string(run.workflow_id)}'
        f',"run_id":"{run.run_id}"'
        f',"workflow_type":{json_string(run.workflow_type)}'
        f',"activity_execution_id":"{activity_id}"'
        f',"activity_attempt_id":"{activity_id}.{activity.attempt_number}"'
        f',"attempt_number":{activity.attempt_number}'
        f',"activity_type":{json_string(activity.activity_type)}'
        f',"payload_codec":"avro","arguments":{activity.arguments or "null"}'
        + json_member("retry_policy", activity.retry_policy)
        + f',"task_queue":{json_string(activity.task_queue)}'
        f',"lease_owner":{json_string(activity.lease_owner)}'
        f',"lease_expires_at":"{activity.lease_expires_at}"'
        f',"deadlines":{{{_deadlines(activity, run)}}}}},"poll_status":"leased"}}',
        None,
    )


def _deadlines(activity: Activity, run: Run) -> str:
    """The deadlines that the attempt has, as members of a JSON object."""
    assert activity.started_at is not None
    moments = {
        "start_to_close": later(activity.started_at, activity.start_to_close_timeout),
        "schedule_to_close": activity.schedule_to_close_deadline_at,
        "heartbeat": later(activity.last_heartbeat_at or activity.started_at, activity.heartbeat_timeout),
        "run": run.run_deadline_at,
        "execution": run.execution_deadline_at,
    }
    return "".join(json_member(name, json_string(moment)) for name, moment in moments.items())[1:]
