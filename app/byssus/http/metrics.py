"""Figures for operators: the operator-metrics document, and the same as Prometheus metrics."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from byssus.errors import Refused
from byssus.http.responses import Response
from byssus.settings import Settings
from byssus.store import Store
from byssus.store.transitions import READ_STICKY_METRICS

PROMETHEUS_CONTENT_TYPE = b"text/plain; version=0.0.4; charset=utf-8"

_CLAIMS = ("hit_expected", "forced_cold_replay", "cold_replay")
_TOTALS = ("hits", "misses", "evictions", "forced_cold_replays")


class StickyFigures(msgspec.Struct):
    """What read_sticky_metrics says of one namespace. `..._last_minute` are of the last 60 seconds."""

    namespace: str
    active_sticky_runs: int = 0
    ready_sticky_tasks: int = 0
    leased_sticky_tasks: int = 0
    hit_expected_last_minute: int = 0
    forced_cold_replay_last_minute: int = 0
    cold_replay_last_minute: int = 0
    suffix_tasks_last_minute: int = 0
    suffix_events_saved_last_minute: int = 0
    suffix_bytes_saved_last_minute: int = 0
    worker_hits: int = 0
    worker_misses: int = 0
    worker_evictions: int = 0
    worker_forced_cold_replays: int = 0

    def rates(self) -> dict[str, float]:
        """Hits, and forced replays, among both; 0.0 when there were none."""
        hits, forced = self.hit_expected_last_minute, self.forced_cold_replay_last_minute
        routed = hits + forced
        return {
            "hit_rate_last_minute": hits / routed if routed else 0.0,
            "miss_rate_last_minute": forced / routed if routed else 0.0,
        }

    def document(self) -> dict[str, object]:
        """The figures under their public names, with what follows from them."""
        forced = self.forced_cold_replay_last_minute
        return {
            "active_sticky_runs": self.active_sticky_runs,
            "ready_sticky_tasks": self.ready_sticky_tasks,
            "leased_sticky_tasks": self.leased_sticky_tasks,
            "hit_expected_last_minute": self.hit_expected_last_minute,
            "miss_last_minute": forced,
            "forced_cold_replay_last_minute": forced,
            "cold_replay_last_minute": self.cold_replay_last_minute,
            **self.rates(),
            "capacity_pressure_tasks": self.ready_sticky_tasks,
            "suffix_tasks_last_minute": self.suffix_tasks_last_minute,
            "suffix_events_saved_last_minute": self.suffix_events_saved_last_minute,
            "suffix_bytes_saved_last_minute": self.suffix_bytes_saved_last_minute,
            "worker_reported": {name: getattr(self, f"worker_{name}") for name in _TOTALS},
        }


class _Figures(msgspec.Struct):
    namespaces: list[StickyFigures]


_figures = msgspec.json.Decoder(_Figures)


async def operator_metrics(settings: Settings, store: Store, namespace: str) -> Response:
    """The answer of GET /api/system/operator-metrics. Refuses a namespace that does not exist."""
    namespaces = await _read(store)
    own = next((figures for figures in namespaces if figures.namespace == namespace), None)
    if own is None:
        raise Refused("namespace_not_found", namespace=namespace)
    sticky = {
        "enabled": settings.sticky_execution_enabled,
        "ttl_seconds": settings.sticky_execution_ttl_seconds,
        **own.document(),
        "all_namespaces": total(namespaces).document(),
    }
    body = {"namespace": namespace, "operator_metrics": {"sticky_execution": sticky}}
    return Response(200, msgspec.json.encode(body), "described")


async def prometheus(settings: Settings, store: Store) -> Response:
    """The answer of GET /metrics."""
    registry = CollectorRegistry()
    registry.register(_StickyCollector(settings, await _read(store)))
    return Response(200, generate_latest(registry), "described", content_type=PROMETHEUS_CONTENT_TYPE)


def total(namespaces: list[StickyFigures]) -> StickyFigures:
    """The sums over all namespaces."""
    names = [name for name in StickyFigures.__struct_fields__ if name != "namespace"]
    return StickyFigures("", **{name: sum(getattr(one, name) for one in namespaces) for name in names})


async def _read(store: Store) -> list[StickyFigures]:
    [answer] = await store.call(READ_STICKY_METRICS, {})
    return _figures.decode(answer.body).namespaces


class _StickyCollector(Collector):
    """One family per figure, labelled by namespace."""

    def __init__(self, settings: Settings, namespaces: list[StickyFigures]) -> None:
        self._settings = settings
        self._namespaces = namespaces

    def collect(self) -> Iterator[GaugeMetricFamily]:
        yield GaugeMetricFamily(
            "byssus_sticky_enabled",
            "1 when sticky execution is switched on.",
            value=self._settings.sticky_execution_enabled,
        )
        yield GaugeMetricFamily(
            "byssus_sticky_ttl_seconds",
            "How long a worker keeps a run when it does not say.",
            value=self._settings.sticky_execution_ttl_seconds,
        )
        for name in ("hit_rate", "miss_rate"):
            family = GaugeMetricFamily(
                f"byssus_sticky_{name}_last_minute",
                "Share of the claims of runs in a cache in the last 60 seconds.",
                labels=["namespace"],
            )
            for figures in self._namespaces:
                family.add_metric([figures.namespace], figures.rates()[f"{name}_last_minute"])
            yield family
        yield self._family("active_runs", "Open runs that a worker holds in its cache.", "active_sticky_runs")
        yield self._family("ready_tasks", "Ready tasks of such runs.", "ready_sticky_tasks")
        yield self._family("leased_tasks", "Leased tasks of such runs.", "leased_sticky_tasks")
        yield self._labelled(
            "claims_last_minute",
            "Claims of the last 60 seconds, by replay mode.",
            "mode",
            {name: f"{name}_last_minute" for name in _CLAIMS},
        )
        yield self._family(
            "suffix_tasks_last_minute",
            "Claims of the last 60 seconds that were sent a history suffix.",
            "suffix_tasks_last_minute",
        )
        yield self._family(
            "suffix_events_saved_last_minute",
            "History events that those suffixes left out.",
            "suffix_events_saved_last_minute",
        )
        yield self._family(
            "suffix_bytes_saved_last_minute",
            "Bytes of history that those suffixes left out.",
            "suffix_bytes_saved_last_minute",
        )
        yield self._labelled(
            "worker_reported",
            "Totals that the registered workers report of their caches.",
            "event",
            {name: f"worker_{name}" for name in _TOTALS},
        )

    def _family(self, name: str, text: str, field: str) -> GaugeMetricFamily:
        family = GaugeMetricFamily(f"byssus_sticky_{name}", text, labels=["namespace"])
        for figures in self._namespaces:
            family.add_metric([figures.namespace], getattr(figures, field))
        return family

    def _labelled(self, name: str, text: str, label: str, fields: dict[str, str]) -> GaugeMetricFamily:
        family = GaugeMetricFamily(f"byssus_sticky_{name}", text, labels=["namespace", label])
        for figures in self._namespaces:
            for value, field in fields.items():
                family.add_metric([figures.namespace, value], getattr(figures, field))
        return family
