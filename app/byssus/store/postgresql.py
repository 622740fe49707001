"""The PostgreSQL store: each transition is one call of the routine of its name."""

from __future__ import annotations

import psycopg
from psycopg import errors as pg
from psycopg.rows import TupleRow, args_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from byssus.store import Arguments
from byssus.store.answer import Answer
from byssus.store.contention import retry_contention
from byssus.store.errors import BackendUnavailable, SchemaNotReady
from byssus.store.postgresql_notifier import PostgresNotifier
from byssus.store.transitions import TRANSITIONS, Transition

POOL_TIMEOUT_SECONDS = 10.0

# Every statement of a transition has an index made for it. A plan made while a table is still small would
# scan the table, and stay in the session after it has grown.
SESSION_OPTIONS = (
    "-c lock_timeout=5s -c statement_timeout=30s -c idle_in_transaction_session_timeout=30s"
    " -c jit=off -c enable_seqscan=off -c enable_bitmapscan=off -c plan_cache_mode=force_generic_plan"
    " -c timezone=UTC -c application_name=byssus"
)

_CONTENTION = (pg.DeadlockDetected, pg.SerializationFailure, pg.LockNotAvailable)
_NOT_READY = (
    pg.UndefinedFunction,
    pg.InvalidSchemaName,
    pg.UndefinedTable,
    pg.UndefinedObject,
    pg.InvalidParameterValue,
    pg.InsufficientPrivilege,
)

_answers = args_row(Answer)


class AppConnection(psycopg.AsyncConnection[TupleRow]):
    """A connection that acts as byssus_app before it does anything else, whoever logged in."""

    _in_role = False

    async def assume_role(self) -> None:
        """Give up every other right. Fails while the role is missing or not this login's to take."""
        if not self._in_role:
            await self.execute("set role byssus_app")
            self._in_role = True


class PostgresStore:
    """Calls the routines of schema `byssus` as `byssus_app`, over a pool of connections."""

    engine = "postgresql"

    def __init__(self, url: str, *, pool_size: int = 10) -> None:
        self._pool = AsyncConnectionPool(
            url,
            connection_class=AppConnection,
            min_size=1,
            max_size=pool_size,
            open=False,
            timeout=POOL_TIMEOUT_SECONDS,
            kwargs={"autocommit": True, "options": SESSION_OPTIONS, "prepare_threshold": 0},
        )
        self.notifier = PostgresNotifier(url)

    async def open(self) -> None:
        """Connect. Raises BackendUnavailable when the server cannot be reached."""
        try:
            await self._pool.open(wait=True, timeout=POOL_TIMEOUT_SECONDS)
        except PoolTimeout as error:
            await self._pool.close()
            raise BackendUnavailable("no connection to the database could be made") from error
        self.notifier.start()

    async def close(self) -> None:
        """Let running calls finish, then disconnect."""
        await self.notifier.stop()
        await self._pool.close()

    async def call(self, transition: Transition, arguments: Arguments) -> list[Answer]:
        """Run the routine in a transaction of its own, retrying contention."""
        statement = _STATEMENTS[transition.name]
        values = [arguments[name] for name, _ in transition.parameters]
        return await retry_contention(transition.name, lambda: self._run(statement, values), _is_contention)

    async def _run(self, statement: bytes, values: list[str | int | None]) -> list[Answer]:
        try:
            async with self._pool.connection() as connection:
                await connection.assume_role()
                cursor = connection.cursor(row_factory=_answers, binary=True)
                await cursor.execute(statement, values, prepare=True)
                return await cursor.fetchall()
        except _NOT_READY as error:
            raise SchemaNotReady("the routines of this release are missing, or not to be called") from error
        except PoolTimeout as error:
            raise BackendUnavailable("no connection to the database could be had in time") from error
        except _CONTENTION:
            raise
        except psycopg.OperationalError as error:
            raise BackendUnavailable("the connection to the database broke") from error


def _is_contention(fault: Exception) -> bool:
    return isinstance(fault, _CONTENTION)


def _statement(transition: Transition) -> bytes:
    arguments = ", ".join(f"p_{name} => %s::{kind}" for name, kind in transition.parameters)
    return f"select outcome, body, hints from byssus.{transition.name}({arguments})".encode()


_STATEMENTS = {transition.name: _statement(transition) for transition in TRANSITIONS}
