"""When events that a worker has kept and events that it has just received are a run's history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeGuard


class Announced(NamedTuple):
    """What a workflow task says that it delivers: the events after one sequence, through another."""

    after: int
    last: int


def announced(task: Mapping[str, object]) -> Announced | None:
    """What the task says that it delivers; None when it says nothing, or nothing that can be meant."""
    after, last = task.get("history_after_sequence"), task.get("history_last_sequence")
    if not _is_count(after) or not _is_count(last) or last < after:
        return None
    return Announced(after, last)


def is_continued(cached: range, said: Announced) -> bool:
    """Whether the cached sequences begin at 1 and end just where the announced ones begin."""
    return said.after > 0 and cached == range(1, said.after + 1)


def may_replay(cached: range, said: Announced, events: Sequence[object]) -> bool:
    """Whether cached history and these events, one after the other, are all of the announced history.

    No events at all are right when none were announced.
    """
    return is_continued(cached, said) and _are_numbered(events, range(said.after + 1, said.last + 1))


def _are_numbered(events: Sequence[object], sequences: range) -> bool:
    return len(events) == len(sequences) and all(
        isinstance(event, dict) and type(event.get("sequence")) is int and event["sequence"] == sequence
        for event, sequence in zip(events, sequences, strict=True)
    )


def _is_count(value: object) -> TypeGuard[int]:
    return type(value) is int and value >= 0
