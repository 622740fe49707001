"""Which engines a run of the tests uses."""

from __future__ import annotations

import os

from tests.engines import mysql, postgresql

KNOWN = ("sqlite", "postgresql15", "postgresql18", "mariadb", "mysql")
MYSQL = ("mariadb", "mysql")
EVERYDAY = ("sqlite", "postgresql15")
"""The engines of most tests; those in THOROUGH_FOLDERS run on all."""

THOROUGH_FOLDERS = ("audit", "faults", "schema", "sdk", "transitions", "worker")


def how_to_get(engine: str) -> str | None:
    """What to run to get an engine that is not on this machine; None when it is there."""
    if engine == "sqlite":
        return None
    found = mysql.find_installation(engine) if engine in MYSQL else postgresql.find_installation(engine)
    return found if isinstance(found, str) else None


def wanted() -> tuple[str, ...]:
    """The engines named by BYSSUS_TEST_ENGINES (a comma list, or `all`); without it, those that can be had.

    Raises LookupError when a named engine is unknown or not on this machine.
    """
    named = os.environ.get("BYSSUS_TEST_ENGINES", "")
    if not named:
        return tuple(engine for engine in KNOWN if how_to_get(engine) is None)
    engines = KNOWN if named == "all" else tuple(named.split(","))
    for engine in engines:
        if engine not in KNOWN:
            raise LookupError(f"BYSSUS_TEST_ENGINES names {engine!r}; known are {', '.join(KNOWN)} and all.")
        if how := how_to_get(engine):
            raise LookupError(f"BYSSUS_TEST_ENGINES wants {engine}, which is not on this machine: {how}")
    return engines


def left_out() -> list[str]:
    """One line per engine that this machine lacks and this run does without."""
    return [
        f"{engine}: not on this machine; to have it: {how}" for engine in KNOWN if (how := how_to_get(engine))
    ]
