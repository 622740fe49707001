"""One database per test process for all files of these folders; each file rolls back what it does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.engines.running import Engines

Connection = psycopg.Connection[tuple[object, ...]]


@pytest.fixture(scope="session")
def owner(engines: Engines, engine: str) -> Iterator[Connection]:
    """A superuser's connection to an upgraded database in which setup.sql was loaded."""
    with (
        engines.databases(engine).upgraded() as database,
        psycopg.connect(database.url, autocommit=True) as connection,
    ):
        connection.execute((Path(__file__).parent / "setup.sql").read_bytes())
        yield connection
