"""When cached and received events may be replayed together."""

from __future__ import annotations

import pytest

from byssus.worker.suffix import Announced, announced, is_continued, may_replay


def _events(*sequences: object) -> list[dict[str, object]]:
    return [{"sequence": sequence, "event_type": "TimerFired"} for sequence in sequences]


AFTER_12 = Announced(after=12, last=15)


def test_a_suffix_right_after_what_is_cached_is_replayed() -> None:
    assert may_replay(range(1, 13), AFTER_12, _events(13, 14, 15))


@pytest.mark.parametrize("cached", [range(1, 12), range(1, 14)], ids=["gap", "overlap"])
def test_a_suffix_that_begins_elsewhere_than_the_cache_ends_is_refused(cached: range) -> None:
    assert not is_continued(cached, AFTER_12)
    assert not may_replay(cached, AFTER_12, _events(13, 14, 15))


@pytest.mark.parametrize(
    "sequences",
    [
        (13, 15),
        (13, 14),
        (13, 14, 15, 16),
        (14, 15),
        (12, 13, 14, 15),
        (13, 13, 15),
        (13, 13, 14, 15),
        (15, 14, 13),
        (),
        (13, 14, "15"),
        (13, 14, 15.0),
        (13, 14, None),
    ],
)
def test_a_suffix_that_is_not_what_was_announced_is_refused(sequences: tuple[object, ...]) -> None:
    assert not may_replay(range(1, 13), AFTER_12, _events(*sequences))


def test_events_that_are_no_objects_are_refused() -> None:
    assert not may_replay(range(1, 13), Announced(after=12, last=13), [13])


def test_whole_history_is_no_suffix() -> None:
    for cached in (range(1, 1), range(1, 13)):
        assert not is_continued(cached, Announced(after=0, last=3))
        assert not may_replay(cached, Announced(after=0, last=3), _events(1, 2, 3))


def test_an_empty_suffix_is_replayed_when_nothing_was_announced() -> None:
    assert may_replay(range(1, 13), Announced(after=12, last=12), [])
    assert not may_replay(range(1, 13), Announced(after=12, last=12), _events(13))
    assert not may_replay(range(1, 13), Announced(after=12, last=13), [])


@pytest.mark.parametrize("cached", [range(2, 13), range(13), range(1, 1), range(12, 13)])
def test_a_cache_that_does_not_begin_at_one_is_refused(cached: range) -> None:
    assert not may_replay(cached, AFTER_12, _events(13, 14, 15))


@pytest.mark.parametrize(
    ("after", "last"),
    [(13, 12), (-1, 3), (0, -1), ("12", 15), (12, "15"), (12.0, 15), (True, 15), (None, 15), (12, None)],
)
def test_what_cannot_be_meant_is_not_taken_for_an_announcement(after: object, last: object) -> None:
    assert announced({"history_after_sequence": after, "history_last_sequence": last}) is None


def test_a_task_without_the_fields_announces_nothing() -> None:
    assert announced({"history_events": []}) is None
    assert announced({"history_after_sequence": 12}) is None
    assert announced({"history_after_sequence": 12, "history_last_sequence": 15}) == AFTER_12
    assert announced({"history_after_sequence": 0, "history_last_sequence": 1}) == Announced(0, 1)
