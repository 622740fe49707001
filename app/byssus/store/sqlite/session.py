"""What a transition works with: a connection, and the clock."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TypeVar

from byssus.store.sqlite.shared.wire_time import wire_time

Value = str | int | None
R = TypeVar("R")


class WriteNeeded(Exception):
    """A transition that runs without the lock of writers has found something to write."""


class PartRefused(Exception):
    """Raised within a speculative part to undo it. Its text is the reason."""


class PartFailed(Exception):
    """Something went wrong in a speculative part, and it was undone. Its text is the kind of the error."""


class Session:
    """A connection in a transaction, and the clock. Moments are texts in wire form, which sort by time."""

    __slots__ = ("_clock", "_connection", "_may_write", "execute", "executemany")

    def __init__(
        self, connection: sqlite3.Connection, clock: Callable[[], datetime], *, may_write: bool
    ) -> None:
        self.execute = connection.execute
        self.executemany = connection.executemany
        self._connection = connection
        self._clock = clock
        self._may_write = may_write

    def now(self) -> str:
        """The present moment. A transition asks for it once."""
        return wire_time(self._clock())

    def one(self, row: Callable[..., R], statement: str, parameters: Sequence[Value] = ()) -> R | None:
        """The first row that a query finds, made by `row` of its columns, or None."""
        found = self.execute(statement, parameters).fetchone()
        return None if found is None else row(*found)

    def every(self, row: Callable[..., R], statement: str, parameters: Sequence[Value] = ()) -> list[R]:
        """All rows that a query finds, each made by `row` of its columns."""
        return [row(*found) for found in self.execute(statement, parameters).fetchall()]

    def exists(self, query: str, parameters: Sequence[Value] = ()) -> bool:
        """Whether a query finds anything."""
        return self.execute(query, parameters).fetchone() is not None

    def must_write(self) -> None:
        """Go on only with the lock of writers. Raises WriteNeeded without it, before anything was written."""
        if not self._may_write:
            raise WriteNeeded

    @contextmanager
    def part(self) -> Iterator[None]:
        """A speculative part of a transition: what it has written is undone, alone, when it raises.

        Raises PartRefused as the part did, and PartFailed for any other exception. An error that ended the
        whole transaction is raised as it is.
        """
        self.execute("savepoint part")
        try:
            yield
        except Exception as error:
            if not self._connection.in_transaction:
                raise
            self.execute("rollback to part")
            self.execute("release part")
            if isinstance(error, PartRefused):
                raise
            raise PartFailed("".join(re.findall("[A-Za-z]", type(error).__name__))) from error
        self.execute("release part")
