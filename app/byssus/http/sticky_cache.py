"""That a worker keeps a run in its cache: what completions say of it."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from byssus.http.call import Call
from byssus.http.documents import document, present
from byssus.http.validation import Identifier

Sequence = Annotated[int, msgspec.Meta(ge=1, le=2_147_483_647)]

_Total = Annotated[int, msgspec.Meta(ge=0, le=9_007_199_254_740_991)]
_Ttl = Annotated[int, msgspec.Meta(ge=1, le=3600)]


class StickyMetrics(msgspec.Struct):
    """Totals that a worker reports of its history cache."""

    hit: _Total = 0
    miss: _Total = 0
    eviction: _Total = 0
    forced_cold_replay: _Total = 0


class StickyCache(msgspec.Struct):
    """That the worker keeps the run in its cache, until the TTL is over or it says something else."""

    worker_id: Identifier
    workflow_id: Identifier
    run_id: Identifier
    build_id: Identifier
    ttl_seconds: _Ttl | None = None
    metrics: StickyMetrics | None = None
    history_last_sequence: Sequence | None = None


def said(cache: StickyCache) -> str:
    """What tells a completion from another: without totals, which move on until it is repeated."""
    return document(
        present(
            {
                "worker_id": cache.worker_id,
                "workflow_id": cache.workflow_id,
                "run_id": cache.run_id,
                "build_id": cache.build_id,
                "ttl_seconds": cache.ttl_seconds,
                "history_last_sequence": cache.history_last_sequence,
            }
        ),
        "sticky_cache",
    )


def sticky_document(call: Call[Any], cache: StickyCache | None, field: str = "sticky_cache") -> str | None:
    """What a transition reads of the worker's cache; None while sticky execution is off."""
    if cache is None or not call.settings.sticky_execution_enabled:
        return None
    totals = cache.metrics or StickyMetrics()
    return document(
        present(
            {
                "worker_id": cache.worker_id,
                "workflow_id": cache.workflow_id,
                "run_id": cache.run_id,
                "build_id": cache.build_id,
                "ttl_seconds": cache.ttl_seconds or call.settings.sticky_execution_ttl_seconds,
                "history_last_sequence": cache.history_last_sequence,
                "hold_seconds": call.settings.sticky_hold_seconds,
                "protocol_version": call.protocol_version,
                "hit": totals.hit,
                "miss": totals.miss,
                "eviction": totals.eviction,
                "forced_cold_replay": totals.forced_cold_replay,
            }
        ),
        field,
    )
