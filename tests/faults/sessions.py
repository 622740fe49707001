"""What a database knows of the sessions that servers have with it. SQLite has none."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Protocol

import psycopg

from byssus.schema.revisions import MysqlConnection
from tests.engines.databases import Database
from tests.engines.mysql_databases import connect
from tests.sdk.waiting import until

Activity = frozenset[tuple[object, ...]]

_LAST_QUERIES = "select pid, query_start from pg_stat_activity where usename = 'test_app' and datname = %s"
_WAITING = "select count(*) from pg_stat_activity where datname = %s and wait_event_type = 'Lock'"


class Sessions(Protocol):
    """Looks at the servers' sessions from one of its own."""

    def activity(self) -> Activity:
        """The same until a session of a server makes another query."""

    def are_waiting(self) -> bool:
        """Whether any session waits for a lock."""


class PostgresSessions:
    """Every session of a server, with the moment of its last query."""

    def __init__(self, name: str, connection: psycopg.Connection[tuple[object, ...]]) -> None:
        self._name = name
        self._connection = connection

    def activity(self) -> Activity:
        return frozenset(self._connection.execute(_LAST_QUERIES, [self._name]).fetchall())

    def are_waiting(self) -> bool:
        row = self._connection.execute(_WAITING, [self._name]).fetchone()
        assert row is not None
        return row[0] != 0


class MysqlSessions:
    """How many statements all sessions but this one have sent to the database server, which is private."""

    def __init__(self, connection: MysqlConnection) -> None:
        self._connection = connection
        self._own = 0

    def activity(self) -> Activity:
        return frozenset({(self.statements(),)})

    def statements(self) -> int:
        """The number since this began to look. Statements inside routines do not count."""
        self._own += 1
        return self._status("Questions") - self._own

    def are_waiting(self) -> bool:
        self._own += 1
        return self._status("Innodb_row_lock_current_waits") != 0

    def _status(self, name: str) -> int:
        with self._connection.cursor() as cursor:
            cursor.execute(f"SHOW GLOBAL STATUS LIKE '{name}'")
            row = cursor.fetchone()
            assert row is not None
            return int(row[1])


@contextmanager
def sessions_of(database: Database) -> Iterator[Sessions]:
    """The sessions of a database."""
    if database.dialect == "mysql":
        with mysql_sessions_of(database) as sessions:
            yield sessions
    else:
        with psycopg.connect(database.url, autocommit=True) as connection:
            yield PostgresSessions(database.name, connection)


@contextmanager
def mysql_sessions_of(database: Database) -> Iterator[MysqlSessions]:
    """The sessions of a database on MySQL or MariaDB."""
    with closing(connect(database.url)) as connection:
        yield MysqlSessions(connection)


async def at_rest(sessions: Sessions) -> Activity:
    """The activity that stays the same for half a second."""
    seen = [sessions.activity()]

    async def stays() -> bool:
        await asyncio.sleep(0.5)
        seen.append(sessions.activity())
        return seen[-1] == seen[-2]

    await until(stays, "the sessions come to rest", seconds=3)
    return seen[-1]
