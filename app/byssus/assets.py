"""Where the SQL that ships with Byssus lies: inside an installed package, or beside `app/` in a checkout."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

_PACKAGE = Path(__file__).resolve().parent


def path(name: Literal["sql", "procedures", "migrations"]) -> Path:
    """The directory of that name."""
    packaged = _PACKAGE / "assets" / name
    return packaged if packaged.is_dir() else _PACKAGE.parent.parent / name
