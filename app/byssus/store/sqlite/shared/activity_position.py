"""Which activity of its run an activity task id names.

task_id  <run_id>:a<position>
Result   the authored position, or None for what is no such id.
"""

from __future__ import annotations

import re

_TASK_ID = re.compile(r"[0-9a-f-]{36}:a([0-9]{1,9})")


def activity_position(task_id: str) -> int | None:
    """The authored position in an activity task id, or None."""
    match = _TASK_ID.fullmatch(task_id)
    return None if match is None else int(match[1])
