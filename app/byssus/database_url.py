"""Database URLs: `sqlite:///relative.db`, `sqlite:////absolute.db`, `postgresql://user:password@host/name`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

Engine = Literal["sqlite", "postgresql"]

_PASSWORD = re.compile(r"(?<=://)([^/@?#:]*):[^@/?#]*@")
_PASSWORD_PARAMETER = re.compile(r"([?&]password=)[^&#]*")


def engine_of(url: str) -> Engine:
    """The engine that a URL names. Raises ValueError for any other scheme."""
    scheme, separator, _ = url.partition("://")
    if separator and scheme == "sqlite":
        return "sqlite"
    if separator and scheme in ("postgresql", "postgres"):
        return "postgresql"
    raise ValueError(f"{masked(url)!r} is not a database URL: it must begin with sqlite:/// or postgresql://")


def sqlite_path(url: str) -> Path:
    """The file of an SQLite URL. Raises ValueError when it names none (memory cannot be shared)."""
    path = url.removeprefix("sqlite:///")
    if path == url or not path or path == ":memory:":
        raise ValueError(f"{url!r} names no file: write sqlite:///relative.db or sqlite:////absolute/path.db")
    return Path(path)


def masked(url: str) -> str:
    """The URL, fit for people to see: its password replaced by ***."""
    return _PASSWORD_PARAMETER.sub(r"\1***", _PASSWORD.sub(r"\1:***@", url))
