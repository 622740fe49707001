"""One interface, one implementation per engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Protocol

from byssus.database_url import engine_of, sqlite_path
from byssus.store.answer import Answer
from byssus.store.transitions import Transition

Arguments = Mapping[str, str | int | None]


class Notifier(Protocol):
    """Carries keys to the other server processes of one database."""

    async def publish(self, keys: list[str]) -> None:
        """Tell the others. Delivery is not guaranteed."""

    def subscribe(self, callback: Callable[[str], None]) -> None:
        """Call `callback` in the event loop with each key that another process publishes."""


class Store(Protocol):
    """A database that can run the transitions. Safe to share between tasks of one event loop."""

    @property
    def engine(self) -> str:
        """`sqlite`, `postgresql` or `mysql`."""

    @property
    def notifier(self) -> Notifier | None:
        """How other processes of the same database learn of wake-ups; None where only sweeps do."""

    async def open(self) -> None:
        """Connect. Raises BackendUnavailable; does not look at the schema."""

    async def close(self) -> None:
        """Finish what was begun and disconnect."""

    async def call(self, transition: Transition, arguments: Arguments) -> list[Answer]:
        """Run one transition in one transaction, committed before this returns.

        `arguments` are the transition's parameters by name; JSON documents are text. A claim answers once
        per poll, in order; every other transition answers once.
        Raises BackendLockPressure, BackendUnavailable, PayloadTooLarge or SchemaNotReady.
        """


def connect(url: str, *, pool_size: int = 10, clock: Callable[[], datetime] | None = None) -> Store:
    """The store of a database URL, not yet opened.

    `pool_size` is how many connections a store keeps; it does not count on SQLite. `clock` replaces the clock
    of an SQLite store; on other engines the database's own routine `current_instant` is the clock.
    Raises ValueError for a bad URL.
    """
    if engine_of(url) == "postgresql":
        from byssus.store.postgresql import PostgresStore

        return PostgresStore(url, pool_size=pool_size)
    if engine_of(url) == "mysql":
        from byssus.store.mysql import MysqlStore

        return MysqlStore(url, pool_size=pool_size)
    from byssus.store.sqlite.store import SqliteStore

    return SqliteStore(sqlite_path(url), clock=clock)
