"""Writes that fail on purpose."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from byssus.database_url import Engine
from tests.engines.databases import Database
from tests.engines.owner import run_as_owner

_BREAK: dict[Engine, str] = {
    "sqlite": """
        create trigger test_break before {event} on {table} when {condition}
        begin select raise(abort, 'broken on purpose'); end;
        """,
    "postgresql": """
        create function test_break() returns trigger language plpgsql
        as 'begin raise exception ''broken on purpose''; end';
        create trigger test_break before {event} on {table} for each row
        when ({condition}) execute function test_break()
        """,
    "mysql": """
DELIMITER //
create trigger test_break before {event} on {table} for each row
if {condition} then signal sqlstate '45000' set message_text = 'broken on purpose'; end if//
""",
}
_MEND: dict[Engine, str] = {
    "sqlite": "drop trigger test_break;",
    "postgresql": "drop function test_break cascade;",
    "mysql": "drop trigger test_break;",
}


@contextmanager
def broken(database: Database, event: str, table: str, condition: str) -> Iterator[None]:
    """While it lasts, this event of these rows fails; `condition` is about `new`."""
    run_as_owner(database, _BREAK[database.dialect].format(event=event, table=table, condition=condition))
    try:
        yield
    finally:
        run_as_owner(database, _MEND[database.dialect])
