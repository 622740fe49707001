"""A server for the tests of a module, with a second namespace."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from byssus.database_url import sqlite_path
from tests.engines.databases import Database
from tests.engines.running import Engines
from tests.engines.server import Server
from tests.sdk.serving import Serve, servers


@pytest.fixture(scope="module")
def api(engines: Engines, engine: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the namespaces `default` and `other`; each test keeps to ids and queues of its own."""
    with engines.databases(engine).upgraded() as database:
        _add_namespace(database)
        server = Server(database.app_url, tmp_path_factory.mktemp("api"))
        yield server
        server.stop()


@pytest.fixture
def serve(database: Database, tmp_path: Path) -> Iterator[Serve]:
    """Starts servers of the test's own."""
    with servers(database, tmp_path) as serve:
        yield serve


def _add_namespace(database: Database) -> None:
    statement = (
        "insert into {0} (name, description, created_at) select 'other', description, created_at from {0}"
    )
    if database.dialect == "sqlite":
        with closing(sqlite3.connect(sqlite_path(database.url))) as connection, connection:
            connection.execute(statement.format("namespaces"))
    else:
        with psycopg.connect(database.url) as session:
            session.execute(statement.format("byssus.namespaces").encode())
