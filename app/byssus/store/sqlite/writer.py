"""The one writer of this process: a thread that commits waiting transitions together.

What comes in while a transaction is being committed goes into the next one. Each transition has its own
savepoint: one that fails is undone alone and raises to its caller alone. Callers are answered after the
commit.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from queue import SimpleQueue
from threading import Thread

from byssus.store.answer import Answer
from byssus.store.sqlite.connections import fault_of
from byssus.store.sqlite.session import Session, WriteNeeded

LARGEST_BATCH = 100


@dataclass(slots=True)
class Call:
    """A transition that waits for its turn. One that `probes_first` often finds nothing to write."""

    run: Callable[[Session], list[Answer]]
    probes_first: bool
    future: asyncio.Future[list[Answer]]
    answers: list[Answer] | None = None
    fault: Exception | None = None

    def resolve(self) -> None:
        """Hand the outcome to the caller, unless it has gone. Runs in the event loop."""
        if self.future.done():
            return
        if self.answers is not None:
            self.future.set_result(self.answers)
        else:
            assert self.fault is not None
            self.future.set_exception(self.fault)


class Writer:
    """A thread with a queue, working on a connection of its own."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        clock: Callable[[], datetime],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self._connection = connection
        self._reading = Session(connection, clock, may_write=False)
        self._writing = Session(connection, clock, may_write=True)
        self._loop = loop
        self._queue: SimpleQueue[Call | None] = SimpleQueue()
        self._stopping = False
        self._thread = Thread(target=self._work, name="byssus-writer", daemon=True)
        self._thread.start()

    def submit(self, call: Call) -> None:
        """Queue a call. Its future is resolved in the event loop."""
        self._queue.put(call)

    def stop(self) -> None:
        """Finish what was queued and end the thread. Blocks until then."""
        self._queue.put(None)
        self._thread.join()
        self._connection.close()

    def _work(self) -> None:
        while calls := self._next_calls():
            self._run(calls)
            self._loop.call_soon_threadsafe(_resolve, calls)

    def _next_calls(self) -> list[Call]:
        """Wait for a call and take along what else waits; nothing when the thread is to end."""
        calls: list[Call] = []
        while not self._stopping and len(calls) < LARGEST_BATCH and not (calls and self._queue.empty()):
            call = self._queue.get()
            if call is None:
                self._stopping = True
            else:
                calls.append(call)
        return calls

    def _run(self, calls: list[Call]) -> None:
        if all(call.probes_first for call in calls):
            calls = self._probe(calls)
        if calls:
            self._write(calls)

    def _probe(self, calls: list[Call]) -> list[Call]:
        """Answer the calls that find nothing to write, without the lock of writers; give back the others."""
        needing: list[Call] = []
        self._connection.execute("begin")
        for call in calls:
            try:
                call.answers = call.run(self._reading)
            except WriteNeeded:
                needing.append(call)
            except Exception as error:
                call.fault = fault_of(error)
        self._connection.rollback()
        return needing

    def _write(self, calls: list[Call]) -> None:
        """Run the calls in one transaction. When that is lost, all of them are."""
        try:
            self._connection.execute("begin immediate")
            for call in calls:
                self._run_in_savepoint(call)
            self._connection.execute("commit")
        except Exception as error:
            self._connection.rollback()
            for call in calls:
                call.answers = None
                call.fault = call.fault or fault_of(error)

    def _run_in_savepoint(self, call: Call) -> None:
        self._connection.execute("savepoint transition")
        try:
            call.answers = call.run(self._writing)
        except Exception as error:
            # Some errors (a full disk) end the whole transaction.
            if not self._connection.in_transaction:
                raise
            call.fault = fault_of(error)
            self._connection.execute("rollback to transition")
        self._connection.execute("release transition")


def _resolve(calls: list[Call]) -> None:
    for call in calls:
        call.resolve()
