"""Notes that polls of workers for workflow tasks are still waiting.

polls            array of [namespace, worker_id].
polling_seconds  for how long that vouches for the workers.
Outcomes         recorded.
Writes           worker_liveness.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import text_pairs
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.record_poll import record_poll


def record_polls(session: Session, polls: str, polling_seconds: int) -> Answer:
    """Record which workers have a poll for workflow tasks waiting."""
    now = session.now()
    for namespace, worker_id in text_pairs.decode(polls):
        if session.exists(
            "select 1 from worker_registrations where namespace = ? and worker_id = ? and sticky_execution",
            (namespace, worker_id),
        ):
            record_poll(session, namespace, worker_id, polling_seconds, now)
    return Answer("recorded", '{"recorded":true}', None)
