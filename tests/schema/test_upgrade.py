"""Upgrades: one at a time, refused on a schema that is ahead, and by logins that lack the rights."""

from __future__ import annotations

import multiprocessing
import shutil
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

import psycopg
import pymysql
import pytest

from byssus import assets, schema
from byssus.database_url import Engine, sqlite_path
from byssus.schema import SchemaState, expected_state
from byssus.schema.shipped import frozen_files
from byssus.schema.state import compare
from byssus.schema.statements import run_file, split_for_client
from tests.engines.databases import Database, Databases
from tests.engines.mysql_databases import MysqlDatabases, connect
from tests.schema.interruption import interrupted

FAULTS = (sqlite3.Error, psycopg.Error)

NEXT_REVISION = """
from byssus.schema.statements import run_frozen_files

revision = "9999"
down_revision = "0001"


def upgrade() -> None:
    run_frozen_files(revision)
"""


@contextmanager
def _next_release(engine: Engine, directory: Path, then: str = "select 1") -> Iterator[None]:
    """Inside, the release has one revision more."""
    _copy_assets(directory)
    migrations = directory / "assets" / "migrations"
    (migrations / "versions" / "9999_next.py").write_text(NEXT_REVISION)
    frozen = migrations / "frozen" / "9999" / engine
    frozen.mkdir(parents=True)
    table = "byssus.next_release" if engine == "postgresql" else "next_release"
    (frozen / "0500_next.sql").write_text(f"create table {table} (id integer);\n{then};\n")
    with _released(directory):
        yield


def _copy_assets(directory: Path) -> None:
    """The SQL of this release, where an installed package has it."""
    for name in ("sql", "procedures", "migrations"):
        shutil.copytree(assets.path(name), directory / "assets" / name)


@contextmanager
def _released(directory: Path) -> Iterator[None]:
    """Inside, the release is what lies in a directory."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assets, "_PACKAGE", directory)
        expected_state.cache_clear()
        try:
            yield
        finally:
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


@pytest.mark.engines("sqlite", "postgresql")
def test_a_revision_that_fails_leaves_nothing_behind(database: Database, tmp_path: Path) -> None:
    with _next_release(database.dialect, tmp_path, then="select nothing"), pytest.raises(FAULTS):
        schema.upgrade(database.url)
    assert schema.check(database.url) == []


@pytest.mark.engines("mariadb", "mysql")
def test_a_revision_that_failed_on_mysql_goes_on_once_it_is_mended(
    database: Database, tmp_path: Path
) -> None:
    failing = _next_release("mysql", tmp_path / "failing", then="select nothing")
    with failing, pytest.raises(pymysql.MySQLError, match="nothing"):
        schema.upgrade(database.url)
    assert "table next_release is not part of this release" in schema.check(database.url)
    with _next_release("mysql", tmp_path / "mended", then="insert into next_release values (7)"):
        assert schema.upgrade(database.url).revision == "9999"
    with closing(connect(database.url)) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT id FROM next_release")
        assert cursor.fetchall() == ((7,),)


@pytest.mark.engines("mariadb", "mysql")
def test_a_table_of_somebody_else_is_not_taken_for_a_step_that_was_done(databases: Databases) -> None:
    with databases.empty() as database:
        with closing(connect(database.url)) as connection, connection.cursor() as cursor:
            cursor.execute("CREATE TABLE runs (id INTEGER)")
        for _ in range(2):
            with pytest.raises(pymysql.MySQLError, match="runs"):
                schema.upgrade(database.url)


@pytest.mark.engines("mariadb", "mysql")
def test_an_upgrade_that_is_interrupted_behind_any_statement_can_be_run_again(
    databases: Databases, tmp_path: Path
) -> None:
    assert isinstance(databases, MysqlDatabases)
    server = databases.server.socket
    _copy_assets(tmp_path)
    _keep_few_routines(tmp_path / "assets")
    with _released(tmp_path), databases.empty() as database, interrupted(server, tmp_path) as (path, breaks):
        url = database.url.replace(quote(str(server), safe=""), quote(str(path), safe=""))
        attempts = 0
        while not _completes(url):
            attempts += 1
        assert attempts == len(breaks.reached)
        assert schema.check(database.url) == []
        steps = [
            step for path in frozen_files("0001", "mysql") for step in split_for_client(path.read_text())
        ]
        assert attempts > 2 * len(steps)
        with closing(connect(database.url)) as connection, connection.cursor() as cursor:
            cursor.execute("SELECT * FROM schema_progress")
            assert cursor.fetchall() == (("0001", len(steps), 0),)
            cursor.execute("SELECT name FROM namespaces")
            assert cursor.fetchall() == (("default",),)


def _keep_few_routines(root: Path) -> None:
    """Leave three routines in the release: each is replaced like any other."""
    kept = {"current_instant", "read_schema_state", "json_string"}
    for path in (root / "procedures" / "mysql").rglob("*.sql"):
        if path.stem not in kept:
            path.unlink()
    (grants,) = (root / "sql" / "mysql" / "roles").glob("*_grants.sql")
    grants.write_text("GRANT EXECUTE ON PROCEDURE read_schema_state TO byssus_app;\n")


def _completes(url: str) -> bool:
    try:
        schema.upgrade(url)
    except schema.SchemaFault as fault:
        if "connection to the database was lost" not in str(fault):
            raise
        return False
    return True


@pytest.mark.engines("mariadb", "mysql")
def test_an_upgrade_leaves_the_routines_alone_that_are_as_shipped(database: Database) -> None:
    with closing(connect(database.url)) as connection, connection.cursor() as cursor:
        for statement in (
            "DROP FUNCTION wire_time",
            "DELETE FROM schema_routines WHERE name = 'json_string'",
            "INSERT INTO schema_routines VALUES ('of_old', '0')",
            "CREATE FUNCTION of_old() RETURNS INT DETERMINISTIC RETURN 1",
        ):
            cursor.execute(statement)
        # A routine that is made anew loses the rights on it, so this one shows whether it was.
        cursor.execute("GRANT EXECUTE ON PROCEDURE start_run TO byssus_audit")
        schema.upgrade(database.url)
    assert schema.check(database.url) == [
        "grant execute on procedure start_run to byssus_audit is not part of this release"
    ]


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


@pytest.mark.engines("mariadb", "mysql")
def test_a_mysql_login_without_rights_is_given_the_sql_that_helps(databases: Databases) -> None:
    assert isinstance(databases, MysqlDatabases)
    with databases.empty() as database, closing(databases.server.connect()) as administrator:
        run_file(
            administrator,
            f"CREATE USER newcomer@localhost;\nGRANT SELECT ON {database.name}.* TO newcomer@localhost;",
        )
        try:
            url = database.url.replace("test_owner", "newcomer")
            with pytest.raises(schema.SchemaFault) as refusal:
                schema.upgrade(url)
            _, _, steps = str(refusal.value).partition("\n\n")
            run_file(administrator, steps)
            assert schema.upgrade(url) == expected_state("mysql")
            assert schema.check(url) == []
        finally:
            run_file(administrator, "DROP USER newcomer@localhost;")


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


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://nobody@/nothing?host=/nonexistent",
        "mysql://nobody@localhost/nothing?unix_socket=/nonexistent",
        "mysql://nobody@localhost",
    ],
)
def test_a_server_that_is_not_there_is_a_fault(url: str) -> None:
    with pytest.raises(schema.SchemaFault, match="Cannot connect"):
        schema.upgrade(url)


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
