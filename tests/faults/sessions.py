"""What a PostgreSQL database knows of the sessions that servers have with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from tests.engines.databases import Database

Connection = psycopg.Connection[tuple[object, ...]]
Activity = frozenset[tuple[object, ...]]

_LAST_QUERIES = "select pid, query_start from pg_stat_activity where usename = 'test_app' and datname = %s"
_WAITING = "select count(*) from pg_stat_activity where datname = %s and wait_event_type = 'Lock'"


class Sessions:
    """Looks at the servers' sessions from one of its own."""

    def __init__(self, database: Database, connection: Connection) -> None:
        self._name = database.name
        self._connection = connection

    def activity(self) -> Activity:
        """Every session of a server, with the moment of its last query: the same until one makes another."""
        return frozenset(self._connection.execute(_LAST_QUERIES, [self._name]).fetchall())

    def are_waiting(self) -> bool:
        """Whether any session waits for a lock."""
        row = self._connection.execute(_WAITING, [self._name]).fetchone()
        assert row is not None
        return row[0] != 0


@contextmanager
def sessions_of(database: Database) -> Iterator[Sessions]:
    """The sessions of a database on PostgreSQL."""
    with psycopg.connect(database.url, autocommit=True) as connection:
        yield Sessions(database, connection)
