"""Without notifications a process finds what others made by sweeping, for the same cost however many poll."""

from __future__ import annotations

import asyncio
import time

import httpx
import pytest

from tests.engines.databases import Database
from tests.faults.sessions import MysqlSessions, at_rest, mysql_sessions_of
from tests.http.clients import client, poll_body, register, start, unique
from tests.sdk.serving import Serve
from tests.sdk.waiting import until

POLLS = {kind: f"/worker/{kind}-tasks/poll" for kind in ("workflow", "activity")}
PROMPT_SECONDS = 5.0
"""What a slow machine may need; leases (60 s) and sweeps once an hour take far longer."""

SWEEP_SECONDS = 0.05
SWEEPS = 20
QUIET = {"DW_MAINTENANCE_INTERVAL_SECONDS": "3600"}
HOURLY = {"DW_SWEEP_INTERVAL_SECONDS": "3600", **QUIET}
SWEEPING = {"DW_SWEEP_INTERVAL_SECONDS": str(SWEEP_SECONDS), **QUIET}


async def test_a_task_made_in_the_same_process_wakes_a_poll_at_once(serve: Serve) -> None:
    server = serve(**HOURLY)
    queue = unique("q")
    async with client(server, "worker") as worker, client(server, "operator") as operator:
        await register(worker, "w", queue)
        for _ in range(3):
            poll = asyncio.create_task(worker.post(POLLS["workflow"], json=poll_body("w", queue, 60)))
            await worker.get("/cluster/info")
            assert not poll.done()
            started = await start(operator, queue)
            async with asyncio.timeout(PROMPT_SECONDS):
                task = (await poll).json()["task"]
            assert task["run_id"] == started["run_id"]


@pytest.mark.engines("sqlite", "mariadb", "mysql")
async def test_a_task_made_by_another_process_is_found_by_the_next_sweep(serve: Serve) -> None:
    near, far = serve(**HOURLY), serve(**SWEEPING)
    queue = unique("q")
    async with client(near, "operator") as operator, client(far, "worker") as worker:
        await register(worker, "w", queue)
        for _ in range(3):
            poll = asyncio.create_task(worker.post(POLLS["workflow"], json=poll_body("w", queue, 60)))
            await worker.get("/cluster/info")
            started = await start(operator, queue)
            async with asyncio.timeout(PROMPT_SECONDS):
                task = (await poll).json()["task"]
            assert task["run_id"] == started["run_id"]


@pytest.mark.engines("mariadb", "mysql")
async def test_a_sweep_is_one_query_however_many_polls_are_held(serve: Serve, database: Database) -> None:
    server = serve(**SWEEPING)
    queues = [unique("q") for _ in range(5)]
    async with client(server, "worker") as worker:
        for queue in queues:
            await register(worker, f"worker of {queue}", queue)
        with mysql_sessions_of(database) as sessions:
            await at_rest(sessions)  # nobody waits for anything
            polls = await _held(worker, [("workflow", queues[0])])
            await until(lambda: _is_one_query_per_sweep(sessions), "a sweep for one poll is one query")
            polls += await _held(worker, [(kind, queue) for kind in POLLS for queue in queues] * 5)
            await until(lambda: _is_one_query_per_sweep(sessions), "a sweep for all polls is one query")
            assert not any(poll.done() for poll in polls)
        for poll in polls:
            poll.cancel()


async def _held(
    worker: httpx.AsyncClient, wanted: list[tuple[str, str]]
) -> list[asyncio.Task[httpx.Response]]:
    """Polls of kinds for queues, on their way to the server."""
    sent: list[str] = []

    async def trace(step: str, _: object) -> None:
        if step == "http11.send_request_body.complete":
            sent.append(step)

    polls = [
        asyncio.create_task(
            worker.post(
                POLLS[kind], json=poll_body(f"worker of {queue}", queue, 60), extensions={"trace": trace}
            )
        )
        for kind, queue in wanted
    ]
    await until(lambda: len(sent) == len(polls), "all polls are on their way")
    await worker.get("/cluster/info")
    return polls


async def _is_one_query_per_sweep(sessions: MysqlSessions) -> bool:
    """Whether not more queries than sweeps went by, while many did. At first polls are tried one by one."""
    began, before = time.monotonic(), sessions.statements()
    await until(lambda: sessions.statements() >= before + SWEEPS, "there are sweeps")
    return sessions.statements() - before <= (time.monotonic() - began) / SWEEP_SECONDS + 1
