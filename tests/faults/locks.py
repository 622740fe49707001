"""Holding up a database, so that what a server does in it stays in the middle for as long as a test wants."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager

import psycopg

from byssus.database_url import Engine, sqlite_path
from tests.engines import mysql_databases
from tests.engines.databases import Database
from tests.faults.sessions import sessions_of
from tests.sdk.waiting import until


class Blockade:
    """A lock that every writing transition waits for."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def has_stopped_one(self) -> None:
        """Return once a transition waits for it. SQLite does not tell: there it returns at once."""
        if self._database.dialect != "sqlite":
            with sessions_of(self._database) as sessions:
                await until(sessions.are_waiting, "a transition waits for the lock")


@contextmanager
def blockade(database: Database) -> Iterator[Blockade]:
    """Let no transition write inside the block."""
    with _BLOCKADES[database.dialect](database.url):
        yield Blockade(database)


@contextmanager
def _sqlite_blockade(url: str) -> Iterator[None]:
    with closing(sqlite3.connect(sqlite_path(url), isolation_level=None)) as connection:
        connection.execute("begin immediate")
        yield
        connection.execute("rollback")


@contextmanager
def _postgresql_blockade(url: str) -> Iterator[None]:
    with psycopg.connect(url) as connection:
        connection.execute("lock table byssus.workflow_tasks, byssus.workflows in exclusive mode")
        yield
        connection.rollback()


@contextmanager
def _mysql_blockade(url: str) -> Iterator[None]:
    with closing(mysql_databases.connect(url)) as connection, connection.cursor() as cursor:
        # Locks what is not there, too: nobody can put it there.
        cursor.execute("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE")
        cursor.execute("START TRANSACTION")
        for table in ("worker_registrations", "workflows"):
            cursor.execute(f"SELECT * FROM {table} FOR UPDATE")
        yield
        cursor.execute("ROLLBACK")


_BLOCKADES: dict[Engine, Callable[[str], AbstractContextManager[None]]] = {
    "sqlite": _sqlite_blockade,
    "postgresql": _postgresql_blockade,
    "mysql": _mysql_blockade,
}
