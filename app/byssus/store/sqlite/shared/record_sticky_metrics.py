"""Keeps the totals that a worker reports of its history cache.

namespace  the worker's namespace.
worker_id  its id.
sticky     hit, miss, eviction, forced_cold_replay.
Writes     worker_liveness.
"""

from __future__ import annotations

from byssus.store.sqlite.documents import StickyCache
from byssus.store.sqlite.session import Session


def record_sticky_metrics(session: Session, namespace: str, worker_id: str, sticky: StickyCache) -> None:
    """Record what a worker reports of its history cache."""
    session.execute(
        "update worker_liveness set sticky_hits = ?, sticky_misses = ?, sticky_evictions = ?,"
        " sticky_forced_cold_replays = ? where namespace = ? and worker_id = ?",
        (sticky.hit, sticky.miss, sticky.eviction, sticky.forced_cold_replay, namespace, worker_id),
    )
