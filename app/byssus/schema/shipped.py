"""The SQL files of this release, in the order in which they are applied."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from byssus import assets
from byssus.database_url import Engine


@dataclass(frozen=True, slots=True)
class RoutineFile:
    """A routine that is replaced whole at each upgrade. `checksum` is the hex SHA-256 of the file."""

    name: str
    text: str
    checksum: str


def schema_files(engine: Engine) -> list[Path]:
    """Types, tables, guards and views: what revisions made. Ordered by the number in their names."""
    found = (assets.path("sql") / engine).rglob("*.sql")
    return sorted((path for path in found if path.parent.name != "roles"), key=lambda path: path.name)


def frozen_files(revision: str, engine: Engine) -> list[Path]:
    """The files that a revision applies, as they were when it was released."""
    return sorted((assets.path("migrations") / "frozen" / revision / engine).glob("*.sql"))


def session_text() -> str:
    """The settings under which a MySQL session runs every other file."""
    return _only_file("mysql", "schema", "session")


def progress_text() -> str:
    """Makes the table in which a MySQL upgrade notes its steps, where it is missing."""
    return _only_file("mysql", "schema", "progress")


def roles_text(engine: Engine) -> str:
    """Makes the roles where they are missing."""
    return _only_file(engine, "roles", "roles")


def grants_text(engine: Engine) -> str:
    """Says who may do what. Applied after every load of routines."""
    return _only_file(engine, "roles", "grants")


def _only_file(engine: Engine, folder: str, subject: str) -> str:
    (path,) = (assets.path("sql") / engine / folder).glob(f"*_{subject}.sql")
    return path.read_text(encoding="utf-8")


def routine_files(engine: Engine) -> list[RoutineFile]:
    """Every routine of an engine; the shared ones first. None on SQLite, whose transitions are Python."""
    root = assets.path("procedures") / engine
    paths = sorted(root.rglob("*.sql"), key=lambda path: (path.parent.name != "shared", path))
    return [_routine_file(path) for path in paths]


def _routine_file(path: Path) -> RoutineFile:
    text = path.read_text(encoding="utf-8")
    return RoutineFile(path.stem, text, hashlib.sha256(text.encode()).hexdigest())


def checksums_text(table: str, files: list[RoutineFile]) -> str:
    """SQL that records in a table which routines were loaded."""
    rows = ",\n".join(f"('{file.name}', '{file.checksum}')" for file in files)
    return f"delete from {table};\ninsert into {table} (name, checksum) values\n{rows};"
