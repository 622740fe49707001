"""The driver, and the independent reader's word after every scenario."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

import pytest

from byssus.store import Store
from tests import invariants
from tests.engines.clock import Clock
from tests.engines.databases import Database
from tests.engines.owner import run_as_owner
from tests.transitions.driver import Driver

Dump = Callable[[], invariants.Tables]
Execute = Callable[[str], None]


@pytest.fixture(autouse=True)
def _invariants_hold(dump: Dump) -> Iterator[None]:
    """After every scenario, an independent reader checks every run."""
    yield
    invariants.check(dump())


@pytest.fixture
async def driver(store: Store) -> Driver:
    """The transitions of the store, with one registered worker."""
    driver = Driver(store)
    assert (await driver.register()).outcome == "registered"
    return driver


@pytest.fixture
def dump(database: Database, clock: Clock) -> Iterator[Dump]:
    """Reads every row of the database, for the proof that nothing was written."""
    with invariants.reader(database) as read:
        yield read


@pytest.fixture
def execute(database: Database) -> Execute:
    """Runs one statement as the owner, past every transition. Tables are named without their schema."""

    return lambda statement: run_as_owner(database, statement)


@pytest.fixture
def other_namespace(database: Database, execute: Execute, clock: Clock) -> str:
    """A second namespace, made by an administrator."""
    execute(
        "insert into namespaces (name, description, created_at) values"
        f" ('other', 'Another tenant.', '{wire(clock.now)}')"
    )
    return "other"


def wire(moment: datetime) -> str:
    """A moment in wire form."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
