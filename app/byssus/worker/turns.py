"""The tasks that a worker is working on, and the slots that they take."""

from __future__ import annotations

import asyncio
import time
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from byssus.worker.continuation import Basis

Document = dict[str, Any]
Kind = Literal["workflow", "activity"]


MOMENT_SECONDS = 1.0
"""For how long a lease that was heard of need not be asked for again."""

LONG_LEASE = timedelta(seconds=10)
"""What has to be left of such a lease, by the worker's clock."""


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
    carried poll may bring. `leased_at` is when the worker last heard that it has the lease (monotonic).
    """

    kind: Kind
    task: Document
    basis: Basis | None = None
    row: int = 0
    carried: Document | None = None
    other_slot: bool = False
    leased_at: float = field(default_factory=time.monotonic)

    def is_surely_leased(self) -> bool:
        """Whether the lease was there a moment ago, and lasts for many such moments."""
        expires_at = self.task.get("lease_expires_at")
        if not isinstance(expires_at, str) or time.monotonic() - self.leased_at >= MOMENT_SECONDS:
            return False
        return datetime.fromisoformat(expires_at) - datetime.now(UTC) > LONG_LEASE

    def is_completed_by(self, path: str) -> bool:
        """Whether a request to this path completes the task."""
        return path == f"/worker/{self.kind}-tasks/{self.task.get('task_id')}/complete"


current_turn: ContextVar[Turn | None] = ContextVar("byssus_turn", default=None)
"""The turn of the asyncio task that this is."""
