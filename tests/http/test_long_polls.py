"""Held polls. The servers here do not sweep unless a test says so: what wakes a poll is a hint."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.engines.running import Engines
from tests.engines.server import Server
from tests.http.clients import client, poll_body, register, start, unique

NEVER = {"DW_SWEEP_INTERVAL_SECONDS": "3600"}
EMPTY = {"task": None, "poll_status": "empty"}
PATH = "/worker/workflow-tasks/poll"
LONG = 30


@pytest.fixture(scope="module")
def quiet(engines: Engines, engine: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that does not sweep; each test keeps to workers and queues of its own."""
    with engines.databases(engine).upgraded() as database:
        server = Server(database.app_url, tmp_path_factory.mktemp("quiet"), **NEVER)
        yield server
        server.stop()


@contextmanager
def another(server: Server, directory: Path, **environment: str) -> Iterator[Server]:
    """A second server process on the same database."""
    second = Server(server.database_url, directory, **environment)
    try:
        yield second
    finally:
        second.stop()


async def held(worker: httpx.AsyncClient, path: str, body: dict[str, Any]) -> asyncio.Task[httpx.Response]:
    """A poll that the server has been sent. The health check behind it has been answered meanwhile."""
    poll = asyncio.create_task(worker.post(path, json=body))
    for _ in range(3):
        await worker.get("/health")
    assert not poll.done()
    return poll


async def test_a_poll_of_no_seconds_looks_once(quiet: Server) -> None:
    queue, worker_id = unique("q"), unique("w")
    async with client(quiet, "worker") as worker, client(quiet, "operator") as operator:
        await register(worker, worker_id, queue)
        assert (await worker.post(PATH, json=poll_body(worker_id, queue, 0))).json() == EMPTY
        await start(operator, queue)
        assert (await worker.post(PATH, json=poll_body(worker_id, queue, 0))).json()["task"] is not None


async def test_a_poll_for_nothing_ends_empty_when_its_time_is_up(quiet: Server) -> None:
    queue, worker_id = unique("q"), unique("w")
    async with client(quiet, "worker") as worker:
        await register(worker, worker_id, queue)
        began = asyncio.get_running_loop().time()
        assert (await worker.post(PATH, json=poll_body(worker_id, queue, 1))).json() == EMPTY
        assert asyncio.get_running_loop().time() - began >= 1


async def test_a_start_wakes_a_held_poll(quiet: Server) -> None:
    queue, worker_id = unique("q"), unique("w")
    async with client(quiet, "worker") as worker, client(quiet, "operator") as operator:
        await register(worker, worker_id, queue)
        poll = await held(worker, PATH, poll_body(worker_id, queue, LONG))
        started = await start(operator, queue)
        assert (await poll).json()["task"]["run_id"] == started["run_id"]


async def test_a_completion_wakes_a_held_activity_poll_and_back(quiet: Server) -> None:
    queue, worker_id = unique("q"), unique("w")
    async with client(quiet, "worker") as worker, client(quiet, "operator") as operator:
        await register(worker, worker_id, queue)
        activity_poll = await held(worker, "/worker/activity-tasks/poll", poll_body(worker_id, queue, LONG))
        await start(operator, queue)
        task = (await worker.post(PATH, json=poll_body(worker_id, queue, LONG))).json()["task"]
        command = {"type": "schedule_activity", "activity_type": "charge", "queue": queue}
        body = {"lease_owner": worker_id, "workflow_task_attempt": 1, "commands": [command]}
        await worker.post(f"/worker/workflow-tasks/{task['task_id']}/complete", json=body)
        activity = (await activity_poll).json()["task"]

        workflow_poll = await held(worker, PATH, poll_body(worker_id, queue, LONG))
        attempt = {"activity_attempt_id": activity["activity_attempt_id"], "lease_owner": worker_id}
        await worker.post(f"/worker/activity-tasks/{activity['task_id']}/complete", json=attempt)
        assert (await workflow_poll).json()["task"]["run_id"] == task["run_id"]


async def test_a_timer_wakes_a_held_poll(quiet: Server) -> None:
    queue, worker_id = unique("q"), unique("w")
    async with client(quiet, "worker") as worker, client(quiet, "operator") as operator:
        await register(worker, worker_id, queue)
        await start(operator, queue)
        task = (await worker.post(PATH, json=poll_body(worker_id, queue, LONG))).json()["task"]
        command = {"type": "start_timer", "delay_seconds": 1}
        body = {"lease_owner": worker_id, "workflow_task_attempt": 1, "commands": [command]}
        await worker.post(f"/worker/workflow-tasks/{task['task_id']}/complete", json=body)
        woken = (await worker.post(PATH, json=poll_body(worker_id, queue, LONG))).json()["task"]
        assert [event["event_type"] for event in woken["history_events"]][-1] == "TimerFired"


async def test_each_task_goes_to_one_of_many_polls(quiet: Server) -> None:
    queue, worker_id = unique("q"), unique("w")
    polls, tasks = 35, 23
    async with client(quiet, "worker") as worker, client(quiet, "operator") as operator:
        await register(worker, worker_id, queue)
        waiting = [
            asyncio.create_task(worker.post(PATH, json=poll_body(worker_id, queue, 3))) for _ in range(polls)
        ]
        started = await asyncio.gather(*(start(operator, queue) for _ in range(tasks)))
        answers = [(await poll).json()["task"] for poll in waiting]
    assert Counter(task["run_id"] for task in answers if task) == Counter(run["run_id"] for run in started)


