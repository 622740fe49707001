"""Keeping a session in the middle of what it does, for as long as a test wants."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from byssus.schema.revisions import MysqlConnection
from tests.sdk.waiting import until

Reached = Callable[[], Awaitable[None]]

_GATE = """
CREATE TRIGGER test_gate AFTER UPDATE ON {table} FOR EACH ROW
BEGIN
    IF CONNECTION_ID() = {session} THEN
        DO GET_LOCK('test_gate', 30);
        DO RELEASE_LOCK('test_gate');
    END IF;
END
"""
_AT_THE_GATE = "SELECT COUNT(*) FROM information_schema.processlist WHERE state = 'User lock'"
_WAITS = "SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'"


@contextmanager
def gate(root: MysqlConnection, table: str, session: int) -> Iterator[Reached]:
    """Stop a session when it updates a table, until the block ends. Gives what waits for it to get there.

    What the session has locked until then stays locked.
    """
    with root.cursor() as cursor:
        cursor.execute("SELECT GET_LOCK('test_gate', 0)")
        cursor.execute(_GATE.format(table=table, session=session))

        def somebody_stands_there() -> bool:
            cursor.execute(_AT_THE_GATE)
            return cursor.fetchone() != (0,)

        try:
            yield lambda: until(somebody_stands_there, "the session is at the gate")
        finally:
            cursor.execute("SELECT RELEASE_LOCK('test_gate')")
            cursor.execute("DROP TRIGGER test_gate")


async def one_waits(connection: MysqlConnection) -> None:
    """Return once a session of the server waits for the lock of a row."""
    with connection.cursor() as cursor:

        def somebody_waits() -> bool:
            cursor.execute(_WAITS)
            row = cursor.fetchone()
            assert row is not None
            return int(row[1]) > 0

        await until(somebody_waits, "a session waits for a row")
