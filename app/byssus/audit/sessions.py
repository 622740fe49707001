"""Reading one snapshot of a database, without a lock that a writer could meet."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from typing import Any

import psycopg
import pymysql
from psycopg.rows import dict_row

from byssus.audit.fault import AuditFault
from byssus.database_url import Engine, engine_of, masked, mysql_options, sqlite_path

Row = Mapping[str, Any]
Read = Callable[[str, Mapping[str, str]], Iterator[Row]]
"""Gives the rows of a query one by one, as they come. `:name` in it stands for a parameter of that name."""

_PARAMETER = re.compile(r":(\w+)")
_LOCK_WAIT_SECONDS = 60.0


@contextmanager
def snapshot(url: str) -> Iterator[Read]:
    """Read a database as it is now, for as long as the context lasts.

    Raises AuditFault when it cannot be connected to, or the connection or a query fails.
    """
    with _SNAPSHOTS[engine_of(url)](url) as read:
        yield read


@contextmanager
def _postgresql(url: str) -> Iterator[Read]:
    try:
        connection = psycopg.connect(url, application_name="byssus audit", row_factory=dict_row)
    except psycopg.Error as error:
        raise AuditFault(f"Cannot connect to the database: {error}") from error
    with closing(connection):
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        # A plan for the range at hand each time: how many rows it has differs.
        connection.prepare_threshold = None

        def read(query: str, parameters: Mapping[str, str]) -> Iterator[Row]:
            with connection.cursor() as cursor:
                yield from cursor.stream(_with_percent(query).encode(), parameters)

        try:
            connection.execute("set local search_path to pg_catalog, byssus, pg_temp")
            connection.execute("set local jit to off")
            yield read
        except (psycopg.errors.UndefinedTable, psycopg.errors.InsufficientPrivilege) as error:
            raise _not_readable(url) from error
        except psycopg.Error as error:
            raise AuditFault(f"The database could not be read: {error}") from error


@contextmanager
def _mysql(url: str) -> Iterator[Read]:
    try:
        options = mysql_options(url)
        database = options.pop("database")
        connection = pymysql.connect(**options, charset="utf8mb4", cursorclass=pymysql.cursors.SSDictCursor)
    except (pymysql.MySQLError, ValueError, OSError) as error:
        raise AuditFault(f"Cannot connect to the database: {error}") from error

    def read(query: str, parameters: Mapping[str, str]) -> Iterator[Row]:
        with connection.cursor() as cursor:
            cursor.execute(_with_percent(query), parameters)
            yield from cursor

    try:
        with connection.cursor() as cursor:
            # An owner need not have the role, and has its rights without it.
            with suppress(pymysql.MySQLError):
                cursor.execute("SET ROLE byssus_audit")
            connection.select_db(database)
            cursor.execute("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            cursor.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY")
        yield read
    except pymysql.MySQLError as error:
        if error.args[0] in _NOT_READABLE_MYSQL:
            raise _not_readable(url) from error
        raise AuditFault(f"The database could not be read: {error}") from error
    finally:
        # One that broke is closed already, and closing it again would hide why.
        if connection.open:
            connection.close()


@contextmanager
def _sqlite(url: str) -> Iterator[Read]:
    path = sqlite_path(url)
    if not path.exists():
        raise AuditFault(f"There is no file {path}.")
    try:
        with closing(sqlite3.connect(path, timeout=_LOCK_WAIT_SECONDS, isolation_level=None)) as connection:
            connection.row_factory = sqlite3.Row
            connection.execute("pragma query_only = on")
            connection.execute("begin")

            def read(query: str, parameters: Mapping[str, str]) -> Iterator[Row]:
                for row in connection.execute(query, parameters):
                    yield dict(row)

            yield read
    except sqlite3.Error as error:
        if str(error).startswith("no such table"):
            raise _not_readable(url) from error
        raise AuditFault(f"The database could not be read: {error}") from error


def _with_percent(query: str) -> str:
    return _PARAMETER.sub(r"%(\1)s", query)


def _not_readable(url: str) -> AuditFault:
    return AuditFault(
        "The database has no Byssus schema of this release that the login may read. "
        f"Run: byssus db upgrade --database '{masked(url)}'. The login needs the role byssus_audit."
    )


_NOT_READABLE_MYSQL = {
    pymysql.constants.ER.NO_SUCH_TABLE,
    pymysql.constants.ER.BAD_DB_ERROR,
    pymysql.constants.ER.DBACCESS_DENIED_ERROR,
    pymysql.constants.ER.TABLEACCESS_DENIED_ERROR,
}
_SNAPSHOTS: dict[Engine, Callable[[str], AbstractContextManager[Read]]] = {
    "sqlite": _sqlite,
    "postgresql": _postgresql,
    "mysql": _mysql,
}
