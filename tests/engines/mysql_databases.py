"""Databases for single tests on MariaDB and MySQL, which copy none: they are emptied and used again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from itertools import count
from typing import Any

import pymysql

from byssus import schema
from byssus.database_url import mysql_options
from byssus.schema.mysql_catalog import granted, snapshot
from byssus.schema.revisions import MysqlConnection
from byssus.schema.statements import run_file
from tests.engines.clock import Clock
from tests.engines.databases import Database
from tests.engines.mysql import MysqlServer

LOGINS = {"test_app": "byssus_app", "test_audit": "byssus_audit"}
"""Logins that have one of Byssus' roles and nothing else. `test_owner` may do what an upgrade needs."""

SCHEMA_TABLES = ("alembic_version", "schema_progress", "schema_routines")

_MAKE_OWNER = """
CREATE USER test_owner@localhost;
GRANT ALL ON `test\\_%`.* TO test_owner@localhost WITH GRANT OPTION;
GRANT SELECT ON mysql.db TO test_owner@localhost;
GRANT SELECT ON mysql.procs_priv TO test_owner@localhost;
GRANT SELECT ON mysql.tables_priv TO test_owner@localhost;
CREATE ROLE byssus_app;
CREATE ROLE byssus_audit;
"""
_INSTALL_CLOCK = """
CREATE TABLE test_clock (moment DATETIME(6) NOT NULL);
INSERT INTO test_clock VALUES (UTC_TIMESTAMP(6));
DELIMITER //
DROP FUNCTION current_instant//
CREATE FUNCTION current_instant() RETURNS DATETIME(6) READS SQL DATA
BEGIN
    RETURN (SELECT moment FROM test_clock);
END//
"""


def connect(url: str) -> MysqlConnection:
    """A connection in autocommit mode to the database of a URL."""
    return pymysql.connect(**mysql_options(url), charset="utf8mb4", autocommit=True)


class MysqlClock(Clock):
    """A clock kept in a table that the replaced `current_instant` reads."""

    def __init__(self, connection: MysqlConnection) -> None:
        super().__init__()
        self._connection = connection
        self.set(self.now)

    def set(self, moment: datetime) -> None:
        super().set(moment)
        with self._connection.cursor() as cursor:
            cursor.execute("UPDATE test_clock SET moment = %s", [moment.strftime("%Y-%m-%d %H:%M:%S.%f")])


class MysqlDatabases:
    """Databases on a private server. An upgraded one is used again if its test left the schema as it was."""

    def __init__(self, server: MysqlServer) -> None:
        self.server = server
        self._numbers = count(1)
        self._maintenance = server.connect()
        self._clocked: MysqlConnection | None = None
        self._idle: list[Database] = []
        self._intact: dict[tuple[str, str], str] = {}
        run_file(self._maintenance, _MAKE_OWNER)
        for login, role in LOGINS.items():
            self._execute(f"CREATE USER {login}@localhost")
            self._execute(f"GRANT {role} TO {login}@localhost")

    def close(self) -> None:
        """Disconnect; the server goes on."""
        if self._clocked is not None:
            self._clocked.close()
        self._maintenance.close()

    @contextmanager
    def empty(self) -> Iterator[Database]:
        database = self._created()
        try:
            yield database
        finally:
            self._dropped(database)

    @contextmanager
    def upgraded(self) -> Iterator[Database]:
        database = self._idle.pop() if self._idle else self._upgraded()
        is_intact = False
        try:
            yield database
            is_intact = self._is_intact(database)
        finally:
            if is_intact:
                self._idle.append(database)
            else:
                self._dropped(database)

    @contextmanager
    def clocked(self) -> Iterator[tuple[Database, Clock]]:
        name = "test_clocked"
        database = self._database(name)
        if self._clocked is None:
            self._execute(f"CREATE DATABASE {name}")
            schema.upgrade(database.url)
            self._clocked = self.server.connect(name)
            run_file(self._clocked, _INSTALL_CLOCK)
        self._end_sessions(name)
        empty_tables(self._clocked)
        yield database, MysqlClock(self._clocked)

    def _upgraded(self) -> Database:
        database = self._created()
        schema.upgrade(database.url)
        if not self._intact:
            self._intact = _schema_of(database)
        return database

    def _is_intact(self, database: Database) -> bool:
        """Whether the schema is as it was made. The rows go: the next test finds none."""
        self._end_sessions(database.name)
        if _schema_of(database) != self._intact:
            return False
        with closing(connect(self.server.url(database.name))) as connection:
            empty_tables(connection)
        return True

    def _created(self) -> Database:
        name = f"test_{next(self._numbers)}"
        self._execute(f"CREATE DATABASE {name}")
        return self._database(name)

    def _dropped(self, database: Database) -> None:
        self._end_sessions(database.name)
        self._execute(f"DROP DATABASE {database.name}")

    def _end_sessions(self, name: str) -> None:
        with self._maintenance.cursor() as cursor:
            cursor.execute(
                "SELECT id FROM information_schema.processlist WHERE db = %s AND user <> 'root'", [name]
            )
            for (session,) in cursor.fetchall():
                try:
                    cursor.execute(f"KILL {session}")
                except pymysql.MySQLError as error:
                    if error.args[0] != pymysql.constants.ER.NO_SUCH_THREAD:
                        raise

    def _database(self, name: str) -> Database:
        url, app_url = (self.server.url(name, login) for login in ("test_owner", "test_app"))
        return Database(self.server.engine, "mysql", name, url, app_url)

    def _execute(self, statement: str) -> None:
        with self._maintenance.cursor() as cursor:
            cursor.execute(statement)


def _schema_of(database: Database) -> dict[tuple[str, str], str]:
    with closing(connect(database.url)) as connection:
        return snapshot(connection) | granted(connection)


def empty_tables(connection: MysqlConnection) -> None:
    """Take every row away (history goes after its runs); put the default namespace back."""
    connection.begin()
    with connection.cursor() as cursor:
        for table in ("runs", *tables(connection)):
            cursor.execute(f"DELETE FROM {table}")
        cursor.execute("INSERT INTO namespaces VALUES ('default', '', UTC_TIMESTAMP(6))")
    connection.commit()


def tables(connection: MysqlConnection) -> list[str]:
    """The tables of the session's database but those of the schema itself."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW FULL TABLES WHERE table_type = 'BASE TABLE'")
        names: list[Any] = [row[0] for row in cursor.fetchall()]
    return [name for name in names if name not in (*SCHEMA_TABLES, "test_clock")]
