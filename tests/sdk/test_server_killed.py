"""The server is killed again and again under load: nothing is lost, and nothing is doubled."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from functools import partial
from itertools import chain
from pathlib import Path

import pytest
from durable_workflow import Client
from durable_workflow.client import WorkflowHandle
from durable_workflow.retry_policy import TransportRetryPolicy

from tests.sdk import workload
from tests.sdk.conftest import StartWorker
from tests.sdk.histories import Event, decoded, of_type, payload_of, received_signals
from tests.sdk.rig import Rig
from tests.sdk.serving import Serve
from tests.sdk.waiting import until

KILLS = 3
WORKFLOWS_PER_KILL = 4
LEASES = {"DW_WORKFLOW_TASK_TIMEOUT": "5", "DW_ACTIVITY_TASK_TIMEOUT": "5"}
PERSISTENT = TransportRetryPolicy(max_attempts=200, max_backoff_seconds=0.2)
"""Sends the very same request again until it is acknowledged."""
APPROVERS = [f"approver {number}" for number in range(workload.APPROVALS)]


@pytest.mark.timeout(240)
async def test_a_killed_server_loses_and_doubles_nothing(
    serve: Serve, start_worker: StartWorker, folder: Path
) -> None:
    server = serve(**LEASES)
    async with Client(
        server.url,
        token=server.tokens["operator"],
        worker_token=server.tokens["worker"],
        retry_policy=PERSISTENT,
    ) as client:
        rig = Rig(server, client)
        for worker_id in ("left", "right"):
            start_worker(server, rig.queue, worker_id)

        orders: list[asyncio.Task[WorkflowHandle]] = []
        for _ in range(KILLS):
            effects_before = len(_effects(folder))
            orders += [asyncio.create_task(_order(rig, folder)) for _ in range(WORKFLOWS_PER_KILL)]
            await until(partial(_has_more_effects, folder, effects_before), "work goes on")
            server.kill()
            await asyncio.to_thread(server.restart)
        handles = await asyncio.gather(*orders)
        await rig.have_all_ended(workload.Order)

        histories = [await rig.history(handle) for handle in handles]
        await rig.check_replays()
    for events in histories:
        output = decoded(payload_of(events, "WorkflowCompleted"), "output")
        assert sorted(output["approvals"]) == APPROVERS
        assert sorted(received_signals(events)) == [[who] for who in APPROVERS]
    _check_effects(folder, list(chain.from_iterable(histories)))


async def _order(rig: Rig, folder: Path) -> WorkflowHandle:
    """Start a workflow and approve it; whatever is not acknowledged is sent again."""
    handle = await rig.start(workload.Order, str(folder), duplicate_policy="use-existing")
    await asyncio.gather(*(handle.signal("approve", args=[who]) for who in APPROVERS))
    return handle


def _has_more_effects(folder: Path, before: int) -> bool:
    return len(_effects(folder)) > before


def _effects(folder: Path) -> list[str]:
    effects = folder / workload.EFFECTS
    return effects.read_text().splitlines() if effects.exists() else []


def _check_effects(folder: Path, events: list[Event]) -> None:
    """Every activity in history took effect, no other did, and none was tried again once completed."""
    attempts: dict[str, list[int]] = defaultdict(list)
    for line in _effects(folder):
        key, attempt = line.split()
        attempts[key].append(int(attempt))
    completed = {
        event["payload"]["activity_execution_id"]: event["payload"]["attempt_number"]
        for event in of_type(events, "ActivityCompleted")
    }
    assert {key: max(tried) for key, tried in attempts.items()} == completed
    assert len(completed) == len(of_type(events, "ActivityCompleted")) == 3 * KILLS * WORKFLOWS_PER_KILL
    assert all(len(set(tried)) == len(tried) for tried in attempts.values()), "an attempt ran twice"
