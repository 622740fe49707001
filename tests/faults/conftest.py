"""Server processes of a test's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engines.databases import Database
from tests.sdk.serving import Serve, servers


@pytest.fixture
def serve(database: Database, tmp_path: Path) -> Iterator[Serve]:
    """Starts servers of the test's own."""
    with servers(database, tmp_path) as serve:
        yield serve
