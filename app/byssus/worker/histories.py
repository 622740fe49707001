"""Histories as they came over the wire, and a bounded cache of them."""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

Event = dict[str, Any]
Key = tuple[str, str, str]
"""Workflow id, run id, build id."""


@dataclass(frozen=True, slots=True)
class EncodedHistory:
    """A run's events from sequence 1 on, each as JSON, with `size` bytes of text together.

    Replay gives workflow code parts of the events themselves (the details of a failure, say), which it may
    change. So what is kept is text, made before the replay, and every replay gets objects of its own.

    `start` is what workflow tasks say of the run itself (`byssus.worker.continuation`), as JSON too.
    """

    texts: tuple[bytes, ...] = ()
    size: int = 0
    start: bytes = b""

    @classmethod
    def of(cls, start: bytes) -> EncodedHistory:
        """The history of a run, with no events yet."""
        return cls(size=len(start), start=start)

    @property
    def last_sequence(self) -> int:
        """The sequence of its last event."""
        return len(self.texts)

    @property
    def sequences(self) -> range:
        """The sequences of its events."""
        return range(1, self.last_sequence + 1)

    def extended(self, events: list[Event]) -> EncodedHistory:
        """The history with these events after it. Raises ValueError for events that are not JSON (NaN)."""
        if not events:
            return self
        texts = [
            json.dumps(event, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
            for event in events
        ]
        return replace(self, texts=(*self.texts, *texts), size=self.size + sum(map(len, texts)))

    def through(self, sequence: int) -> EncodedHistory:
        """The history as it was when its last event was this one."""
        cut = self.texts[sequence:]
        return replace(self, texts=self.texts[:sequence], size=self.size - sum(map(len, cut)))

    def events(self) -> list[Event]:
        """The events, as objects that nobody else has."""
        events: list[Event] = json.loads(b"[%b]" % b",".join(self.texts))
        return events


class ReceivedHistory(list[Event]):
    """The events of one replay, with the text of them that may be kept (None: it may not)."""

    def __init__(self, events: list[Event], encoded: EncodedHistory | None) -> None:
        super().__init__(events)
        self.encoded = encoded


@dataclass(frozen=True, slots=True)
class _Entry:
    history: EncodedHistory
    expires_at: float


class HistoryCache:
    """Keeps the histories that were used last, within bounds. Stands in for the SDK's cache of snapshots.

    `capacity` counts runs, `max_bytes` their text; an entry lives for `ttl_seconds` after it was last kept.
    """

    def __init__(
        self, capacity: int, max_bytes: int, ttl_seconds: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.capacity = capacity
        self.max_bytes = max_bytes
        self.ttl_seconds = ttl_seconds
        self._clock = clock
        self._entries: OrderedDict[Key, _Entry] = OrderedDict()
        self._bytes = 0
        self._counts = {"hit": 0, "miss": 0, "eviction": 0, "forced_cold_replay": 0}

    @property
    def enabled(self) -> bool:
        """Whether it keeps anything at all."""
        return self.capacity > 0

    def lookup(self, key: Key) -> EncodedHistory | None:
        """The history kept for a run, which is now the last one used."""
        self._expire()
        if key not in self._entries:
            return None
        self._entries.move_to_end(key)
        return self._entries[key].history

    def remember(self, key: Key, history: list[Event], **_snapshot_options: object) -> bool:
        """Keep a history that was received. False when that may not be, or when it is too big."""
        encoded = history.encoded if isinstance(history, ReceivedHistory) else None
        if encoded is None or len(history) != encoded.last_sequence:
            self.discard(key)
            return False
        return self.keep(key, encoded)

    def keep(self, key: Key, history: EncodedHistory) -> bool:
        """Keep a history in the place of what was kept of the run. False when it is too big."""
        self._expire()
        self.discard(key)
        if not self.enabled or history.size > self.max_bytes:
            return False
        while len(self._entries) >= self.capacity or self._bytes + history.size > self.max_bytes:
            self.discard(next(iter(self._entries)))
            self._counts["eviction"] += 1
        self._entries[key] = _Entry(history, self._clock() + self.ttl_seconds)
        self._bytes += history.size
        return True

    def discard(self, key: Key) -> None:
        """Forget a run."""
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._bytes -= entry.history.size

    def clear(self) -> None:
        """Forget all runs."""
        self._entries.clear()
        self._bytes = 0

    def record_replay(self, *, hit: bool, forced: bool = False) -> None:
        """Count a replay: from what was kept, or cold, and whether only for want of what was expected."""
        self._counts["hit" if hit else "miss"] += 1
        if forced:
            self._counts["forced_cold_replay"] += 1

    def metrics(self) -> dict[str, int]:
        """Counts of replays and evictions, and what is kept: `entries`, `history_bytes`."""
        self._expire()
        return {**self._counts, "entries": len(self._entries), "history_bytes": self._bytes}

    def _expire(self) -> None:
        now = self._clock()
        for key in [key for key, entry in self._entries.items() if entry.expires_at <= now]:
            self.discard(key)
