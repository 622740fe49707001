"""The database server is killed under load: what was acknowledged survives, and work goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import invariants
from tests.engines.databases import Database
from tests.engines.mysql import MysqlServer, find_installation
from tests.engines.mysql_databases import MysqlDatabases
from tests.engines.server import Server
from tests.http.clients import client, unique
from tests.sdk.waiting import until

pytestmark = pytest.mark.engines("mariadb", "mysql")

CLIENTS = 4
STARTS = 20


@pytest.fixture
def killable(engine: str) -> Iterator[MysqlServer]:
    """A database server of the test's own."""
    installation = find_installation(engine)
    assert not isinstance(installation, str)
    server = MysqlServer(installation)
    yield server
    server.stop()


@pytest.fixture
def database_on_it(killable: MysqlServer) -> Database:
    """An upgraded database, which goes with its server."""
    databases = MysqlDatabases(killable)
    database = databases._upgraded()
    databases.close()
    return database


async def test_what_was_acknowledged_survives_and_work_goes_on(
    killable: MysqlServer, database_on_it: Database, tmp_path: Path
) -> None:
    server = Server(database_on_it.app_url, tmp_path)
    acknowledged: list[str] = []
    statuses: set[int] = set()
    enough = asyncio.Event()
    async with client(server, "operator") as operator:

        async def keep_starting() -> None:
            while not enough.is_set():
                workflow_id = unique("wf")
                body = {"workflow_id": workflow_id, "workflow_type": "order", "task_queue": "q"}
                answer = await operator.post("/workflows", json=body)
                statuses.add(answer.status_code)
                if answer.status_code == 201:
                    acknowledged.append(workflow_id)

        starting = [asyncio.create_task(keep_starting()) for _ in range(CLIENTS)]
        await until(lambda: len(acknowledged) >= STARTS, "workflows are started")
        await asyncio.to_thread(killable.restart)
        before = len(acknowledged)
        await until(lambda: len(acknowledged) >= before + STARTS, "workflows are started again")
        enough.set()
        await asyncio.gather(*starting)
        for workflow_id in acknowledged:
            assert (await operator.get(f"/workflows/{workflow_id}")).status_code == 200
    server.stop()
    assert statuses == {201, 503}
    with invariants.reader(database_on_it) as read:
        invariants.check(read())
