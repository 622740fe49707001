"""Getting a database to this release's schema, and telling whether it is there."""

from __future__ import annotations

from collections.abc import Callable

from byssus.database_url import Engine, engine_of
from byssus.schema import mysql, postgresql, sqlite
from byssus.schema.fault import SchemaFault
from byssus.schema.script import script
from byssus.schema.state import SchemaState, expected_state, verdict

__all__ = ["SchemaFault", "SchemaState", "check", "expected_state", "script", "upgrade", "verdict"]


def upgrade(url: str) -> SchemaState:
    """Bring a database to this release: revisions to head, every routine replaced, grants applied again.

    Safe to run at any time and from several places at once: a lock lets one through at a time. One that was
    interrupted is run again. Gives the state that the database is in now. Raises SchemaFault when the
    database cannot be brought there.
    """
    return _UPGRADES[engine_of(url)](url)


def check(url: str) -> list[str]:
    """Every difference between a database and this release, one sentence each; empty when there is none.

    Raises SchemaFault when the database cannot be examined.
    """
    return _CHECKS[engine_of(url)](url)


_UPGRADES: dict[Engine, Callable[[str], SchemaState]] = {
    "sqlite": sqlite.upgrade,
    "postgresql": postgresql.upgrade,
    "mysql": mysql.upgrade,
}
_CHECKS: dict[Engine, Callable[[str], list[str]]] = {
    "sqlite": sqlite.check,
    "postgresql": postgresql.check,
    "mysql": mysql.check,
}
