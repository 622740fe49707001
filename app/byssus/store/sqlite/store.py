"""The SQLite store: a writer thread for what changes the file, readers beside it for what does not."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from pathlib import Path

from byssus.store import Arguments
from byssus.store.answer import Answer
from byssus.store.errors import BackendUnavailable
from byssus.store.sqlite.connections import connect, fault_of
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.writer import Call, Writer
from byssus.store.transitions import (
    CLAIM_ACTIVITY_TASK,
    CLAIM_WORKFLOW_TASK,
    ENFORCE_TIMEOUTS,
    EXPIRE_LEASES,
    FIRE_DUE_TIMERS,
    RECORD_POLLS,
    TRANSITIONS,
    Transition,
)

READERS = 4

Routine = Callable[..., Answer | list[Answer]]


def _now() -> datetime:
    return datetime.now(UTC)


def _routine(transition: Transition) -> Routine:
    module = import_module(f"byssus.store.sqlite.{transition.folder}.{transition.name}")
    routine: Routine = getattr(module, transition.name)
    return routine


_ROUTINES = {transition.name: _routine(transition) for transition in TRANSITIONS}
_PROBING_FIRST = {
    transition.name
    for transition in (
        CLAIM_WORKFLOW_TASK,
        CLAIM_ACTIVITY_TASK,
        RECORD_POLLS,
        FIRE_DUE_TIMERS,
        EXPIRE_LEASES,
        ENFORCE_TIMEOUTS,
    )
}


class SqliteStore:
    """Runs the transitions of this package on one file. Other processes may use the file at the same time."""

    engine = "sqlite"
    notifier = None

    def __init__(self, path: Path, *, clock: Callable[[], datetime] | None = None) -> None:
        self._path = path
        self._clock = clock or _now
        self._writer: Writer | None = None
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="byssus-reader")
        self._idle: deque[sqlite3.Connection] = deque()

    async def open(self) -> None:
        """Open the file. Raises BackendUnavailable when it is missing or cannot be used."""
        try:
            writing, *reading = await asyncio.to_thread(self._connect_all)
        except sqlite3.Error as error:
            raise BackendUnavailable(f"{self._path} could not be opened: {error}") from error
        self._idle.extend(reading)
        self._writer = Writer(writing, self._clock, asyncio.get_running_loop())

    async def close(self) -> None:
        """Finish what was queued, then close the file."""
        writer, self._writer = self._writer, None
        await asyncio.to_thread(self._readers.shutdown)
        while self._idle:
            self._idle.pop().close()
        if writer is not None:
            await asyncio.to_thread(writer.stop)

    async def call(self, transition: Transition, arguments: Arguments) -> list[Answer]:
        """Run one transition; when it writes, together with others that wait."""
        if self._writer is None:
            raise BackendUnavailable("the store is not open")
        loop = asyncio.get_running_loop()
        run = partial(_run, _ROUTINES[transition.name], arguments)
        if transition.reads_only:
            return await loop.run_in_executor(self._readers, self._read, run)
        future: asyncio.Future[list[Answer]] = loop.create_future()
        self._writer.submit(Call(run, transition.name in _PROBING_FIRST, future))
        return await future

    def _connect_all(self) -> list[sqlite3.Connection]:
        return [connect(self._path) for _ in range(1 + READERS)]

    def _read(self, run: Callable[[Session], list[Answer]]) -> list[Answer]:
        """Run in a snapshot of what is committed. There are as many connections as there are threads."""
        connection = self._idle.pop()
        try:
            connection.execute("begin")
            return run(Session(connection, self._clock, may_write=False))
        except sqlite3.Error as error:
            raise fault_of(error) from error
        finally:
            connection.rollback()
            self._idle.append(connection)


def _run(routine: Routine, arguments: Arguments, session: Session) -> list[Answer]:
    answers = routine(session, **arguments)
    return answers if isinstance(answers, list) else [answers]
