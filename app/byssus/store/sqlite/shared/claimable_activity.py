"""An activity that the present transition has scheduled, if a worker may have it before what waits.

run_id        the run.
registration  the registration of the worker.
now           the moment of the transition.
Result        the first one, by priority and position; None when there is none that the worker can run, or
              when something of a higher priority waits for it.
"""

from __future__ import annotations

from byssus.store.sqlite.rows import Activity, Registration
from byssus.store.sqlite.session import Session


def claimable_activity(
    session: Session, run_id: str, registration: Registration, now: str
) -> Activity | None:
    """The activity that a transition has just scheduled if a worker may have it first, or None."""
    # All priorities are named, so that each is one range of the index.
    activity = session.one(
        Activity,
        "select * from activities"
        " where namespace = ?1 and task_queue = ?2 and status = 'pending'"
        " and priority in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9) and available_at = ?3 and run_id = ?4"
        " and attempt_number = 0"
        " and activity_type in (select value from json_each(?5))"
        " and (build_id is null or build_id = ?6)"
        " order by priority, position limit 1",
        (
            registration.namespace,
            registration.task_queue,
            now,
            run_id,
            registration.activity_types,
            registration.build_id,
        ),
    )
    if activity is None:
        return None
    waits_above = session.exists(
        "select 1 from activities"
        " where namespace = ?1 and task_queue = ?2 and status = 'pending'"
        " and priority in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9) and priority < ?3 and available_at <= ?4"
        " and activity_type in (select value from json_each(?5))"
        " and (build_id is null or build_id = ?6)"
        " and (timeout_at is null or timeout_at > ?4)"
        " order by priority, available_at limit 1",
        (
            registration.namespace,
            registration.task_queue,
            activity.priority,
            now,
            registration.activity_types,
            registration.build_id,
        ),
    )
    return None if waits_above else activity
