"""What tests of the SQLite store alone share: a driver, and a stranger who works on the same file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from byssus.database_url import sqlite_path
from byssus.store import Store
from tests import invariants
from tests.engines.databases import Database
from tests.transitions.driver import Driver


@pytest.fixture
async def driver(store: Store) -> Driver:
    """The transitions of the store, with one registered worker."""
    driver = Driver(store)
    assert (await driver.register()).outcome == "registered"
    return driver


@pytest.fixture
def stranger(database: Database) -> Iterator[sqlite3.Connection]:
    """Another process's connection to the file; `begin immediate` on it keeps every writer out."""
    connection = sqlite3.connect(sqlite_path(database.url), isolation_level=None, timeout=0)
    with closing(connection):
        yield connection


@pytest.fixture(autouse=True)
def _invariants_hold(database: Database) -> Iterator[None]:
    """After every test, an independent reader checks every run."""
    yield
    with invariants.reader(database) as read:
        invariants.check(read())
