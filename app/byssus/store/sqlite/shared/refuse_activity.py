"""The answer to a caller that does not hold the activity attempt.

namespace    the namespace of the request.
reason       the fence's reason.
run          the run, or None.
task_id      the task the caller named.
attempt_id   the attempt the caller named.
lease_owner  who calls.
Result       the refusal, saying that nothing was recorded and whether the activity should stop because its
             run was cancelled.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.rows import Run
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.json_member import json_member
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.refuse import refuse
from byssus.store.sqlite.shared.refuse_missing import refuse_missing


def refuse_activity(
    session: Session,
    namespace: str,
    reason: str,
    run: Run | None,
    task_id: str,
    attempt_id: str,
    lease_owner: str,
) -> Answer:
    """The refusal of a call on an activity attempt, with the run's status."""
    status = None if run is None else run.status
    members = (
        f',"task_id":{json_string(task_id)}'
        f',"activity_attempt_id":{json_string(attempt_id)}'
        f',"lease_owner":{json_string(lease_owner)}'
        f',"outcome":"{"rejected" if run is None or run.closed_at is None else "ignored"}"'
        ',"recorded":false,"heartbeat_recorded":false,"can_continue":false,"cancel_requested":'
        + ("true" if status in ("cancelled", "terminated") else "false")
        + json_member("run_status", json_string(status))
    )
    if reason == "attempt_not_found":
        return refuse_missing(session, namespace, reason, members)
    return refuse(reason, members)
