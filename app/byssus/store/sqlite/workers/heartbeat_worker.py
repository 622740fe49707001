"""Notes that a worker lives.

namespace        the worker's namespace.
worker_id        its id.
task_slots       its free slots.
process_metrics  what its process uses.
stale_seconds    for how long the heartbeat counts.
Outcomes         acknowledged; worker_not_registered, namespace_not_found.
Writes           worker_liveness.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.moments import later
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.refuse_missing import refuse_missing


def heartbeat_worker(
    session: Session,
    namespace: str,
    worker_id: str,
    task_slots: str,
    process_metrics: str,
    stale_seconds: int,
) -> Answer:
    """Record a worker's heartbeat, slots and metrics."""
    now = session.now()
    noted = session.execute(
        "update worker_liveness set last_heartbeat_at = ?, stale_at = ?, task_slots = ?,"
        " process_metrics = ? where namespace = ? and worker_id = ?",
        (now, later(now, stale_seconds), task_slots, process_metrics, namespace, worker_id),
    )
    if noted.rowcount == 0:
        return refuse_missing(
            session, namespace, "worker_not_registered", f',"worker_id":{json_string(worker_id)}'
        )
    return Answer("acknowledged", f'{{"worker_id":{json_string(worker_id)},"acknowledged":true}}', None)
