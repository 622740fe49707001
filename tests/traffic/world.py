"""Two server processes on one database, and who kills them."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import httpx

from tests.engines.databases import Database
from tests.engines.server import Server
from tests.http.clients import headers_of
from tests.invariants import Tables, reader
from tests.sdk.waiting import until
from tests.traffic.ledger import Ledger

QUEUES = ["q0", "q1"]
_CONTENDED_IDS = 8
_GREETING = ("Byssus serves on ", "  database ", "  ready? ", "  try it ")
_ENVIRONMENT = {
    "DW_WORKFLOW_TASK_TIMEOUT": "2",
    "DW_ACTIVITY_TASK_TIMEOUT": "2",
    "DW_STICKY_HOLD_SECONDS": "1",
    "DW_SWEEP_INTERVAL_SECONDS": "0.2",
    "DW_MAINTENANCE_INTERVAL_SECONDS": "0.2",
}


class World:
    """What all clients share: the servers, the workflows, and the ledger.

    `is_over` tells clients when to stop.
    """

    def __init__(self, servers: list[Server], https: list[httpx.AsyncClient], random: Random) -> None:
        self.servers = servers
        self.https = https
        self.random = random
        self.ledger = Ledger()
        self.kills = 0
        self.is_over: Callable[[], bool] = lambda: False
        self.workflow_ids: list[str] = []
        for _ in range(_CONTENDED_IDS):
            self.replace_workflow(None)

    def headers(self, role: str) -> dict[str, str]:
        """Headers of requests of a role."""
        return headers_of(self.servers[0], role)

    def replace_workflow(self, closed: str | None) -> None:
        """A workflow id of which nothing more will come gives way to a new one."""
        if closed in self.workflow_ids:
            self.workflow_ids.remove(closed)
        if len(self.workflow_ids) < _CONTENDED_IDS:
            self.workflow_ids.append(f"wf-{self.random.getrandbits(48):012x}")

    async def kill(self, number: int) -> None:
        """Kill one of the servers in the middle of whatever it does, and start it again."""
        await asyncio.to_thread(self.servers[number].kill)
        self.kills += 1
        await asyncio.to_thread(self.servers[number].restart)

    async def keep_killing(self, seconds: float) -> None:
        """Kill the servers in turn, one every so many seconds, until the traffic is over."""
        while not self.is_over():
            await asyncio.sleep(seconds)
            if not self.is_over():
                await self.kill(self.kills % len(self.servers))

    async def kill_after(self, operations: int) -> None:
        """Kill one server, once so much has happened."""
        await until(
            lambda: self.ledger.operations >= operations, f"{operations} operations are done", seconds=60
        )
        await self.kill(0)

    def logged_faults(self) -> Counter[str]:
        """What the servers have logged that they should not have."""
        return sum((_faults_in(server.log) for server in self.servers), Counter[str]())


@asynccontextmanager
async def world(database: Database, directory: Path, random: Random) -> AsyncIterator[World]:
    """A world on a database without runs."""
    folders = [directory / name for name in ("near", "far")]
    servers: list[Server] = []
    try:
        for folder in folders:
            folder.mkdir(parents=True)
            servers.append(Server(database.app_url, folder, **_ENVIRONMENT))
        near, far = (
            httpx.AsyncClient(base_url=f"{server.url}/api", timeout=60, verify=False) for server in servers
        )
        async with near, far:
            yield World(servers, [near, far], random)
    finally:
        for server in servers:
            server.stop()


async def settled(database: Database) -> Tables:
    """The tables, once every lease and timer of the traffic is over."""
    with reader(database) as read:
        await until(lambda: _is_settled(read()), "leases and timers are over", pause=0.2)
        return read()


def _is_settled(tables: Tables) -> bool:
    return (
        not tables["timers"]
        and all(task["status"] != "leased" for task in tables["workflow_tasks"])
        and all(activity["status"] != "running" for activity in tables["activities"])
    )


def _faults_in(log: Path) -> Counter[str]:
    faults: Counter[str] = Counter()
    for line in log.read_text(errors="replace").splitlines():
        if line.startswith(_GREETING):
            continue
        try:
            entry = json.loads(line)
        except ValueError:
            faults[line[:200]] += 1
            continue
        if entry.get("level") not in ("info", "debug"):
            faults[_short(entry)] += 1
    return faults


def _short(entry: dict[str, object]) -> str:
    said = {name: value for name, value in entry.items() if name not in ("time", "error_id", "request_id")}
    exception = str(said.pop("exception", ""))
    return f"{json.dumps(said)} {exception.strip().rpartition(chr(10))[2]}".strip()
