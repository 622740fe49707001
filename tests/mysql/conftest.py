"""One database per engine for this folder; its tests keep to workflow ids and queues of their own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from itertools import count

import pytest

from byssus.schema.revisions import MysqlConnection
from byssus.store.mysql import MysqlStore
from tests.engines.databases import Database
from tests.engines.mysql import SUPERUSER
from tests.engines.mysql_databases import connect
from tests.engines.running import Engines
from tests.mysql.calls import Caller

_names = count(1)


@pytest.fixture(scope="package")
def installed(engines: Engines, engine: str) -> Iterator[Database]:
    """An upgraded database with the real clock."""
    with engines.databases(engine).upgraded() as database:
        yield database


@pytest.fixture
def owner(installed: Database) -> Iterator[MysqlConnection]:
    """A session of the account that owns everything, in autocommit mode."""
    with closing(connect(installed.url)) as connection:
        yield connection


@pytest.fixture
def root(installed: Database) -> Iterator[MysqlConnection]:
    """A session of the server's administrator, in autocommit mode."""
    with closing(connect(installed.url_of(SUPERUSER))) as connection:
        yield connection


@pytest.fixture
def rival(installed: Database) -> Iterator[MysqlConnection]:
    """Another session of the owner, whose transactions the test ends."""
    with closing(connect(installed.url)) as connection:
        yield connection


@pytest.fixture
def caller(owner: MysqlConnection) -> Caller:
    """Calls transitions over the owner's session, as a registered worker on a queue of its own."""
    caller = Caller(owner, f"queue-{next(_names)}")
    caller.register()
    return caller


@pytest.fixture
def small_packets(root: MysqlConnection) -> Iterator[None]:
    """Sessions that begin during the test take no more than a mebibyte at a time."""
    with root.cursor() as cursor:
        cursor.execute("SELECT @@global.max_allowed_packet")
        row = cursor.fetchone()
        assert row is not None
        cursor.execute("SET GLOBAL max_allowed_packet = 1048576")
        yield
        cursor.execute(f"SET GLOBAL max_allowed_packet = {row[0]}")


@pytest.fixture
async def narrow(installed: Database) -> AsyncIterator[MysqlStore]:
    """An open store with one connection."""
    store = MysqlStore(installed.app_url, pool_size=1)
    await store.open()
    yield store
    await store.close()
