"""Which task of its run a workflow task id names.

task_id  <run_id>:k<number>
Result   the number, or None for what is no such id.
"""

from __future__ import annotations

import re

_TASK_ID = re.compile(r"[0-9a-f-]{36}:k([0-9]{1,18})")


def workflow_task_number(task_id: str) -> int | None:
    """The number in a workflow task id, or None."""
    match = _TASK_ID.fullmatch(task_id)
    return None if match is None else int(match[1])
