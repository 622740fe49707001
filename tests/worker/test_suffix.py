"""When cached and received events may be replayed together."""

from __future__ import annotations

import pytest

from byssus.worker.suffix import Announced, announced, is_continued, may_replay, tail_of


def _events(*sequences: object) -> list[dict[str, object]]:
    return [{"sequence": sequence, "event_type": "TimerFired"} for sequence in sequences]


AFTER_12 = Announced(after=12, last=15)


def test_a_suffix_right_after_what_is_cached_is_replayed() -> None:
    assert may_replay(range(1, 13), AFTER_12, _events(13, 14, 15))


@pytest.mark.parametrize("last", [12, 13, 15])
def test_a_suffix_takes_the_place_of_what_is_cached_from_there_on(last: int) -> None:
    assert is_continued(range(1, last + 1), AFTER_12)
    assert may_replay(range(1, last + 1), AFTER_12, _events(13, 14, 15))
    assert not may_replay(range(1, last + 1), AFTER_12, _events(14, 15))


@pytest.mark.parametrize("last", [11, 16], ids=["gap", "further"])
def test_a_suffix_of_something_else_than_what_is_cached_is_refused(last: int) -> None:
    assert not is_continued(range(1, last + 1), AFTER_12)
    assert not may_replay(range(1, last + 1), AFTER_12, _events(13, 14, 15))


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


def _tail(after: object, last: object, *sequences: object) -> dict[str, object]:
    return {"history_tail": {"after_sequence": after, "last_sequence": last, "events": _events(*sequences)}}


def test_a_tail_comes_with_an_activity() -> None:
    assert tail_of(_tail(12, 14, 13, 14)) == (Announced(12, 14), _events(13, 14))
    assert tail_of(_tail(12, 12)) == (Announced(12, 12), [])


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"history_tail": None},
        {"history_tail": []},
        {"history_tail": {"after_sequence": 12, "last_sequence": 14}},
        {"history_tail": {"after_sequence": 12, "last_sequence": 14, "events": {}}},
        _tail("12", 14, 13, 14),
        _tail(12, 11),
    ],
)
def test_anything_else_is_no_tail(answer: dict[str, object]) -> None:
    assert tail_of(answer) is None
