"""When events that a worker has kept and events that it has just received are a run's history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard


class Announced(NamedTuple):
    """What is said to be delivered: the events after one sequence, through another."""

    after: int
    last: int


def announced(task: Mapping[str, object]) -> Announced | None:
    """What the task says that it delivers; None when it says nothing, or nothing that can be meant."""
    return _announced(task.get("history_after_sequence"), task.get("history_last_sequence"))


def is_continued(cached: range, said: Announced) -> bool:
    """Whether the cached sequences begin at 1, and the announced ones within them or right after them.

    They may overlap, since tails of activities bring more than the worker has told the server. A cache that
    goes further than what was announced is of another history.
    """
    return said.after > 0 and cached.start == 1 and said.after <= len(cached) <= said.last


def may_replay(cached: range, said: Announced, events: Sequence[object]) -> bool:
    """Whether cached history and these events are all of the announced history.

    The events take the place of what is cached after `said.after`. No events at all are right when none
    were announced.
    """
    return is_continued(cached, said) and _are_numbered(events, range(said.after + 1, said.last + 1))


def tail_of(answer: Mapping[str, object]) -> tuple[Announced, list[dict[str, Any]]] | None:
    """What is said of the `history_tail` that has come with an activity, and its events; None without one."""
    tail = answer.get("history_tail")
    if not isinstance(tail, Mapping):
        return None
    said, events = _announced(tail.get("after_sequence"), tail.get("last_sequence")), tail.get("events")
    return (said, events) if said is not None and isinstance(events, list) else None


def _announced(after: object, last: object) -> Announced | None:
    if not _is_count(after) or not _is_count(last) or last < after:
        return None
    return Announced(after, last)


def _are_numbered(events: Sequence[object], sequences: range) -> bool:
    return len(events) == len(sequences) and all(
        isinstance(event, dict) and type(event.get("sequence")) is int and event["sequence"] == sequence
        for event, sequence in zip(events, sequences, strict=True)
    )


def _is_count(value: object) -> TypeGuard[int]:
    return type(value) is int and value >= 0
