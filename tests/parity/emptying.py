"""Takes every row away, and leaves sessions and stores as they are."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager

import psycopg

from byssus.database_url import sqlite_path
from tests.engines import mysql_databases
from tests.engines.databases import Database


@contextmanager
def emptying(database: Database, tables: Iterable[str]) -> Iterator[Callable[[], None]]:
    """A function that deletes the rows of these tables, as their owner."""
    others = sorted(set(tables) - {"runs"})
    with _owner(database) as execute:

        def empty() -> None:
            execute("begin")
            for table in ("runs", *others):  # history is guarded as long as its run is there
                execute(f"delete from {table}")
            execute("commit")

        yield empty


def with_second_namespace(database: Database) -> None:
    """Add the namespace `other`."""
    with _owner(database) as execute:
        execute(
            "insert into namespaces (name, description, created_at)"
            " values ('other', 'Another tenant.', '2030-01-01 00:00:00')"
        )


@contextmanager
def _owner(database: Database) -> Iterator[Callable[[str], object]]:
    if database.dialect == "sqlite":
        with closing(sqlite3.connect(sqlite_path(database.url), isolation_level=None)) as file:
            yield file.execute
    elif database.dialect == "mysql":
        with closing(mysql_databases.connect(database.url)) as session, session.cursor() as cursor:
            yield cursor.execute
    else:
        with psycopg.connect(database.url, autocommit=True) as connection:
            connection.execute("set search_path to byssus")
            yield lambda statement: connection.execute(statement.encode())
