"""One comparison of all selected engines per test process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.engines.running import Engines
from tests.engines.selection import wanted
from tests.parity.comparison import Comparison, comparison
from tests.parity.selection import compared_engines


@pytest.fixture(scope="session")
def compared(engines: Engines) -> Iterator[Comparison]:
    """SQLite, one PostgreSQL, MariaDB and MySQL, as far as they are wanted."""
    with comparison({name: engines.databases(name) for name in compared_engines(wanted())}) as opened:
        yield opened
