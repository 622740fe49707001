"""The upgrade as SQL, for a DBA to review and run."""

from __future__ import annotations

import byssus
from byssus.database_url import Engine
from byssus.schema import revisions
from byssus.schema.fault import SchemaFault
from byssus.schema.mysql import LOCK, UNLOCK
from byssus.schema.postgresql import LOAD_BEGIN, LOAD_END, LOCK_KEY
from byssus.schema.shipped import (
    checksums_text,
    grants_text,
    progress_text,
    roles_text,
    routine_files,
    session_text,
)


def script(engine: Engine, start: str | None = None) -> str:
    """What `upgrade` does to a database at revision `start` (None: an empty one). Nothing is connected to.

    PostgreSQL: for psql, run by a superuser or a member of byssus_owner. MySQL and MariaDB: for the mysql
    client, run by an account that may create roles and then owns everything. SQLite: for the sqlite3 shell.
    Raises SchemaFault when this release does not know the revision.
    """
    if start is not None and not revisions.is_known(start):
        raise SchemaFault(f"This release has no revision {start}; its latest is {revisions.head()}.")
    match engine:
        case "postgresql":
            return _postgresql(start)
        case "mysql":
            return _mysql(start)
        case "sqlite":
            return _sqlite(start)


def _postgresql(start: str | None) -> str:
    files = routine_files("postgresql")
    return "\n".join(
        [
            _title(start),
            "\\set ON_ERROR_STOP on",
            f"select pg_advisory_lock({LOCK_KEY});",
            roles_text("postgresql"),
            'grant create on database :"DBNAME" to byssus_owner;',
            "set role byssus_owner;",
            "create schema if not exists byssus;",
            revisions.offline_sql("postgresql", start),
            "begin;",
            LOAD_BEGIN,
            *(file.text for file in files),
            LOAD_END,
            checksums_text("byssus.schema_routines", files),
            grants_text("postgresql"),
            "commit;",
            f"select pg_advisory_unlock({LOCK_KEY});",
            "",
        ]
    )


def _mysql(start: str | None) -> str:
    files = routine_files("mysql")
    return "\n".join(
        [
            _title(start),
            f"{LOCK};",
            session_text(),
            progress_text(),
            roles_text("mysql"),
            revisions.offline_sql("mysql", start),
            *(file.text for file in files),
            checksums_text("schema_routines", files),
            grants_text("mysql"),
            f"{UNLOCK};",
            "",
        ]
    )


def _sqlite(start: str | None) -> str:
    return "\n".join(
        [_title(start), ".bail on", "pragma journal_mode = wal;", revisions.offline_sql("sqlite", start)]
    )


def _title(start: str | None) -> str:
    origin = "an empty database" if start is None else f"revision {start}"
    return f"-- Byssus {byssus.__version__}: from {origin} to revision {revisions.head()}."
