"""Statements of the owner of a database, past every transition."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import psycopg

from byssus.database_url import sqlite_path
from byssus.schema.statements import run_file
from tests.engines.databases import Database
from tests.engines.mysql_databases import connect


def run_as_owner(database: Database, text: str) -> None:
    """Run the statements of a text. Tables are named without their schema."""
    if database.dialect == "postgresql":
        with psycopg.connect(database.url, autocommit=True) as connection:
            connection.execute("set search_path to byssus")
            connection.execute(text.encode())
    elif database.dialect == "sqlite":
        with closing(sqlite3.connect(sqlite_path(database.url))) as file, file:
            run_file(file, text)
    else:
        with closing(connect(database.url)) as session:
            run_file(session, text if "DELIMITER" in text else f"{text.rstrip().rstrip(';')};")
