"""Polls that are held cost nothing, and hold on to nothing."""

from __future__ import annotations

import asyncio

import pytest

from tests.engines.databases import Database
from tests.faults.locks import blockade
from tests.faults.sessions import at_rest, sessions_of
from tests.http.clients import client, poll_body, register, start, unique
from tests.sdk.serving import Serve

POLL = "/worker/workflow-tasks/poll"
QUIET = {"DW_SWEEP_INTERVAL_SECONDS": "3600", "DW_MAINTENANCE_INTERVAL_SECONDS": "3600"}
PROMPT_SECONDS = 5.0
"""What a slow machine may need; leases (60 s) and sweeps take far longer."""


@pytest.mark.engines("postgresql", "mariadb", "mysql")
async def test_a_held_poll_makes_no_query(serve: Serve, database: Database) -> None:
    server = serve(**QUIET)
    async with client(server, "worker") as worker, client(server, "operator") as operator:
        await register(worker, "w", "q")
        with sessions_of(database) as sessions:
            polls = [asyncio.create_task(worker.post(POLL, json=poll_body("w", "q", 4))) for _ in range(20)]
            calm = await at_rest(sessions)
            assert not any(poll.done() for poll in polls), "they are held"
            answers = await asyncio.gather(*polls)
            assert sessions.activity() == calm, "nothing was asked until they ended, nor at their end"
            assert [answer.json()["task"] for answer in answers] == [None] * 20

            await start(operator, "q")
            assert sessions.activity() != calm, "a query would have been seen"


async def test_a_claim_for_a_client_that_has_gone_is_given_back(serve: Serve, database: Database) -> None:
    """It hangs up while the database is at work on its claim."""
    server = serve(**QUIET)
    queue = unique("q")
    async with client(server, "worker") as worker, client(server, "operator") as operator:
        await register(worker, "gone", queue)
        await register(worker, "here", queue)
        started = await start(operator, queue)
        with blockade(database) as held_up:
            leaving = client(server, "worker")
            poll = asyncio.create_task(leaving.post(POLL, json=poll_body("gone", queue, 30)))
            await held_up.has_stopped_one()
            poll.cancel()
            await leaving.aclose()
            await worker.get("/cluster/info")
        async with asyncio.timeout(PROMPT_SECONDS):
            answer = await worker.post(POLL, json=poll_body("here", queue, 30))
    task = answer.json()["task"]
    assert (task["run_id"], task["lease_owner"]) == (started["run_id"], "here")
