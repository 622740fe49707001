"""A way to the transition, and the ways that several engines share."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple, Protocol
from urllib.parse import urlsplit

from benchmarks.cpu_time import cpu_seconds
from benchmarks.http_load import Load, generate
from benchmarks.leased_tasks import completion
from byssus.store import Store
from byssus.store.transitions import COMPLETE_WORKFLOW_TASK
from tests.engines.server import Server


class Timing(NamedTuple):
    """`seconds` on the clock, CPU time of all processes together, and that of a load generator alone."""

    seconds: float
    cpu_seconds: float
    generator_cpu_seconds: float | None = None


class Way(Protocol):
    """One way to complete tasks."""

    @property
    def name(self) -> str:
        """For the table."""

    @property
    def stretch_factor(self) -> int:
        """How many times longer than others it is measured, because it begins anew each time."""

    def run(self, first: int, calls: int, clients: int) -> Timing:
        """Complete that many leased tasks from the number `first` on, `clients` at a time.

        `calls` is a multiple of `clients`.
        """


async def run_clients(complete: Callable[[int], Awaitable[None]], numbers: range, clients: int) -> Timing:
    """Call `complete` once per number, from as many tasks as there are clients."""
    waiting = iter(numbers)

    async def client() -> None:
        for number in waiting:
            await complete(number)

    began, cpu_began = time.perf_counter(), cpu_seconds()
    async with asyncio.TaskGroup() as group:
        for _ in range(clients):
            group.create_task(client())
    return Timing(time.perf_counter() - began, cpu_seconds() - cpu_began)


class StoreCalls:
    """Calls of a store that is open, from tasks of one event loop."""

    stretch_factor = 1

    def __init__(self, name: str, runner: asyncio.Runner, store: Store) -> None:
        self.name = name
        self._runner = runner
        self._store = store

    def run(self, first: int, calls: int, clients: int) -> Timing:
        return self._runner.run(run_clients(self._complete, range(first, first + calls), clients))

    async def _complete(self, number: int) -> None:
        [answer] = await self._store.call(COMPLETE_WORKFLOW_TASK, completion(number))
        if answer.outcome != "completed":
            raise RuntimeError(f"task {number} was refused: {answer.outcome}")


class Http:
    """Requests to a `byssus serve` process with its stock settings."""

    name = "HTTP"
    stretch_factor = 1

    def __init__(self, database_url: str, directory: Path) -> None:
        self._server = Server(database_url, directory)

    def close(self) -> None:
        """End the server."""
        self._server.stop()

    def run(self, first: int, calls: int, clients: int) -> Timing:
        address = urlsplit(self._server.url)
        assert address.hostname is not None
        assert address.port is not None
        token = self._server.tokens["worker"]
        load = Load(address.hostname, address.port, token, first, calls, clients)
        cpu_began = cpu_seconds()
        result = generate(load)
        return Timing(result.seconds, cpu_seconds() - cpu_began, result.cpu_seconds)
