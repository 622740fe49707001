"""A server process on MySQL and MariaDB: what only shows on the wire."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engines.databases import Database
from tests.engines.server import Server
from tests.http.clients import client, unique

pytestmark = pytest.mark.engines("mariadb", "mysql")


@pytest.fixture
def cramped(installed: Database, small_packets: None, tmp_path: Path) -> Iterator[Server]:
    """A server process whose database takes less than it does itself."""
    server = Server(installed.app_url, tmp_path)
    yield server
    server.stop()


async def test_a_body_is_too_large_that_the_database_would_not_take(cramped: Server) -> None:
    """Rather than tried again for ever, as with a broken connection."""
    queue = unique("q")
    async with client(cramped, "operator") as operator:
        for size, expected in ((200_000, 201), (1_200_000, 413), (200_000, 201)):
            body = {
                "workflow_type": "order",
                "task_queue": queue,
                "input": {"codec": "avro", "blob": "A" * size},
            }
            answer = await operator.post("/workflows", json={"workflow_id": unique("wf"), **body})
            assert answer.status_code == expected, answer.text
            if expected == 413:
                assert answer.json()["reason"] == "payload_too_large"
