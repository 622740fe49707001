"""One traffic: eight clients on two servers that are killed, and what is left behind."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.engines.databases import Database
from tests.traffic import check
from tests.traffic.client import Client
from tests.traffic.ledger import Ledger
from tests.traffic.world import QUEUES, World, settled, world

CLIENTS = 8
WORKERS = 6
"""Fewer than clients: some are two clients' worker at once."""

Killer = Callable[[World], Coroutine[None, None, None]]


@dataclass(frozen=True)
class Outcome:
    """What a traffic has come to. `logged` are lines of the servers' logs that should not be there."""

    ledger: Ledger
    kills: int
    runs: int
    events: int
    logged: dict[str, int]
    faults: list[str]


async def bounded(database: Database, directory: Path, seed: str, operations: int) -> Outcome:
    """A traffic of about so many operations, or a few more until a continuation has been applied.

    In the middle of it one server is killed.
    """
    return await _traffic(
        database,
        directory,
        seed,
        lambda world: _has_done(world.ledger, operations),
        lambda world: world.kill_after(operations // 3),
    )


def _has_done(ledger: Ledger, operations: int) -> bool:
    is_varied = ledger.continuations["applied"] and ledger.claims["activity", "carried"]
    return ledger.operations >= (operations if is_varied else 5 * operations)


async def timed(
    database: Database, directory: Path, seed: str, seconds: float, kill_seconds: float
) -> Outcome:
    """A traffic of so many seconds, with a kill every so many."""
    end = time.monotonic() + seconds
    return await _traffic(
        database,
        directory,
        seed,
        lambda world: time.monotonic() > end,
        lambda world: world.keep_killing(kill_seconds),
    )


async def _traffic(
    database: Database, directory: Path, seed: str, is_over: Callable[[World], bool], killer: Killer
) -> Outcome:
    async with world(database, directory, Random(seed)) as shared:
        shared.is_over = lambda: is_over(shared)
        async with asyncio.TaskGroup() as group:
            group.create_task(killer(shared))
            for number in range(CLIENTS):
                worker = number % WORKERS
                client = Client(
                    shared, number, f"w{worker}", QUEUES[worker % len(QUEUES)], f"{seed}-{number}"
                )
                group.create_task(client.run())
        tables = await settled(database)
        logged = dict(shared.logged_faults())
        faults = [*check.faults(database, tables, shared.ledger), *(f"logged: {line}" for line in logged)]
        return Outcome(
            shared.ledger, shared.kills, len(tables["runs"]), len(tables["history_events"]), logged, faults
        )
