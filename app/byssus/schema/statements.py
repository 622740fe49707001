"""Running whole SQL files at driver level, so that `:name` and `%` in a body stay what they are."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import psycopg
import pymysql
from alembic import op

from byssus.database_url import Engine
from byssus.schema.revisions import DriverConnection
from byssus.schema.shipped import frozen_files, session_text
from byssus.schema.steps import run_steps, steps_text

_DIALECTS: dict[str, Engine] = {
    "sqlite": "sqlite",
    "postgresql": "postgresql",
    "mysql": "mysql",
    "mariadb": "mysql",
}


def run_file(connection: DriverConnection, text: str) -> None:
    """Run all statements of a file, on SQLite and PostgreSQL in the connection's transaction."""
    if isinstance(connection, sqlite3.Connection):
        for statement in split(text):
            connection.execute(statement)
    elif isinstance(connection, pymysql.Connection):
        with connection.cursor() as cursor:
            for statement in split_for_client(text):
                cursor.execute(statement)
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


def split_for_client(text: str) -> Iterator[str]:
    """The statements of a file for the mysql client, which may change its delimiter; each ends a line."""
    delimiter = ";"
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith("DELIMITER "):
            delimiter = line.split()[1]
            continue
        lines.append(line)
        if line.endswith(delimiter) and not line.lstrip().startswith("--"):
            yield "\n".join(lines).strip().removesuffix(delimiter)
            lines = []


def run_frozen_files(revision: str) -> None:
    """Inside a revision: apply its frozen files, or write them out when Alembic renders SQL."""
    context = op.get_context()
    engine = _DIALECTS[context.dialect.name]
    texts = [path.read_text(encoding="utf-8") for path in frozen_files(revision, engine)]
    if engine == "mysql":
        _run_in_steps(revision, [step for text in texts for step in split_for_client(text)])
        return
    for text in texts:
        if context.as_sql:
            context.impl.static_output(text)
        else:
            run_file(_driver_connection(), text)


def _run_in_steps(revision: str, steps: list[str]) -> None:
    context = op.get_context()
    if context.as_sql:
        context.impl.static_output(steps_text(revision, steps))
    else:
        connection = _driver_connection()
        assert isinstance(connection, pymysql.Connection)
        run_file(connection, session_text())
        run_steps(connection, revision, steps)


def _driver_connection() -> DriverConnection:
    connection = op.get_bind().connection.driver_connection
    assert isinstance(connection, (psycopg.Connection, sqlite3.Connection, pymysql.Connection))
    return connection
