"""What lists and descriptions say of a run alike.

run     the run.
Result  members of a JSON object, without its braces.
"""

from __future__ import annotations

from byssus.store.sqlite.rows import Run
from byssus.store.sqlite.shared.json_string import json_string


def run_summary(run: Run) -> str:
    """The members that every representation of a run has."""
    return (
        f'"workflow_id":{json_string(run.workflow_id)}'
        f',"run_id":"{run.run_id}"'
        f',"namespace":{json_string(run.namespace)}'
        f',"workflow_type":{json_string(run.workflow_type)}'
        f',"business_key":{json_string(run.business_key) or "null"}'
        f',"status":"{run.status}"'
        f',"status_bucket":"{run.status_bucket}"'
        f',"task_queue":{json_string(run.task_queue)}'
        f',"compatibility":{json_string(run.build_id) or "null"}'
        f',"started_at":"{run.started_at}"'
        f',"closed_at":{json_string(run.closed_at) or "null"}'
    )
