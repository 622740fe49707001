"""The SQLite schema: the whole upgrade is one transaction of the only writer."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from byssus.database_url import sqlite_path
from byssus.schema import revisions
from byssus.schema.drift import Snapshot, differences
from byssus.schema.fault import SchemaFault
from byssus.schema.shipped import schema_files
from byssus.schema.state import SchemaState, compare, expected_state
from byssus.schema.statements import run_file

_LOCK_WAIT_SECONDS = 60.0
_INSIGNIFICANT = re.compile(r"--[^\n]*|\s+")


def upgrade(url: str) -> SchemaState:
    """See byssus.schema.upgrade. Makes the file, its directory and its write-ahead log when missing."""
    path = sqlite_path(url)
    path.parent.mkdir(parents=True, exist_ok=True)
    with _connected(path) as connection:
        if _journal_mode(connection) != "wal":
            connection.execute("pragma journal_mode = wal")
        state = read_state(connection)
        if state.revision is not None and not revisions.is_known(state.revision):
            raise SchemaFault(compare(state, url))
        revisions.upgrade_to_head(connection, "sqlite")
        return read_state(connection)


def check(url: str) -> list[str]:
    """See byssus.schema.check. Builds this release's schema in memory and compares."""
    path = sqlite_path(url)
    if not path.exists():
        raise SchemaFault(f"There is no file {path}.")
    with _connected(path) as connection:
        state = read_state(connection)
        if state.revision != expected_state("sqlite").revision:
            return [unfit] if (unfit := compare(state, url)) else []
        drift = differences(_shipped(), snapshot(connection))
        if _journal_mode(connection) != "wal":
            drift.append("journal mode is not wal")
        return drift


def read_state(connection: sqlite3.Connection) -> SchemaState:
    """The state that the installer left; an empty database has none."""
    table = connection.execute("select 1 from sqlite_master where name = 'alembic_version'").fetchone()
    if table is None:
        return SchemaState(None, None)
    row = connection.execute("select max(version_num) from alembic_version").fetchone()
    return SchemaState(row[0], None)


def install_shipped(connection: sqlite3.Connection) -> None:
    """Apply sql/ as it is now to a database without a Byssus schema, in one transaction."""
    connection.execute("begin immediate")
    for path in schema_files("sqlite"):
        run_file(connection, path.read_text(encoding="utf-8"))
    connection.commit()


def snapshot(connection: sqlite3.Connection) -> Snapshot:
    """The objects of a database; comments and the width of white space do not count."""
    rows = connection.execute(
        "select type, name, sql from sqlite_master"
        " where tbl_name <> 'alembic_version' and name not like 'sqlite|_%' escape '|'"
    )
    return {(kind, name): _INSIGNIFICANT.sub(" ", definition).strip() for kind, name, definition in rows}


def _shipped() -> Snapshot:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        install_shipped(connection)
        return snapshot(connection)
    finally:
        connection.close()


def _journal_mode(connection: sqlite3.Connection) -> str:
    (mode,) = connection.execute("pragma journal_mode").fetchone()
    return str(mode)


@contextmanager
def _connected(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        connection = sqlite3.connect(path, timeout=_LOCK_WAIT_SECONDS, isolation_level=None)
        connection.execute("pragma schema_version").fetchone()
    except sqlite3.Error as error:
        raise SchemaFault(f"Cannot open {path}: {error}") from error
    try:
        yield connection
    finally:
        connection.close()
