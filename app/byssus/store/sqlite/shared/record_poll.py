"""Notes that a worker takes tasks: a poll of it was made, or is waiting.

A note that is fresh is not made again.

namespace        the worker's namespace.
worker_id        its id.
polling_seconds  for how long the poll vouches for it.
now              the moment.
Writes           worker_liveness, at most once a second.
"""

from __future__ import annotations

from byssus.store.sqlite.moments import later
from byssus.store.sqlite.session import Session


def record_poll(session: Session, namespace: str, worker_id: str, polling_seconds: int, now: str) -> None:
    """Record that a poll of a worker vouches for it."""
    until = later(now, polling_seconds)
    if session.exists(
        "select 1 from worker_liveness where namespace = ? and worker_id = ? and polling_until > ?",
        (namespace, worker_id, later(until, -1)),
    ):
        return

    session.must_write()
    session.execute(
        "update worker_liveness set polling_until = ? where namespace = ? and worker_id = ?",
        (until, namespace, worker_id),
    )
