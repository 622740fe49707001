"""The MySQL and MariaDB store: each transition is one CALL of the procedure of its name."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from weakref import WeakSet

import asyncmy
from asyncmy.connection import Connection
from asyncmy.constants import CR, ER
from asyncmy.errors import MySQLError

from byssus.database_url import mysql_options
from byssus.store import Arguments
from byssus.store.answer import Answer
from byssus.store.contention import retry_contention
from byssus.store.errors import (
    BackendUnavailable,
    PayloadTooLarge,
    SchemaNotReady,
    StoreError,
)
from byssus.store.transitions import TRANSITIONS, Transition

POOL_TIMEOUT_SECONDS = 10.0
CALL_TIMEOUT_SECONDS = 30.0

# Without notes the driver has no reason to ask for warnings, which would take a second round trip.
_SESSION = (
    "SET SESSION innodb_lock_wait_timeout = 5, sql_mode = 'TRADITIONAL', time_zone = '+00:00', sql_notes = 0"
)

# What a packet holds beside the values: the statement, their types and lengths.
_PACKET_OVERHEAD_BYTES = 16_384

_CONTENTION = {ER.LOCK_DEADLOCK, ER.LOCK_WAIT_TIMEOUT}
_CONNECTION_KILLED_MARIADB = 1927
_READ_ONLY_MYSQL = 1836
_ROLE_NOT_GRANTED_MYSQL = 3530
_INVALID_ROLE_MARIADB = 1959
_NOT_READY = {
    ER.SP_DOES_NOT_EXIST,
    ER.SP_WRONG_NO_OF_ARGS,
    ER.NO_SUCH_TABLE,
    ER.BAD_DB_ERROR,
    ER.DBACCESS_DENIED_ERROR,
    ER.PROCACCESS_DENIED_ERROR,
    ER.NO_SUCH_USER,
    _ROLE_NOT_GRANTED_MYSQL,
    _INVALID_ROLE_MARIADB,
}
_UNAVAILABLE = {
    ER.SERVER_SHUTDOWN,
    ER.QUERY_INTERRUPTED,
    ER.OPTION_PREVENTS_STATEMENT,
    _READ_ONLY_MYSQL,
    _CONNECTION_KILLED_MARIADB,
}


class MysqlStore:
    """Calls the procedures of one database as `byssus_app`, over a pool of connections."""

    engine = "mysql"
    notifier = None

    def __init__(self, url: str, *, pool_size: int = 10) -> None:
        self._options = mysql_options(url)
        self._database = self._options.pop("database")
        self._pool_size = pool_size
        self._pool: asyncmy.Pool | None = None
        self._prepared: WeakSet[Connection] = WeakSet()
        self._largest_bytes = 0

    async def open(self) -> None:
        """Connect. Raises BackendUnavailable when the server cannot be reached."""
        try:
            async with asyncio.timeout(POOL_TIMEOUT_SECONDS):
                self._pool = await asyncmy.create_pool(
                    minsize=1,
                    maxsize=self._pool_size,
                    autocommit=True,
                    charset="utf8mb4",
                    stmt_cache_size=len(TRANSITIONS),
                    **self._options,
                )
        except (MySQLError, OSError, TimeoutError) as error:
            raise BackendUnavailable("no connection to the database could be made") from error

    async def close(self) -> None:
        """Let running calls finish, then disconnect."""
        if self._pool is not None:
            self._pool.close()
            await self._pool.wait_closed()

    async def call(self, transition: Transition, arguments: Arguments) -> list[Answer]:
        """Run the procedure in its own transaction, retrying contention."""
        statement = _STATEMENTS[transition.name]
        values = [arguments[name] for name, _ in transition.parameters]
        return await retry_contention(transition.name, lambda: self._run(statement, values), _is_contention)

    async def _run(self, statement: str, values: list[str | int | None]) -> list[Answer]:
        try:
            async with self._connection() as connection:
                self._check_size(values)
                async with connection.cursor() as cursor:
                    await cursor.execute(statement, values)
                    return [Answer(*row) for row in await cursor.fetchall()]
        except MySQLError as error:
            if (fault := _fault(error)) is None:
                raise
            raise fault from error
        except (OSError, TimeoutError) as error:
            raise BackendUnavailable("the connection to the database broke") from error

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Connection]:
        """A connection of the pool that acts as byssus_app.

        After a fault it is not used again: who knows what is still to come on it. Contention is an answer.
        """
        assert self._pool is not None
        try:
            async with asyncio.timeout(POOL_TIMEOUT_SECONDS):
                connection = await self._pool.acquire()
        except (MySQLError, OSError, TimeoutError) as error:
            raise BackendUnavailable("no connection to the database could be had") from error
        try:
            async with asyncio.timeout(CALL_TIMEOUT_SECONDS):
                if connection not in self._prepared:
                    await self._prepare(connection)
                yield connection
        except BaseException as fault:
            if _is_contention(fault):
                # MariaDB passes over a routine's handlers when it is an UPDATE that has waited to write.
                with suppress(MySQLError):
                    await connection.rollback()
            elif not isinstance(fault, PayloadTooLarge):
                connection.close()
            raise
        finally:
            self._pool.release(connection)

    def _check_size(self, values: list[str | int | None]) -> None:
        if sum(len(value.encode()) for value in values if isinstance(value, str)) > self._largest_bytes:
            raise PayloadTooLarge(f"max_allowed_packet lets {self._largest_bytes} bytes through at a time")

    async def _prepare(self, connection: Connection) -> None:
        """Take on the role and the session's settings. Fails while the role is missing or not granted."""
        async with connection.cursor() as cursor:
            await cursor.execute("SET ROLE byssus_app")
            await cursor.execute(f"USE `{self._database.replace('`', '``')}`")
            await cursor.execute(_SESSION)
            await cursor.execute("SELECT @@max_allowed_packet")
            (largest,) = await cursor.fetchone()
        self._largest_bytes = largest - _PACKET_OVERHEAD_BYTES
        self._prepared.add(connection)


def _is_contention(fault: BaseException) -> bool:
    return isinstance(fault, MySQLError) and _number(fault) in _CONTENTION


def _fault(error: MySQLError) -> StoreError | None:
    """What an error means to callers; None when it is contention, or nobody expected it."""
    number = _number(error)
    if number in _NOT_READY:
        return SchemaNotReady("the routines of this release are missing, or not to be called")
    if number in _UNAVAILABLE or number == 0 or CR.CR_ERROR_FIRST <= number <= CR.CR_ERROR_LAST:
        return BackendUnavailable("the connection to the database broke")
    return None


def _number(error: MySQLError) -> int:
    """The error's number; 0 when it comes from the driver, which found a broken connection."""
    return error.args[0] if error.args and isinstance(error.args[0], int) else 0


def _statement(transition: Transition) -> str:
    arguments = ", ".join("%s" for _ in transition.parameters)
    return f"CALL {transition.name}({arguments})"


_STATEMENTS = {transition.name: _statement(transition) for transition in TRANSITIONS}
