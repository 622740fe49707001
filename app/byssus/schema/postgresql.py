"""The PostgreSQL schema: one advisory lock round the whole upgrade, everything owned by byssus_owner."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import LiteralString

import psycopg
from psycopg import sql

from byssus.schema import revisions
from byssus.schema.drift import differences
from byssus.schema.fault import SchemaFault
from byssus.schema.shipped import checksums_text, grants_text, roles_text, routine_files, schema_files
from byssus.schema.state import SchemaState, combined_checksum, compare, expected_state
from byssus.schema.statements import run_file

Connection = psycopg.Connection[tuple[object, ...]]

LOCK_KEY = int.from_bytes(b"byssus")
_CATALOG = Path(__file__).with_name("postgresql_catalog.sql")

LOAD_BEGIN = "set local check_function_bodies = off;"
"""Routines call each other; their order in the load must not matter."""

LOAD_END = """set local check_function_bodies = on;
select case l.lanname when 'sql' then fmgr_sql_validator(p.oid) else plpgsql_validator(p.oid) end
from pg_catalog.pg_proc as p
inner join pg_catalog.pg_language as l on p.prolang = l.oid
where p.pronamespace = 'byssus'::regnamespace and l.lanname in ('sql', 'plpgsql');"""
"""Every body is checked once all of them are there."""


def upgrade(url: str) -> SchemaState:
    """See byssus.schema.upgrade. The login is a superuser, or a member of byssus_owner once that exists."""
    with _connected(url) as connection, _locked(connection):
        _prepare(connection)
        connection.execute("set role byssus_owner")
        _refuse_if_ahead(connection, url)
        connection.execute("create schema if not exists byssus")
        connection.autocommit = False
        revisions.upgrade_to_head(connection, "postgresql")
        connection.autocommit = True
        with connection.transaction():
            load_routines(connection)
        return read_state(connection)


def check(url: str) -> list[str]:
    """See byssus.schema.check.

    Builds this release's schema beside the installed one, in a transaction that is rolled back; that takes
    the rights that an upgrade takes.
    """
    with _connected(url) as connection, connection.transaction(force_rollback=True):
        connection.execute("select pg_advisory_xact_lock_shared(%s)", [LOCK_KEY])
        _prepare(connection)
        connection.execute("set local role byssus_owner")
        state = read_state(connection)
        if state.revision != expected_state("postgresql").revision:
            return [unfit] if (unfit := compare(state, url)) else []
        return _drift(connection)


def read_state(connection: Connection) -> SchemaState:
    """The state that the installer left, read from its tables; an empty database has none."""
    if not _exists(connection, "byssus.alembic_version"):
        return SchemaState(None, None)
    revision = _scalar(connection, "select max(version_num) from byssus.alembic_version")
    if not _exists(connection, "byssus.schema_routines"):
        return SchemaState(None if revision is None else str(revision), None)
    recorded = connection.execute("select name, checksum from byssus.schema_routines").fetchall()
    checksums = {str(name): str(checksum) for name, checksum in recorded}
    return SchemaState(None if revision is None else str(revision), combined_checksum(checksums))


def install_shipped(connection: Connection) -> None:
    """Apply sql/ and procedures/ to a database without a Byssus schema, in one transaction."""
    with connection.transaction():
        for path in schema_files("postgresql"):
            run_file(connection, path.read_text(encoding="utf-8"))
        load_routines(connection)


def load_routines(connection: Connection) -> None:
    """Replace all routines, record their checksums and grant again. The caller holds the transaction."""
    files = routine_files("postgresql")
    run_file(connection, LOAD_BEGIN)
    for file in files:
        run_file(connection, file.text)
    run_file(connection, LOAD_END)
    run_file(connection, checksums_text("byssus.schema_routines", files))
    run_file(connection, grants_text("postgresql"))


def snapshot(connection: Connection, schema: str = "byssus") -> dict[tuple[str, str], str]:
    """The objects of a schema, with its name evened out to `byssus` in their definitions."""
    connection.execute("set search_path = pg_catalog")
    rows = connection.execute(_CATALOG.read_bytes(), {"schema": schema}).fetchall()
    return {
        (str(kind), _evened(str(name), schema)): _evened(str(definition), schema)
        for kind, name, definition in rows
    }


def _evened(text: str, schema: str) -> str:
    return text.replace(schema, "byssus")


def _drift(connection: Connection) -> list[str]:
    connection.execute("alter schema byssus rename to byssus_installed")
    install_shipped(connection)
    return differences(
        snapshot(connection) | _recorded_checksums(connection, "byssus"),
        snapshot(connection, "byssus_installed") | _recorded_checksums(connection, "byssus_installed"),
    )


def _recorded_checksums(connection: Connection, schema: str) -> dict[tuple[str, str], str]:
    query = sql.SQL("select name, checksum from {}.schema_routines").format(sql.Identifier(schema))
    return {("recorded checksum", str(name)): str(checksum) for name, checksum in connection.execute(query)}


def _prepare(connection: Connection) -> None:
    """Make the roles and give byssus_owner what it needs, where that has not been done yet."""
    try:
        if _missing_roles(connection):
            run_file(connection, roles_text("postgresql"))
        if not _owner_may_create(connection):
            connection.execute(_grant_create(connection))
        if not _login_is_owner(connection):
            connection.execute(_grant_owner(connection))
    except psycopg.errors.InsufficientPrivilege as error:
        raise _unprepared(connection) from error
    # A grant by somebody who may not give it is a mere warning.
    if not _owner_may_create(connection):
        raise _unprepared(connection)


def _unprepared(connection: Connection) -> SchemaFault:
    steps = [
        roles_text("postgresql").strip(),
        _text(_grant_create(connection)),
        _text(_grant_owner(connection)),
    ]
    return SchemaFault(
        f"The login {connection.info.user} may not prepare the database {connection.info.dbname}. "
        "Let a superuser run this in it, then try again:\n\n" + "\n".join(steps)
    )


def _missing_roles(connection: Connection) -> bool:
    roles = ["byssus_owner", "byssus_app", "byssus_audit"]
    return _scalar(connection, "select count(*) from pg_roles where rolname = any(%s)", roles) != len(roles)


def _owner_may_create(connection: Connection) -> bool:
    return bool(
        _scalar(connection, "select has_database_privilege('byssus_owner', current_database(), 'create')")
    )


def _login_is_owner(connection: Connection) -> bool:
    try:
        with connection.transaction(force_rollback=True):
            connection.execute("set local role byssus_owner")
    except psycopg.errors.InsufficientPrivilege:
        return False
    return True


def _grant_create(connection: Connection) -> sql.Composed:
    database = sql.Identifier(connection.info.dbname)
    return sql.SQL("grant create on database {} to byssus_owner;").format(database)


def _grant_owner(connection: Connection) -> sql.Composed:
    return sql.SQL("grant byssus_owner to {};").format(sql.Identifier(connection.info.user))


def _text(statement: sql.Composed) -> str:
    return statement.as_string(None)


def _refuse_if_ahead(connection: Connection, url: str) -> None:
    state = read_state(connection)
    if state.revision is not None and not revisions.is_known(state.revision):
        raise SchemaFault(compare(state, url))


@contextmanager
def _connected(url: str) -> Iterator[Connection]:
    try:
        connection = psycopg.connect(url, autocommit=True, application_name="byssus db")
    except psycopg.OperationalError as error:
        raise SchemaFault(f"Cannot connect to the database: {error}") from error
    with connection:
        yield connection


@contextmanager
def _locked(connection: Connection) -> Iterator[None]:
    """Hold the upgrade lock. It is asked for again and again: a statement that waits holds a snapshot."""
    while not _scalar(connection, "select pg_try_advisory_lock(%s)", LOCK_KEY):
        time.sleep(0.2)
    yield


def _exists(connection: Connection, relation: str) -> bool:
    return bool(_scalar(connection, "select to_regclass(%s) is not null", relation))


def _scalar(connection: Connection, query: LiteralString, *arguments: object) -> object:
    row = connection.execute(query, arguments or None).fetchone()
    return None if row is None else row[0]
