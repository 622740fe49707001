"""The answer to a caller that does not hold the workflow task.

namespace  the namespace of the request.
reason     the fence's reason.
run        the run, or None.
task_id    the task the caller named.
attempt    the attempt the caller named.
Result     the refusal, saying that nothing was recorded.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.rows import Run
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.json_member import json_member
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.refuse import refuse
from byssus.store.sqlite.shared.refuse_missing import refuse_missing


def refuse_workflow_task(
    session: Session, namespace: str, reason: str, run: Run | None, task_id: str, attempt: int
) -> Answer:
    """The refusal of a call on a workflow task, with the run's status."""
    status = None if run is None else run.status
    members = (
        f',"task_id":{json_string(task_id)}'
        f',"workflow_task_attempt":{attempt}'
        ',"outcome":"rejected","recorded":false,"can_continue":false'
        + json_member("run_status", json_string(status))
        + (',"cancel_requested":true' if status in ("cancelled", "terminated") else "")
    )
    if reason == "task_not_found":
        return refuse_missing(session, namespace, reason, members)
    return refuse(reason, members)
