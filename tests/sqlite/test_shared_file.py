"""Several stores, as of several processes, on one file."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from byssus.database_url import sqlite_path
from byssus.store.sqlite.store import SqliteStore
from tests.engines.databases import Database
from tests.transitions import commands as c
from tests.transitions.driver import Driver, workflow_task

pytestmark = pytest.mark.engines("sqlite")


@pytest.fixture
async def drivers(database: Database) -> AsyncIterator[list[Driver]]:
    """Three stores with a writer each."""
    async with AsyncExitStack() as stack:
        stores = [SqliteStore(sqlite_path(database.url)) for _ in range(3)]
        for store in stores:
            await store.open()
            stack.push_async_callback(store.close)
        yield [Driver(store) for store in stores]


async def test_every_task_is_claimed_once_whoever_claims(drivers: list[Driver]) -> None:
    for number, driver in enumerate(drivers):
        await driver.register(f"worker-{number}")
    await asyncio.gather(*(drivers[number % 3].start(f"order-{number}") for number in range(45)))

    claimed: Counter[str] = Counter()

    async def work(number: int) -> None:
        while (reply := await drivers[number].claim(f"worker-{number}")).outcome == "leased":
            task = workflow_task(reply)
            claimed[task.run_id] += 1
            assert (await drivers[number].complete(task, c.complete_workflow())).outcome == "completed"

    await asyncio.gather(*(work(number) for number in range(3)))
    assert len(claimed) == 45
    assert set(claimed.values()) == {1}


async def test_one_workflow_id_is_started_once_whoever_starts_it(drivers: list[Driver]) -> None:
    replies = await asyncio.gather(*(driver.start(request_id="request-1") for driver in drivers * 5))
    assert {reply.outcome for reply in replies} == {"started_new"}
    assert len({reply["run_id"] for reply in replies}) == 1
