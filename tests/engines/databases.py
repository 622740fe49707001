"""Databases for single tests: copied from one that was upgraded once, or emptied and used again."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import LiteralString, Protocol

import psycopg
from psycopg import sql

from byssus import schema
from byssus.database_url import Engine, sqlite_path
from tests.engines.clock import INSTALL_POSTGRES_CLOCK, Clock, PostgresClock
from tests.engines.postgresql import PostgresServer

Connection = psycopg.Connection[tuple[object, ...]]

LOGINS = {"test_app": "byssus_app", "test_audit": "byssus_audit", "test_owner": "byssus_owner"}
"""PostgreSQL logins that are members of one of Byssus' roles and nothing else."""


@dataclass(frozen=True)
class Database:
    """A test's own database.

    `url` is its superuser's on PostgreSQL and its owner's on MySQL, `app_url` the one that a server uses; on
    SQLite they are the same. `engine` is the one that tests are asked for by.
    """

    engine: str
    dialect: Engine
    name: str
    url: str
    app_url: str

    def url_of(self, login: str) -> str:
        """The URL for another login (not on SQLite)."""
        return self.app_url.replace("test_app", login)


class Databases(Protocol):
    """Databases on one engine."""

    def close(self) -> None:
        """Let go of what is held open."""

    def empty(self) -> AbstractContextManager[Database]:
        """A database with nothing in it."""

    def upgraded(self) -> AbstractContextManager[Database]:
        """A database with this release's schema, no runs, and the real clock."""

    def clocked(self) -> AbstractContextManager[tuple[Database, Clock]]:
        """A database like that with a clock to set. Its schema must not be changed."""


class PostgresDatabases:
    """Databases on a private server. One for clocked tests is emptied and used again (a copy takes 0.2 s)."""

    def __init__(self, server: PostgresServer) -> None:
        self.server = server
        self._numbers = count(1)
        self._maintenance = psycopg.connect(server.url(), autocommit=True)
        self._has_template = False
        self._clocked: Connection | None = None

    def close(self) -> None:
        """Disconnect; the server goes on."""
        if self._clocked is not None:
            self._clocked.close()
        self._maintenance.close()

    @contextmanager
    def empty(self) -> Iterator[Database]:
        self._template()  # for its logins
        with self._created("template1") as database:
            yield database

    @contextmanager
    def upgraded(self) -> Iterator[Database]:
        with self._created(self._template()) as database:
            # A right on the database itself is not copied with it.
            self._execute("grant create on database {} to byssus_owner", database.name)
            yield database

    @contextmanager
    def clocked(self) -> Iterator[tuple[Database, Clock]]:
        if self._clocked is None:
            self._execute("create database test_clocked template {}", self._template())
            self._clocked = psycopg.connect(self.server.url("test_clocked"), autocommit=True)
            self._clocked.execute(INSTALL_POSTGRES_CLOCK)
        _empty_tables(self._clocked)
        yield self._database("test_clocked"), PostgresClock(self._clocked)

    @contextmanager
    def _created(self, template: str) -> Iterator[Database]:
        name = f"test_{next(self._numbers)}"
        self._execute("create database {} template {}", name, template)
        try:
            yield self._database(name)
        finally:
            self._execute("drop database {} with (force)", name)

    def _template(self) -> str:
        name = "test_template"
        if not self._has_template:
            self._execute("create database {}", name)
            schema.upgrade(self.server.url(name))
            for login, role in LOGINS.items():
                self._execute("create role {} login in role {}", login, role)
            self._has_template = True
        return name

    def _database(self, name: str) -> Database:
        app_url = self.server.url(name, "test_app")
        return Database(self.server.engine, "postgresql", name, self.server.url(name), app_url)

    def _execute(self, statement: LiteralString, *names: str) -> None:
        self._maintenance.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


def _empty_tables(connection: Connection) -> None:
    """Take every row away, past the guards; put the default namespace back. Ends all other sessions."""
    connection.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity"
        " where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'"
    )
    tables = connection.execute(
        "select relname from pg_class where relnamespace = 'byssus'::regnamespace and relkind = 'r'"
        " and relname not in ('alembic_version', 'schema_routines')"
    ).fetchall()
    with connection.transaction():
        connection.execute("set local session_replication_role = replica")
        for (table,) in tables:
            connection.execute(sql.SQL("delete from byssus.{}").format(sql.Identifier(str(table))))
        connection.execute(
            "insert into byssus.namespaces (name, description, created_at) values ('default', '', now())"
        )


class SqliteDatabases:
    """Files in a folder, copied from one that was upgraded."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._numbers = count(1)

    def close(self) -> None:
        """Nothing is held open."""

    @contextmanager
    def empty(self) -> Iterator[Database]:
        folder = self._directory / f"test{next(self._numbers)}"
        folder.mkdir()
        url = f"sqlite:///{folder / 'byssus.db'}"
        try:
            yield Database("sqlite", "sqlite", folder.name, url, url)
        finally:
            shutil.rmtree(folder)

    @contextmanager
    def upgraded(self) -> Iterator[Database]:
        template = self._directory / "template.db"
        if not template.exists():
            schema.upgrade(f"sqlite:///{template}")
        with self.empty() as database:
            shutil.copyfile(template, sqlite_path(database.url))
            yield database

    @contextmanager
    def clocked(self) -> Iterator[tuple[Database, Clock]]:
        with self.upgraded() as database:
            yield database, Clock()
