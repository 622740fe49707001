"""Holding up a database, so that what a server does in it stays in the middle for as long as a test wants."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

import psycopg

from byssus.database_url import sqlite_path
from tests.engines.databases import Database
from tests.faults.sessions import sessions_of
from tests.sdk.waiting import until


class Blockade:
    """A lock that every writing transition waits for."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def has_stopped_one(self) -> None:
        """Return once a transition waits for it. SQLite does not tell: there it returns at once."""
        if self._database.dialect == "postgresql":
            with sessions_of(self._database) as sessions:
                await until(sessions.are_waiting, "a transition waits for the lock")


@contextmanager
def blockade(database: Database) -> Iterator[Blockade]:
    """Let no transition write inside the block."""
    if database.dialect == "sqlite":
        with closing(sqlite3.connect(sqlite_path(database.url), isolation_level=None)) as connection:
            connection.execute("begin immediate")
            yield Blockade(database)
            connection.execute("rollback")
    else:
        with psycopg.connect(database.url) as connection:
            connection.execute("lock table byssus.workflow_tasks, byssus.workflows in exclusive mode")
            yield Blockade(database)
            connection.rollback()
