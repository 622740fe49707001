"""Another process may hold the lock of writers: for a moment, or for too long."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator

import pytest

from byssus.database_url import sqlite_path
from byssus.store.errors import BackendLockPressure
from byssus.store.sqlite import connections
from byssus.store.sqlite.store import SqliteStore
from tests.engines.databases import Database
from tests.transitions.driver import Driver

pytestmark = pytest.mark.engines("sqlite")


@pytest.fixture
async def hasty(database: Database, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Driver]:
    """A driver whose store gives up waiting soon."""
    monkeypatch.setattr(connections, "BUSY_SECONDS", 0.05)
    store = SqliteStore(sqlite_path(database.url))
    await store.open()
    yield Driver(store)
    await store.close()


async def test_a_database_that_stays_busy_is_lock_pressure_and_nothing_is_recorded(
    hasty: Driver, stranger: sqlite3.Connection
) -> None:
    stranger.execute("begin immediate")
    results = await asyncio.gather(
        *(hasty.start(f"order-{number}") for number in range(5)), return_exceptions=True
    )
    assert {type(result) for result in results} == {BackendLockPressure}
    stranger.execute("commit")
    assert stranger.execute("select count(*) from workflows").fetchone() == (0,)
    assert (await hasty.start("order-1")).outcome == "started_new"


async def test_a_claim_that_finds_work_needs_the_lock(hasty: Driver, stranger: sqlite3.Connection) -> None:
    await hasty.register()
    await hasty.start()
    stranger.execute("begin immediate")
    with pytest.raises(BackendLockPressure):
        await hasty.claim()
    stranger.execute("commit")
    assert (await hasty.claim()).outcome == "leased"
