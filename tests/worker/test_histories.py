"""The cache of histories: what it keeps, and for how long."""

from __future__ import annotations

import json
import math

import pytest

from byssus.worker.histories import EncodedHistory, Event, HistoryCache, Key, ReceivedHistory


def _key(run_id: str, build_id: str = "build") -> Key:
    return ("workflow", run_id, build_id)


def _events(first: int, last: int) -> list[Event]:
    return [
        {"sequence": sequence, "event_type": "WorkflowStarted" if sequence == 1 else "TimerFired"}
        for sequence in range(first, last + 1)
    ]


def _received(last: int) -> ReceivedHistory:
    events = _events(1, last)
    return ReceivedHistory(events, EncodedHistory().extended(events))


@pytest.fixture
def cache() -> HistoryCache:
    return HistoryCache(capacity=2, max_bytes=1_000_000, ttl_seconds=300)


def test_a_history_grows_by_what_is_appended_and_nothing_else_is_encoded_anew() -> None:
    short = EncodedHistory().extended(_events(1, 3))
    long = short.extended(_events(4, 5))
    assert long.events() == _events(1, 5)
    assert long.sequences == range(1, 6)
    assert all(grown is text for grown, text in zip(long.texts, short.texts, strict=False))
    assert long.size == sum(len(text) for text in long.texts)
    assert short.events() == _events(1, 3)
    assert short.extended([]) is short


def test_a_history_can_be_cut_to_what_it_was() -> None:
    long = EncodedHistory.of(b"{}").extended(_events(1, 3)).extended(_events(4, 6))
    for last in range(7):
        cut = long.through(last)
        assert cut.events() == _events(1, last)
        assert cut.size == len(b"{}") + sum(len(text) for text in cut.texts)
        assert cut.start == b"{}"
    assert long.through(6) == long
    assert long.through(2).extended(_events(3, 6)) == long


def test_events_come_back_as_they_were() -> None:
    event = {"sequence": 1, "payload": {"text": "Wörter ☃", "numbers": [1, 1.0, 2**70, 1e-9], "none": None}}
    encoded = EncodedHistory().extended([event])
    assert json.dumps(encoded.events()) == json.dumps([event])


def test_what_is_not_json_is_not_encoded() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        EncodedHistory().extended([{"sequence": 1, "payload": math.nan}])


def test_a_replay_cannot_change_what_is_kept(cache: HistoryCache) -> None:
    history = _received(3)
    history[1]["event_type"] = "changed by a replay"
    assert cache.remember(_key("run"), history)
    kept = cache.lookup(_key("run"))
    assert kept is not None
    kept.events()[2]["event_type"] = "changed by another"
    assert kept.events() == _events(1, 3)


def test_only_received_histories_that_are_as_long_as_they_were_are_kept(cache: HistoryCache) -> None:
    assert not cache.remember(_key("run"), _events(1, 3))
    assert not cache.remember(_key("run"), ReceivedHistory(_events(1, 3), None))
    grown = _received(3)
    grown.extend(_events(4, 4))
    assert not cache.remember(_key("run"), grown)
    assert cache.lookup(_key("run")) is None


def test_a_history_that_may_not_be_kept_takes_the_place_of_the_old_one(cache: HistoryCache) -> None:
    cache.remember(_key("run"), _received(3))
    assert not cache.remember(_key("run"), ReceivedHistory(_events(1, 4), None))
    assert cache.lookup(_key("run")) is None
    assert cache.metrics()["history_bytes"] == 0


def test_another_build_finds_nothing(cache: HistoryCache) -> None:
    cache.remember(_key("run", "one"), _received(3))
    assert cache.lookup(_key("run", "two")) is None
    assert cache.lookup(_key("run", "one")) is not None


def test_the_run_that_was_not_used_for_longest_goes_first(cache: HistoryCache) -> None:
    cache.remember(_key("a"), _received(1))
    cache.remember(_key("b"), _received(2))
    cache.lookup(_key("a"))
    cache.remember(_key("c"), _received(3))
    assert [cache.lookup(_key(run)) is not None for run in "abc"] == [True, False, True]
    assert cache.metrics()["eviction"] == 1
    cache.remember(_key("c"), _received(4))
    assert cache.metrics() | {"entries": 2, "eviction": 1} == cache.metrics()


def test_bytes_are_bounded_too() -> None:
    size = EncodedHistory().extended(_events(1, 3)).size
    cache = HistoryCache(capacity=10, max_bytes=2 * size, ttl_seconds=300)
    for run in "abc":
        assert cache.remember(_key(run), _received(3))
    assert [cache.lookup(_key(run)) is not None for run in "abc"] == [False, True, True]
    assert cache.metrics()["history_bytes"] == 2 * size
    assert not cache.remember(_key("b"), _received(30))
    assert cache.metrics()["history_bytes"] == size


def test_a_history_that_is_kept_takes_the_place_of_the_old_one(cache: HistoryCache) -> None:
    cache.remember(_key("run"), _received(3))
    kept = cache.lookup(_key("run"))
    assert kept is not None
    longer = kept.extended(_events(4, 5))
    assert cache.keep(_key("run"), longer)
    assert cache.lookup(_key("run")) is longer
    assert cache.metrics() | {"entries": 1, "history_bytes": longer.size} == cache.metrics()
    assert not cache.keep(_key("run"), longer.extended([{"sequence": 6, "payload": 2_000_000 * "x"}]))
    assert cache.lookup(_key("run")) is None


def test_an_entry_ends_with_its_time() -> None:
    now = [1000.0]
    cache = HistoryCache(capacity=2, max_bytes=1_000_000, ttl_seconds=300, clock=lambda: now[0])
    cache.remember(_key("a"), _received(3))
    now[0] += 200
    cache.remember(_key("b"), _received(3))
    now[0] += 100
    assert cache.lookup(_key("a")) is None
    assert cache.lookup(_key("b")) is not None
    assert cache.metrics()["entries"] == 1


def test_clearing_forgets_all(cache: HistoryCache) -> None:
    cache.remember(_key("a"), _received(3))
    cache.clear()
    assert cache.lookup(_key("a")) is None
    assert cache.metrics()["history_bytes"] == 0
