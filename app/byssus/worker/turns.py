"""The tasks that a worker is working on, and the slots that they take."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Literal

from byssus.worker.continuation import Basis

Document = dict[str, Any]
Kind = Literal["workflow", "activity"]


class Slots(asyncio.Semaphore):
    """Slots for tasks, of which one may be passed on: from a task that is all but over to the next."""

    _passed_on = 0

    def pass_on(self) -> None:
        """Let the next release of a slot be none, since its task has one already."""
        self._passed_on += 1

    def release(self) -> None:
        """Give a slot back, unless it was passed on."""
        if self._passed_on:
            self._passed_on -= 1
        else:
            super().release()


@dataclass
class Turn:
    """A task that is being worked on, and what is carried by its completion.

    `basis` is there when an activity's run may be continued; `row` is how many such activities the slot has
    had in a row, with this one. `carried` is decided once, so that a completion
    that is sent again is the same. `other_slot` is whether a slot of the other kind is reserved for what a
    carried poll may bring.
    """

    kind: Kind
    task: Document
    basis: Basis | None = None
    row: int = 0
    carried: Document | None = None
    other_slot: bool = False

    def is_completed_by(self, path: str) -> bool:
        """Whether a request to this path completes the task."""
        return path == f"/worker/{self.kind}-tasks/{self.task.get('task_id')}/complete"


current_turn: ContextVar[Turn | None] = ContextVar("byssus_turn", default=None)
"""The turn of the asyncio task that this is."""
