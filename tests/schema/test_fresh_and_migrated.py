"""A database that was upgraded is the one that sql/ and procedures/ describe."""

from __future__ import annotations

import sqlite3
import subprocess
from pathlib import Path

import pytest

from byssus import assets, schema
from byssus.database_url import sqlite_path
from byssus.schema.statements import split
from tests.engines.databases import Database, Databases, PostgresDatabases
from tests.engines.mysql_databases import MysqlDatabases


def test_a_migrated_database_is_as_shipped(database: Database) -> None:
    assert schema.check(database.url) == []


def test_an_upgrade_can_be_repeated(database: Database) -> None:
    first = schema.upgrade(database.url)
    assert schema.upgrade(database.url) == first
    assert schema.check(database.url) == []


def test_the_rendered_script_makes_the_same_database(databases: Databases, tmp_path: Path) -> None:
    with databases.empty() as database:
        script = tmp_path / "upgrade.sql"
        script.write_text(schema.script(database.dialect), encoding="utf-8")
        _run_in_shell(databases, database, script)
        # On MySQL its bodies are shown to the account that ran it, and to no other.
        assert schema.check(database.url.replace("test_owner", "root")) == []
        if database.dialect == "mysql":
            with pytest.raises(schema.SchemaFault, match="belong to another account"):
                schema.check(database.url)


def _run_in_shell(databases: Databases, database: Database, script: Path) -> None:
    if isinstance(databases, PostgresDatabases):
        psql = databases.server.binaries / "psql"
        subprocess.run([psql, "-X", "-q", "-d", database.url, "-f", script], check=True, capture_output=True)
    elif isinstance(databases, MysqlDatabases):
        client = ["mysql", "--no-defaults", "--user=root", f"--socket={databases.server.socket}"]
        with script.open("rb") as text:
            subprocess.run([*client, database.name], stdin=text, check=True, capture_output=True)
    else:
        connection = sqlite3.connect(sqlite_path(database.url), isolation_level=None)
        for statement in split(script.read_text(encoding="utf-8").replace(".bail on\n", "")):
            connection.execute(statement)
        connection.close()


def test_no_sql_file_has_a_tab() -> None:
    names = ("sql", "procedures", "migrations")
    files = [path for name in names for path in assets.path(name).rglob("*.sql")]  # type: ignore[arg-type]
    assert files
    assert [path for path in files if "\t" in path.read_text(encoding="utf-8")] == []
