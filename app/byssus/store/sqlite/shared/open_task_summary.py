"""What a description says of a run's open workflow task.

task    the task, or None.
Result  a JSON object, or None.
"""

from __future__ import annotations

from byssus.store.sqlite.rows import WorkflowTask
from byssus.store.sqlite.shared.json_string import json_string


def open_task_summary(task: WorkflowTask | None) -> str | None:
    """An open workflow task for readers."""
    if task is None:
        return None
    return (
        f'{{"task_id":"{task.run_id}:k{task.task_number}"'
        f',"status":"{task.status}"'
        f',"attempt":{task.attempt}'
        f',"available_at":"{task.available_at}"'
        f',"lease_owner":{json_string(task.lease_owner) or "null"}'
        f',"lease_expires_at":{json_string(task.lease_expires_at) or "null"}'
        f',"failure_count":{task.failure_count}'
        f',"last_failure":{task.last_failure or "null"}}}'
    )
