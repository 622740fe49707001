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


def roles_text() -> str:
    """Makes the three PostgreSQL roles where they are missing."""
    return _role_file("roles")


def grants_text() -> str:
    """Says who may do what on PostgreSQL. Applied after every load of routines."""
    return _role_file("grants")


def _role_file(subject: str) -> str:
    (path,) = (assets.path("sql") / "postgresql" / "roles").glob(f"*_{subject}.sql")
    return path.read_text(encoding="utf-8")


def routine_files(engine: Engine) -> list[RoutineFile]:
    """Every routine of an engine; the shared ones first. None on SQLite, whose transitions are Python."""
    root = assets.path("procedures") / engine
    paths = sorted(root.rglob("*.sql"), key=lambda path: (path.parent.name != "shared", path))
    return [_routine_file(path) for path in paths]


def _routine_file(path: Path) -> RoutineFile:
    text = path.read_text(encoding="utf-8")
    return RoutineFile(path.stem, text, hashlib.sha256(text.encode()).hexdigest())
