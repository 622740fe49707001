"""Workflow code that does whatever comes to mind: commands at random, in the wire form of workers."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.invariants import OPENINGS

Document = dict[str, Any]

TERMINAL_EVENTS = {
    "complete_workflow": "WorkflowCompleted",
    "fail_workflow": "WorkflowFailed",
    "continue_as_new": "WorkflowContinuedAsNew",
}
_LONG = 40
"""Events after which workflow code would rather come to an end."""


def envelope(text: str) -> Document:
    """A payload. The server never looks into it, so any blob does."""
    return {"codec": "avro", "blob": text}


def last_position(events: list[Document]) -> int:
    """The last authored position in a history."""
    positions = [
        event["payload"]["sequence"]
        for event in events
        if event["event_type"] in OPENINGS and event["payload"].get("timer_kind") != "condition_timeout"
    ]
    return max(positions, default=0)


class Work:
    """Makes commands for one run. `marker` is the value of a side effect that every list of them has."""

    def __init__(self, random: Random, queues: list[str], events: list[Document], marker: str) -> None:
        self._random = random
        self._queues = queues
        self._long = len(events) > _LONG
        self._position = last_position(events)
        self._marker = {"type": "record_side_effect", "result": marker}

    def completion(self) -> list[Document]:
        """Commands of a workflow task."""
        if self._random.random() < 0.2:
            # It may be the one that is open already, so nothing with a position of its own comes with it.
            return [self._wait(), self._marker, *self._end(0.05)]
        body = [self._marker, *self._group(), *self._single(), *self._end(0.5 if self._long else 0.1)]
        if self._random.random() < 0.2 and body[-1]["type"] not in TERMINAL_EVENTS:
            body.append(self._wait())
        return body

    def continuation(self) -> list[Document]:
        """Commands of a continuation; one in ten times with one that it cannot have."""
        if self._random.random() < 0.1:
            return [self._marker, self._random.choice([self._wait(), self._onward()])]
        return [self._marker, *self._group(), *self._single(), *self._end(0.4 if self._long else 0.05, 2)]

    def _single(self) -> list[Document]:
        makers = [self._activity] * 4 + [self._timer, self._local]
        return [self._random.choice(makers)() for _ in range(self._random.choice([0, 1, 1, 1, 1, 2, 3]))]

    def _activity(self) -> Document:
        command: Document = {
            "type": "schedule_activity",
            "activity_type": "charge",
            "queue": self._random.choice(self._queues),
            "arguments": envelope("a"),
        }
        if self._random.random() < 0.3:
            command["retry_policy"] = {"max_attempts": 3, "backoff_seconds": [0]}
        if self._random.random() < 0.1:
            command["start_to_close_timeout"] = 1
        return command

    def _timer(self) -> Document:
        return {"type": "start_timer", "delay_seconds": self._random.choice([0, 0, 1])}

    def _wait(self) -> Document:
        command: Document = {"type": "open_condition_wait", "condition_key": "paid"}
        if self._random.random() < 0.5:
            command["timeout_seconds"] = self._random.choice([0, 1])
        return command

    def _local(self) -> Document:
        attempt = {"attempt_id": "1", "attempt_number": 1, "outcome": "completed", "duration_ms": 1}
        return {
            "type": "record_local_activity",
            "activity_type": "charge",
            "execution_mode": "local",
            "outcome": "completed",
            "attempts": [attempt],
            "result": envelope("l"),
        }

    def _group(self) -> list[Document]:
        """Leaves of a parallel group behind the marker, or none. One in twenty stands in the wrong place."""
        if self._random.random() < 0.75:
            return []
        base = self._position + (2 if self._random.random() < 0.95 else 4)
        leaves = [self._activity(), self._random.choice([self._activity, self._timer])()]
        for index, leaf in enumerate(leaves):
            entry = {
                "parallel_group_id": f"g{base}",
                "parallel_group_kind": "all",
                "parallel_group_base_sequence": base,
                "parallel_group_size": len(leaves),
                "parallel_group_index": index,
            }
            leaf |= {**entry, "parallel_group_path": [entry]}
        return leaves

    def _end(self, chance: float, kinds: int = 3) -> list[Document]:
        if self._random.random() >= chance:
            return []
        ends: list[Document] = [
            {"type": "complete_workflow", "result": envelope("r")},
            {"type": "fail_workflow", "message": "no more"},
            self._onward(),
        ]
        return [self._random.choice(ends[:kinds])]

    def _onward(self) -> Document:
        return {"type": "continue_as_new", "queue": self._random.choice(self._queues)}