@pytest.mark.engines("postgresql15")
async def test_a_start_on_one_server_wakes_a_poll_that_another_holds(quiet: Server, tmp_path: Path) -> None:
    queue, worker_id = unique("q"), unique("w")
    with another(quiet, tmp_path, **NEVER) as second:
        async with client(quiet, "worker") as worker, client(second, "operator") as operator:
            await register(worker, worker_id, queue)
            poll = await held(worker, PATH, poll_body(worker_id, queue, LONG))
            started = await start(operator, queue)
            assert (await poll).json()["task"]["run_id"] == started["run_id"]


async def test_a_sweep_finds_what_no_hint_told(quiet: Server, tmp_path: Path) -> None:
    queue, worker_id = unique("q"), unique("w")
    with another(quiet, tmp_path, DW_SWEEP_INTERVAL_SECONDS="0.1") as sweeping:
        async with client(sweeping, "worker") as worker, client(quiet, "operator") as operator:
            await register(worker, worker_id, queue)
            poll = await held(worker, PATH, poll_body(worker_id, queue, LONG))
            started = await start(operator, queue)
            assert (await poll).json()["task"]["run_id"] == started["run_id"]


async def test_a_client_that_hangs_up_takes_no_task_with_it(quiet: Server) -> None:
    queue, gone, here = unique("q"), unique("gone"), unique("here")
    async with client(quiet, "worker") as worker, client(quiet, "operator") as operator:
        await register(worker, gone, queue)
        await register(worker, here, queue)
        async with client(quiet, "worker") as leaving:
            polls = [await held(leaving, PATH, poll_body(gone, queue, LONG)) for _ in range(5)]
            for poll in polls:
                poll.cancel()
        started = await start(operator, queue)
        task = (await worker.post(PATH, json=poll_body(here, queue, LONG))).json()["task"]
        assert task["run_id"] == started["run_id"]
        assert task["lease_owner"] == here


async def test_a_repeated_poll_gets_the_same_claim(quiet: Server) -> None:
    queue, worker_id = unique("q"), unique("w")
    async with client(quiet, "worker") as worker, client(quiet, "operator") as operator:
        await register(worker, worker_id, queue)
        body = poll_body(worker_id, queue, LONG)
        twice = [await held(worker, PATH, body), await held(worker, PATH, body)]
        await start(operator, queue)
        first = (await twice[0]).json()["task"]
        again = (await worker.post(PATH, json=body)).json()["task"]
        assert (again["task_id"], again["workflow_task_attempt"]) == (
            first["task_id"],
            first["workflow_task_attempt"],
        )
        twice[1].cancel()


async def test_a_history_read_waits_for_something_new(quiet: Server) -> None:
    async with client(quiet, "operator") as operator:
        started = await start(operator, unique("q"))
        path = f"/workflows/{started['workflow_id']}"
        history = f"{path}/runs/{started['run_id']}/history?wait_new_event=true&next_page_token=MQ=="
        read = asyncio.create_task(operator.get(history))
        await operator.get("/health")
        await operator.post(f"{path}/terminate", json={})
        events = [event["event_type"] for event in (await read).json()["events"]]
        assert "WorkflowTerminated" in events
        closed = await operator.get(history.replace("MQ==", "OTk="))
        assert closed.json()["events"] == []


async def test_a_sweep_finds_events_that_no_hint_told(quiet: Server, tmp_path: Path) -> None:
    with another(quiet, tmp_path, DW_SWEEP_INTERVAL_SECONDS="0.1") as sweeping:
        async with client(sweeping, "operator") as reader, client(quiet, "operator") as operator:
            started = await start(operator, unique("q"))
            path = f"/workflows/{started['workflow_id']}"
            history = f"{path}/runs/{started['run_id']}/history?wait_new_event=true&next_page_token=MQ=="
            read = asyncio.create_task(reader.get(history))
            await reader.get("/health")
            await operator.post(f"{path}/terminate", json={})
            events = [event["event_type"] for event in (await read).json()["events"]]
    assert "WorkflowTerminated" in events


async def test_a_history_read_for_nothing_ends_empty(quiet: Server, tmp_path: Path) -> None:
    with another(quiet, tmp_path, DW_WORKER_POLL_TIMEOUT="1") as impatient:
        async with client(impatient, "operator") as operator:
            started = await start(operator, unique("q"))
            path = f"/workflows/{started['workflow_id']}/runs/{started['run_id']}/history"
            answer = await operator.get(f"{path}?wait_new_event=true&next_page_token=MQ==")
        assert answer.status_code == 200
        assert answer.json()["events"] == []


async def test_a_server_that_is_told_to_stop_answers_what_it_holds(quiet: Server, tmp_path: Path) -> None:
    queue, worker_id = unique("q"), unique("w")
    with another(quiet, tmp_path, **NEVER) as stopping:
        async with client(stopping, "worker") as worker, client(stopping, "operator") as operator:
            await register(worker, worker_id, queue)
            started = await start(operator, unique("q"))
            poll = await held(worker, PATH, poll_body(worker_id, queue, LONG))
            path = f"/workflows/{started['workflow_id']}/runs/{started['run_id']}/history"
            read = asyncio.create_task(operator.get(f"{path}?wait_new_event=true&next_page_token=MQ=="))
            await operator.get("/health")
            await asyncio.to_thread(stopping.stop)
            assert (await poll).json() == EMPTY
            assert (await read).json()["events"] == []
        assert stopping.process.returncode == 0


@pytest.mark.parametrize("seconds", [-1, 61, 1.5, "1", True])
async def test_a_poll_lasts_from_0_to_60_whole_seconds(quiet: Server, seconds: Any) -> None:
    async with client(quiet, "worker") as worker:
        answer = await worker.post(PATH, json={**poll_body("w", "q", 0), "timeout_seconds": seconds})
    assert answer.status_code == 422
    assert list(answer.json()["errors"]) == ["timeout_seconds"]
