"""A server for the tests of this folder, and the SDK at work on it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from tests import invariants
from tests.engines.databases import Database
from tests.engines.running import Engines
from tests.engines.server import Server
from tests.sdk.rig import Rig, client_of
from tests.sdk.serving import Serve, servers
from tests.sdk.worker_process import WorkerProcess

StartWorker = Callable[[Server, str, str], WorkerProcess]


@pytest.fixture(scope="package")
def live(engines: Engines, engine: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that tests share. When it has stopped, the independent reader looks at its database."""
    with engines.databases(engine).upgraded() as database:
        server = Server(database.app_url, tmp_path_factory.mktemp("server"))
        yield server
        server.stop()
        with invariants.reader(database) as read:
            invariants.check(read())


@pytest.fixture
async def rig(live: Server) -> AsyncIterator[Rig]:
    """The SDK at work on the shared server. At the end every history is replayed."""
    async with client_of(live) as client:
        rig = Rig(live, client)
        yield rig
        await rig.check_replays()


@pytest.fixture
def serve(database: Database, tmp_path: Path) -> Iterator[Serve]:
    """Starts servers of the test's own."""
    with servers(database, tmp_path) as serve:
        yield serve


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the workload leaves its files."""
    folder = tmp_path / "workload"
    folder.mkdir()
    return folder


@pytest.fixture
def start_worker(folder: Path) -> Iterator[StartWorker]:
    """Starts workers in processes of their own: on a server, for a task queue, with a worker id."""
    processes: list[WorkerProcess] = []

    def start(server: Server, queue: str, worker_id: str) -> WorkerProcess:
        processes.append(WorkerProcess(server, queue, worker_id, folder))
        return processes[-1]

    yield start
    for process in processes:
        process.stop()
