"""A database whose guards are off, to be damaged and mended."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from typing import Any

import psycopg

from byssus.database_url import Engine, sqlite_path
from tests.engines.databases import Database
from tests.engines.mysql_databases import connect

Execute = Callable[[str], list[tuple[Any, ...]]]

TRIGGERS = (
    "guard_history_insert",
    "guard_history_update",
    "guard_history_delete",
    "guard_run_sequence_inserted",
    "guard_run_sequence_updated",
)
GENERATED = {"status_bucket", "deadline_at", "open_deadline_at"}


class Scratch:
    """Runs statements past every guard. Tables are named without their schema."""

    def __init__(self, execute: Execute, columns: Callable[[str], list[str]]) -> None:
        self.execute = execute
        self._columns = columns

    @contextmanager
    def damaged(self, statements: tuple[str, ...]) -> Iterator[None]:
        """The database after the statements; afterwards, what it was before."""
        tables = {_table(statement) for statement in statements}
        for table in tables:
            self.execute(f"create table saved_{table} as select * from {table}")
        try:
            for statement in statements:
                self.execute(statement)
            yield
        finally:
            for table in tables:
                columns = ", ".join(name for name in self._columns(table) if name not in GENERATED)
                self.execute(f"delete from {table}")
                self.execute(f"insert into {table} ({columns}) select {columns} from saved_{table}")
                self.execute(f"drop table saved_{table}")


def _table(statement: str) -> str:
    words = statement.split()
    return words[1 if words[0] == "update" else 2]


def scratch(database: Database) -> AbstractContextManager[Scratch]:
    """Take the guards of a database off. It is of no use to other tests afterwards."""
    return _SCRATCHES[database.dialect](database)


@contextmanager
def _postgresql(database: Database) -> Iterator[Scratch]:
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute("set search_path to byssus")
        connection.execute("set session_replication_role to replica")
        connection.execute('alter table activities drop constraint "closed_at exactly when closed"')

        def execute(statement: str) -> list[tuple[Any, ...]]:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

        def columns(table: str) -> list[str]:
            description = connection.execute(f"select * from {table} limit 0".encode()).description
            return [column.name for column in description or ()]

        yield Scratch(execute, columns)


@contextmanager
def _mysql(database: Database) -> Iterator[Scratch]:
    with closing(connect(database.url)) as connection, connection.cursor() as cursor:
        for trigger in TRIGGERS:
            cursor.execute(f"DROP TRIGGER {trigger}")
        cursor.execute("ALTER TABLE activities DROP CONSTRAINT `closed_at exactly when closed`")

        def execute(statement: str) -> list[tuple[Any, ...]]:
            cursor.execute(statement)
            return list(cursor.fetchall())

        def columns(table: str) -> list[str]:
            cursor.execute(f"SELECT * FROM {table} LIMIT 0")
            return [column[0] for column in cursor.description or ()]

        yield Scratch(execute, columns)


@contextmanager
def _sqlite(database: Database) -> Iterator[Scratch]:
    with closing(sqlite3.connect(sqlite_path(database.url), isolation_level=None)) as connection:
        for trigger in TRIGGERS:
            connection.execute(f"drop trigger {trigger}")
        connection.execute("pragma ignore_check_constraints = on")

        def execute(statement: str) -> list[tuple[Any, ...]]:
            return connection.execute(statement).fetchall()

        def columns(table: str) -> list[str]:
            return [column[0] for column in connection.execute(f"select * from {table} limit 0").description]

        yield Scratch(execute, columns)


_SCRATCHES: dict[Engine, Callable[[Database], AbstractContextManager[Scratch]]] = {
    "sqlite": _sqlite,
    "postgresql": _postgresql,
    "mysql": _mysql,
}
