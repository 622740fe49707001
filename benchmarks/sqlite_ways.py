"""The way on SQLite that group commit is compared with."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.leased_tasks import completion
from benchmarks.ways import Timing, run_clients
from byssus.store.sqlite.connections import connect
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.workflow_tasks.complete_workflow_task import complete_workflow_task


class OneCommitEach:
    """The store's routine on a writer thread, each call in a transaction of its own."""

    name = "one commit each"
    stretch_factor = 1

    def __init__(self, runner: asyncio.Runner, path: Path) -> None:
        self._runner = runner
        self._connection = connect(path)
        self._session = Session(self._connection, lambda: datetime.now(UTC), may_write=True)
        self._writer = ThreadPoolExecutor(1)

    def close(self) -> None:
        """Close the file."""
        self._writer.shutdown()
        self._connection.close()

    def run(self, first: int, calls: int, clients: int) -> Timing:
        return self._runner.run(run_clients(self._complete, range(first, first + calls), clients))

    async def _complete(self, number: int) -> None:
        loop = asyncio.get_running_loop()
        outcome = await loop.run_in_executor(self._writer, self._complete_alone, number)
        if outcome != "completed":
            raise RuntimeError(f"task {number} was refused: {outcome}")

    def _complete_alone(self, number: int) -> str:
        self._connection.execute("begin immediate")
        arguments: dict[str, Any] = dict(completion(number))
        answer = complete_workflow_task(self._session, **arguments)
        self._connection.execute("commit")
        return answer.outcome
