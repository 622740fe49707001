"""Two server processes on one database: what one makes possible, workers of the other hear of soon.

Where there are notifications the servers sweep once an hour: only a notification can be what wakes a poll in
time. Elsewhere it is their sweeps.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from typing import Any

import pytest
from durable_workflow import activity, workflow
from durable_workflow.workflow import WorkflowContext

from tests.engines.databases import Database
from tests.engines.server import Server
from tests.http.clients import client, poll_body, register, start, unique
from tests.sdk.rig import Rig, client_of
from tests.sdk.serving import Serve

pytestmark = pytest.mark.engines("postgresql", "mariadb", "mysql")

SWEEP_SECONDS = {"postgresql": "3600", "mysql": "0.05"}
PROMPT_SECONDS = 5.0
POLL = "/worker/{}-tasks/poll"
Steps = Generator[Any, Any, Any]


@pytest.fixture
def pair(serve: Serve, database: Database) -> tuple[Server, Server]:
    """Two servers."""
    sweeping = {"DW_SWEEP_INTERVAL_SECONDS": SWEEP_SECONDS[database.dialect]}
    return serve(**sweeping), serve(**sweeping)


async def test_a_start_on_one_server_wakes_a_poll_of_the_other(pair: tuple[Server, Server]) -> None:
    near, far = pair
    queue = unique("q")
    async with client(near, "operator") as operator, client(far, "worker") as worker:
        await register(worker, "w", queue)
        for _ in range(3):
            poll = asyncio.create_task(worker.post(POLL.format("workflow"), json=poll_body("w", queue, 60)))
            await worker.get("/cluster/info")
            assert not poll.done()
            started = await start(operator, queue)
            async with asyncio.timeout(PROMPT_SECONDS):
                task = (await poll).json()["task"]
            assert task["run_id"] == started["run_id"]


@activity.defn(name="two.work")
def work(value: int) -> int:
    return value + 1


@workflow.defn(name="two.servers")
class TwoServers:
    def __init__(self) -> None:
        self.notes: list[str] = []

    @workflow.signal("note")
    def note(self, text: str) -> None:
        self.notes.append(text)

    def run(self, ctx: WorkflowContext, times: int) -> Steps:
        value = 0
        for _ in range(times):
            value = yield ctx.schedule_activity("two.work", [value])
        yield ctx.start_timer(1)
        yield ctx.wait_condition(lambda: bool(self.notes), key="noted")
        return value


async def test_a_workflow_goes_back_and_forth_between_the_workers_of_two_servers(
    pair: tuple[Server, Server],
) -> None:
    """A worker of one server runs its code, one of the other its activities."""
    near, far = pair
    times = 5
    async with client_of(near) as near_client, client_of(far) as far_client:
        here, there = Rig(near, near_client), Rig(far, far_client)
        there.queue = here.queue
        async with here.worker(activities=[work]), there.worker([TwoServers]):
            began = asyncio.get_running_loop().time()
            handle = await here.start(TwoServers, times)
            await here.recorded(handle, "ConditionWaitOpened")
            await handle.signal("note", args=["go"])
            assert await here.result(handle) == times
            took = asyncio.get_running_loop().time() - began
        await here.check_replays()
    assert took < 1 + 2 * PROMPT_SECONDS


async def test_two_servers_share_the_work_of_one_queue_and_double_nothing(
    pair: tuple[Server, Server],
) -> None:
    near, far = pair
    queue, polls, tasks = unique("q"), 15, 20
    async with client(near, "worker") as left, client(far, "worker") as right, client(near, "operator") as op:
        await register(left, "w", queue)
        held = [
            asyncio.create_task(worker.post(POLL.format("workflow"), json=poll_body("w", queue, 4)))
            for _ in range(polls)
            for worker in (left, right)
        ]
        started = await asyncio.gather(*(start(op, queue) for _ in range(tasks)))
        claimed = [task["run_id"] for poll in held if (task := (await poll).json()["task"]) is not None]
    assert sorted(claimed) == sorted(run["run_id"] for run in started)
