"""When the first of an activity's timeouts strikes.

activity  the activity.
Result    the earliest of schedule-to-close, schedule-to-start (while pending), start-to-close and heartbeat
          (while running), or None.
"""

from __future__ import annotations

from byssus.store.sqlite.moments import earliest, later
from byssus.store.sqlite.rows import Activity


def activity_timeout_at(activity: Activity) -> str | None:
    """The moment of an open activity's earliest timeout."""
    if activity.status == "pending":
        return earliest(
            activity.schedule_to_close_deadline_at,
            later(activity.available_at, activity.schedule_to_start_timeout),
        )
    if activity.status == "running" and activity.started_at is not None:
        return earliest(
            activity.schedule_to_close_deadline_at,
            later(activity.started_at, activity.start_to_close_timeout),
            later(activity.last_heartbeat_at or activity.started_at, activity.heartbeat_timeout),
        )
    return None
