"""The payload of an activity's event: what all of them have in common, and what this one adds.

activity  the activity as the event finds it.
members   the event's own members, with a leading comma.
Result    the payload. The parallel group is copied from the command, byte for byte.
"""

from __future__ import annotations

from byssus.store.sqlite.rows import Activity
from byssus.store.sqlite.shared.json_string import json_string


def activity_event(activity: Activity, members: str) -> str:
    """The payload of an event of an activity."""
    execution_id = f"{activity.run_id}:a{activity.position}"
    attempt = ""
    if activity.attempt_number != 0:
        attempt = (
            f',"activity_attempt_id":"{execution_id}.{activity.attempt_number}"'
            f',"attempt_number":{activity.attempt_number}'
        )
    return (
        f'{{"sequence":{activity.position},"activity_execution_id":"{execution_id}"'
        f',"activity_type":{json_string(activity.activity_type)}{attempt}{members}{activity.group_members}}}'
    )
