"""Whose cache a run's task would find warm, and for how long it waits for that worker.

run_id        the run.
available_at  when its task becomes ready.
now           the moment.
Result        sticky_worker_id, registration_token, sticky_until: the run's living affinity, None without one;
              held_until: when any worker may claim the task: at the end of the hold, and as soon as the
              affinity ends, the worker's heartbeat is overdue or its last poll too old; at once without a
              hold.
"""

from __future__ import annotations

from typing import NamedTuple

from byssus.store.sqlite.moments import later
from byssus.store.sqlite.session import Session


class StickyHold(NamedTuple):
    """A run's living affinity, and until when its task is held for it."""

    sticky_worker_id: str | None
    registration_token: str | None
    sticky_until: str | None
    held_until: str


def sticky_hold(session: Session, run_id: str, available_at: str, now: str) -> StickyHold:
    """The living affinity of a run, and until when its ready task is held for that worker."""
    living = session.execute(
        "select a.sticky_worker_id, a.registration_token, a.sticky_until, a.hold_seconds, l.stale_at,"
        " l.polling_until from affinities as a"
        " inner join worker_registrations as w on a.namespace = w.namespace"
        " and a.sticky_worker_id = w.worker_id and a.registration_token = w.registration_token"
        " inner join worker_liveness as l on w.namespace = l.namespace and w.worker_id = l.worker_id"
        " where a.run_id = ? and a.sticky_until > ?",
        (run_id, now),
    ).fetchone()
    if living is None:
        return StickyHold(None, None, None, available_at)

    worker_id, token, sticky_until, hold_seconds, stale_at, polling_until = living
    held_until = available_at
    if polling_until is not None:
        ends = min(later(available_at, hold_seconds), sticky_until, stale_at, polling_until)
        held_until = max(available_at, ends)
    return StickyHold(worker_id, token, sticky_until, held_until)
