"""A store that cannot be opened says so; one that is closed has finished what it was given."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from byssus.database_url import sqlite_path
from byssus.store import transitions as t
from byssus.store.errors import BackendUnavailable, SchemaNotReady
from byssus.store.sqlite.store import SqliteStore
from tests.engines.databases import Database
from tests.transitions.driver import Driver


async def test_a_missing_file_is_an_unavailable_database_and_is_not_made(tmp_path: Path) -> None:
    path = tmp_path / "missing.db"
    with pytest.raises(BackendUnavailable):
        await SqliteStore(path).open()
    assert not path.exists()


async def test_a_file_that_is_no_database_is_an_unavailable_database(tmp_path: Path) -> None:
    path = tmp_path / "letter.db"
    path.write_bytes(b"Dear Sir or Madam, " * 100)
    with pytest.raises(BackendUnavailable):
        await SqliteStore(path).open()


async def test_a_file_whose_name_needs_quoting_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "50% of it? #1.db"
    path.touch()
    store = SqliteStore(path)
    await store.open()
    await store.close()


async def test_a_database_without_tables_is_not_ready(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    path.touch()
    store = SqliteStore(path)
    await store.open()
    with pytest.raises(SchemaNotReady):
        await store.call(t.READ_SCHEMA_STATE, {})
    with pytest.raises(SchemaNotReady):
        await store.call(t.FIRE_DUE_TIMERS, {"batch_size": 1})
    with pytest.raises(SchemaNotReady):
        await Driver(store).start()
    await store.close()


async def test_a_store_that_is_not_open_is_unavailable(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "unopened.db")
    with pytest.raises(BackendUnavailable):
        await store.call(t.READ_SCHEMA_STATE, {})
    await store.close()


@pytest.mark.engines("sqlite")
async def test_closing_finishes_what_was_queued(database: Database) -> None:
    store = SqliteStore(sqlite_path(database.url))
    await store.open()
    driver = Driver(store)
    calls = [asyncio.ensure_future(driver.start(f"order-{number}")) for number in range(25)]
    reads = [asyncio.ensure_future(driver.describe("order-1")) for _ in range(5)]
    await asyncio.sleep(0)
    await store.close()

    assert {(await call).outcome for call in calls} == {"started_new"}
    assert {(await read).outcome for read in reads} <= {"described", "instance_not_found"}
    with pytest.raises(BackendUnavailable):
        await driver.start("late")
    with closing(sqlite3.connect(sqlite_path(database.url))) as connection:
        assert connection.execute("select count(*) from runs").fetchone() == (25,)
