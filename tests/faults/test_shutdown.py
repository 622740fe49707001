"""A server that is told to stop finishes what it is doing."""

from __future__ import annotations

import asyncio
import signal

import httpx

from tests.engines.databases import Database
from tests.engines.server import Server
from tests.faults.locks import blockade
from tests.http.clients import client, poll_body, register, start, unique
from tests.sdk.serving import Serve
from tests.sdk.waiting import until

POLL = "/worker/workflow-tasks/poll"
QUIET = {"DW_SWEEP_INTERVAL_SECONDS": "3600", "DW_MAINTENANCE_INTERVAL_SECONDS": "3600"}
"""Nothing but requests makes the server run transitions."""


async def test_a_request_in_the_middle_is_answered(serve: Serve, database: Database) -> None:
    server = serve(**QUIET)
    queue = unique("q")
    async with client(server, "operator") as operator:
        with blockade(database) as held_up:
            starting = asyncio.create_task(start(operator, queue))
            for _ in range(3):
                await operator.get("/cluster/info")
            await held_up.has_stopped_one()
            server.process.send_signal(signal.SIGTERM)
            await until(lambda: _refuses_connections(server), "the server takes no more connections")
            assert not starting.done()
        started = await starting
    assert await asyncio.to_thread(server.process.wait, 60) == 0

    again = serve()
    async with client(again, "worker") as worker:
        await register(worker, "w", queue)
        task = (await worker.post(POLL, json=poll_body("w", queue, 0))).json()["task"]
    assert task["run_id"] == started["run_id"]


async def test_held_polls_are_answered_empty_and_their_tasks_wait_for_the_next_server(serve: Serve) -> None:
    server = serve()
    queue = unique("q")
    async with client(server, "worker") as worker:
        await register(worker, "w", queue)
        # What is still on its way when a server stops listening is lost, so the polls take open connections.
        await asyncio.gather(*(worker.get("/cluster/info") for _ in range(21)))
        sent: list[str] = []

        async def trace(step: str, _: object) -> None:
            if step == "http11.send_request_body.complete":
                sent.append(step)

        polls = [
            asyncio.create_task(
                worker.post(path, json=poll_body("w", queue, 60), extensions={"trace": trace})
            )
            for path in (POLL, "/worker/activity-tasks/poll")
            for _ in range(10)
        ]
        await until(lambda: len(sent) == len(polls), "all polls are on their way")
        await worker.get("/cluster/info")
        await worker.get("/cluster/info")
        assert not any(poll.done() for poll in polls)
        async with asyncio.timeout(20):
            await asyncio.to_thread(server.stop)
            answers = await asyncio.gather(*polls)
    assert [(answer.status_code, answer.json()["task"]) for answer in answers] == [(200, None)] * 20
    assert server.process.returncode == 0

    again = serve()
    async with client(again, "worker") as worker, client(again, "operator") as operator:
        started = await start(operator, queue)
        task = (await worker.post(POLL, json=poll_body("w", queue, 0))).json()["task"]
    assert (task["run_id"], task["workflow_task_attempt"]) == (started["run_id"], 1)


async def _refuses_connections(server: Server) -> bool:
    async with httpx.AsyncClient() as stranger:
        try:
            await stranger.get(f"{server.url}/api/cluster/info", timeout=5)
        except httpx.ConnectError:
            return True
        except httpx.RemoteProtocolError:
            # The listener had taken the connection when it closed: it will take no further one.
            return False
    return False
