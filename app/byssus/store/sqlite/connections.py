"""Connections to the file, and what SQLite's errors mean for callers."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from byssus.store.errors import BackendLockPressure, BackendUnavailable, SchemaNotReady

BUSY_SECONDS = 5.0
"""How long a transaction waits for another process that writes."""

_CACHED_STATEMENTS = 500
_PRAGMAS = (
    "pragma journal_mode = wal",
    "pragma synchronous = full",
    "pragma foreign_keys = off",
    "pragma temp_store = memory",
    "pragma cache_size = -16384",
    "pragma wal_autocheckpoint = 4000",
)

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_UNAVAILABLE = {
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
}
_MISSING = ("no such table", "no such column", "has no column named")


def connect(path: Path) -> sqlite3.Connection:
    """Open the file, which must exist, for use by one thread at a time. Raises sqlite3.Error."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=_CACHED_STATEMENTS,
    )
    try:
        for pragma in _PRAGMAS:
            connection.execute(pragma)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def fault_of(error: Exception) -> Exception:
    """The store's fault for an error of SQLite; any other error is itself."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
    fault = error
    if code in _BUSY:
        fault = BackendLockPressure(f"another process kept the database locked for {BUSY_SECONDS:g} seconds")
    elif code in _UNAVAILABLE:
        fault = BackendUnavailable(f"the database file could not be used: {error}")
    elif code == sqlite3.SQLITE_ERROR and any(missing in str(error) for missing in _MISSING):
        fault = SchemaNotReady("this database lacks the tables of this release")
    if fault is not error:
        fault.__cause__ = error
    return fault
