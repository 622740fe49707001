"""Running whole SQL files at driver level, so that `:name` and `%` in a body stay what they are."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import psycopg
from alembic import op

from byssus.database_url import Engine
from byssus.schema.revisions import DriverConnection
from byssus.schema.shipped import frozen_files


def run_file(connection: DriverConnection, text: str) -> None:
    """Run all statements of a file in the connection's transaction."""
    if isinstance(connection, sqlite3.Connection):
        for statement in split(text):
            connection.execute(statement)
    else:
        connection.execute(text.encode())


def split(text: str) -> Iterator[str]:
    """The statements of an SQLite file (its driver takes them one by one; triggers hold semicolons)."""
    statement = ""
    *pieces, rest = text.split(";")
    for piece in pieces:
        statement += piece + ";"
        if sqlite3.complete_statement(statement):
            yield statement.strip()
            statement = ""
    if unfinished := (statement + rest).strip():
        yield unfinished


def run_frozen_files(revision: str) -> None:
    """Inside a revision: apply its frozen files, or write them out when Alembic renders SQL."""
    context = op.get_context()
    engine: Engine = "sqlite" if context.dialect.name == "sqlite" else "postgresql"
    for path in frozen_files(revision, engine):
        text = path.read_text(encoding="utf-8")
        if context.as_sql:
            context.impl.static_output(text)
        else:
            driver_connection = op.get_bind().connection.driver_connection
            assert isinstance(driver_connection, (psycopg.Connection, sqlite3.Connection))
            run_file(driver_connection, text)
