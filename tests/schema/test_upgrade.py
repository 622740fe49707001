"""Upgrades: one at a time, refused on a schema that is ahead, and by logins that lack the rights."""

from __future__ import annotations

import multiprocessing
import shutil
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.exc import DBAPIError

from byssus import assets, schema
from byssus.database_url import Engine, sqlite_path
from byssus.schema import SchemaState, expected_state
from byssus.schema.state import compare
from tests.engines.databases import Database, Databases

NEXT_REVISION = """
from alembic import op

revision = "9999"
down_revision = "0001"


def upgrade() -> None:
    op.execute("create table {schema}next_release (id integer)")
    op.execute("{then}")
"""


@contextmanager
def _next_release(engine: Engine, directory: Path, then: str = "select 1") -> Iterator[None]:
    """Inside, the release has one revision more, and its SQL lies where an installed package has it."""
    for name in ("sql", "procedures", "migrations"):
        shutil.copytree(assets.path(name), directory / "assets" / name)
    revision = NEXT_REVISION.format(schema="byssus." if engine == "postgresql" else "", then=then)
    (directory / "assets" / "migrations" / "versions" / "9999_next.py").write_text(revision)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assets, "_PACKAGE", directory)
        expected_state.cache_clear()
        yield
    expected_state.cache_clear()


def test_an_older_schema_is_behind_and_a_newer_one_ahead(database: Database, tmp_path: Path) -> None:
    old = expected_state(database.dialect)
    with _next_release(database.dialect, tmp_path):
        assert "behind" in (compare(old, database.url) or "")
        assert "behind" in schema.check(database.url)[0]
        new = schema.upgrade(database.url)
        assert compare(new, database.url) is None
    assert new.revision == "9999"
    assert "ahead" in (compare(new, database.url) or "")
    assert "ahead" in schema.check(database.url)[0]
    with pytest.raises(schema.SchemaFault, match="ahead"):
        schema.upgrade(database.url)


def test_a_revision_that_fails_leaves_nothing_behind(database: Database, tmp_path: Path) -> None:
    with _next_release(database.dialect, tmp_path, then="select nothing"), pytest.raises(DBAPIError):
        schema.upgrade(database.url)
    assert schema.check(database.url) == []


def test_upgrades_at_the_same_time_go_one_after_the_other(databases: Databases) -> None:
    processes = ProcessPoolExecutor(3, mp_context=multiprocessing.get_context("spawn"))
    with databases.empty() as database, processes:
        states = list(processes.map(schema.upgrade, [database.url] * 3))
        assert states == [expected_state(database.dialect)] * 3
        assert schema.check(database.url) == []


@pytest.mark.engines("postgresql")
def test_a_login_without_rights_is_given_the_sql_that_helps(databases: Databases) -> None:
    with databases.empty() as database, psycopg.connect(database.url, autocommit=True) as superuser:
        superuser.execute("create role test_newcomer login")
        try:
            url = database.url_of("test_newcomer")
            with pytest.raises(schema.SchemaFault) as refusal:
                schema.upgrade(url)
            _, _, steps = str(refusal.value).partition("\n\n")
            superuser.execute(steps.encode())
            assert schema.upgrade(url) == expected_state("postgresql")
            assert schema.check(url) == []
        finally:
            superuser.execute("drop role test_newcomer")


@pytest.mark.engines("sqlite")
def test_an_sqlite_upgrade_makes_the_folder_and_the_write_ahead_log(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'new' / 'byssus.db'}"
    schema.upgrade(url)
    connection = sqlite3.connect(sqlite_path(url))
    assert connection.execute("pragma journal_mode").fetchone() == ("wal",)
    connection.close()


@pytest.mark.engines("sqlite")
def test_a_file_that_is_no_database_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "byssus.db").write_text("This is a letter, not a database. " * 100)
    with pytest.raises(schema.SchemaFault, match="Cannot open"):
        schema.upgrade(f"sqlite:///{tmp_path / 'byssus.db'}")


def test_a_server_that_is_not_there_is_a_fault() -> None:
    with pytest.raises(schema.SchemaFault, match="Cannot connect"):
        schema.upgrade("postgresql://nobody@/nothing?host=/nonexistent")


def test_a_verdict_names_the_command_with_the_password_masked() -> None:
    url = "postgresql://anna:secret@db.example/byssus"
    message = schema.verdict(None, url)
    assert message is not None
    assert message.endswith("byssus db upgrade --database 'postgresql://anna:***@db.example/byssus'")


def test_a_verdict_is_silent_about_the_state_of_this_release() -> None:
    state = expected_state("postgresql")
    body = f'{{"revision":"{state.revision}","routines":"{state.routines}"}}'
    assert schema.verdict(body, "postgresql:///byssus") is None


def test_a_verdict_tells_foreign_routines() -> None:
    state = expected_state("postgresql")
    message = compare(SchemaState(state.revision, "0"), "postgresql:///byssus")
    assert message is not None
    assert message.startswith("The schema's routines are not those of this release.")
