"""Held polls and held tasks: the holder of a run hears of it at once, and its death costs a hold at most."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx

from tests import invariants
from tests.engines.databases import Database
from tests.http.clients import MANIFEST, client, poll_body, registration, start, unique
from tests.sdk.serving import Serve
from tests.sdk.waiting import until

POLL = "/worker/workflow-tasks/poll"
TIMER = {"type": "start_timer", "delay_seconds": 1000}


async def register(worker: httpx.AsyncClient, worker_id: str, queue: str) -> None:
    """A worker that takes history suffixes."""
    manifest = {
        **MANIFEST,
        "sticky_execution": {"supported": True, "minimum_protocol_version": "1.18"},
        "sticky_history_suffix": {"supported": True, "version": 1},
    }
    capabilities = ["local_activities", "sticky_execution", "sticky_history_suffix"]
    body = registration(
        worker_id, queue, capabilities=capabilities, capability_manifest=manifest, sdk_version="s/1"
    )
    answer = await worker.post("/worker/register", json=body)
    assert answer.status_code == 201, answer.text


async def poll(worker: httpx.AsyncClient, worker_id: str, queue: str, seconds: int) -> dict[str, Any] | None:
    answer = await worker.post(POLL, json=poll_body(worker_id, queue, seconds))
    task: dict[str, Any] | None = answer.json()["task"]
    return task


async def retain(worker: httpx.AsyncClient, task: dict[str, Any]) -> None:
    """Complete the task; its worker keeps the run."""
    cache = {
        "worker_id": task["lease_owner"],
        "workflow_id": task["workflow_id"],
        "run_id": task["run_id"],
        "build_id": "s/1",
        "history_last_sequence": task["history_last_sequence"],
    }
    answer = await worker.post(
        f"/worker/workflow-tasks/{task['task_id']}/complete",
        json={
            "lease_owner": task["lease_owner"],
            "workflow_task_attempt": task["workflow_task_attempt"],
            "commands": [TIMER],
            "sticky_cache": cache,
        },
    )
    assert answer.status_code == 200, answer.text


async def held_run(worker: httpx.AsyncClient, operator: httpx.AsyncClient, queue: str) -> str:
    """A run in the cache of worker `owner`. Its workflow id."""
    await register(worker, "owner", queue)
    started = await start(operator, queue)
    task = await poll(worker, "owner", queue, 0)
    assert task is not None
    await retain(worker, task)
    workflow_id = started["workflow_id"]
    assert isinstance(workflow_id, str)
    return workflow_id


async def test_the_holder_is_woken_past_all_polls_that_wait_before_it(serve: Serve) -> None:
    server = serve(DW_STICKY_HOLD_SECONDS="60", DW_SWEEP_INTERVAL_SECONDS="3600")
    queue = unique("q")
    async with client(server, "worker") as worker, client(server, "operator") as operator:
        workflow_id = await held_run(worker, operator, queue)
        others = [f"other-{number:02}" for number in range(12)]
        for other in others:
            await register(worker, other, queue)
        waiting = [asyncio.create_task(poll(worker, other, queue, 30)) for other in others]
        own = asyncio.create_task(poll(worker, "owner", queue, 30))
        await worker.get("/cluster/info")
        await operator.post(f"/workflows/{workflow_id}/signal/paid", json={})
        task = await own
        assert task is not None
        assert task["sticky_replay_mode"] == "sticky_hit_expected"
        assert not any(other.done() for other in waiting)
        await asyncio.to_thread(server.stop)
        assert await asyncio.gather(*waiting) == [None] * 12


async def test_a_holder_in_another_process_is_woken(serve: Serve) -> None:
    first = serve(DW_STICKY_HOLD_SECONDS="60")
    second = serve(DW_STICKY_HOLD_SECONDS="60")
    queue = unique("q")
    async with (
        client(first, "worker") as here,
        client(second, "worker") as there,
        client(first, "operator") as operator,
    ):
        workflow_id = await held_run(there, operator, queue)
        await register(here, "other", queue)
        other = asyncio.create_task(poll(here, "other", queue, 30))
        own = asyncio.create_task(poll(there, "owner", queue, 30))
        await there.get("/cluster/info")
        await operator.post(f"/workflows/{workflow_id}/signal/paid", json={})
        task = await own
        assert task is not None
        assert task["sticky_replay_mode"] == "sticky_hit_expected"
        assert not other.done()
        await asyncio.to_thread(first.stop)
        assert await other is None


async def test_when_the_holder_is_gone_another_gets_the_task_after_the_hold(serve: Serve) -> None:
    server = serve(DW_STICKY_HOLD_SECONDS="1", DW_SWEEP_INTERVAL_SECONDS="3600")
    queue = unique("q")
    async with client(server, "worker") as worker, client(server, "operator") as operator:
        workflow_id = await held_run(worker, operator, queue)
        await register(worker, "other", queue)
        other = asyncio.create_task(poll(worker, "other", queue, 30))
        await worker.get("/cluster/info")
        await operator.post(f"/workflows/{workflow_id}/signal/paid", json={})
        task = await other
        assert task is not None
        assert task["sticky_replay_mode"] == "forced_cold_replay"
        assert task["history_after_sequence"] == 0


async def test_a_waiting_poll_keeps_vouching_for_its_worker(serve: Serve, database: Database) -> None:
    server = serve(DW_STICKY_POLLER_SECONDS="2", DW_SWEEP_INTERVAL_SECONDS="0.1")
    queue = unique("q")
    async with client(server, "worker") as worker:
        await register(worker, "owner", queue)
        waiting = asyncio.create_task(poll(worker, "owner", queue, 30))
        with invariants.reader(database) as read:

            def vouched_until() -> Any:
                (liveness,) = read()["worker_liveness"]
                return liveness["polling_until"]

            await until(lambda: vouched_until() is not None, "the poll is noted when it comes")
            first = vouched_until()
            await until(lambda: vouched_until() > first, "and again while it waits")
        await asyncio.to_thread(server.stop)
        assert await waiting is None
