"""Workers with clients of their own, whose traffic is noted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

import durable_workflow
import httpx
from durable_workflow import Client

from byssus.worker import Worker
from tests.engines.server import Server
from tests.sdk.rig import Rig, client_of
from tests.worker.traffic import Traffic
from tests.worker.workloads import WORKFLOWS, double


@dataclass(frozen=True)
class AtWork:
    """A worker that runs, and what it exchanges with its server."""

    worker: durable_workflow.Worker
    traffic: Traffic
    running: asyncio.Task[None]

    async def drop(self) -> None:
        """Cut it off from its server: it does not deregister and does not come back."""
        await self.worker.client.aclose()
        self.running.cancel()
        with suppress(asyncio.CancelledError, RuntimeError, httpx.TransportError):
            await self.running


@asynccontextmanager
async def at_work(
    rig: Rig,
    workflows: Iterable[type] = WORKFLOWS,
    activities: Iterable[Callable[..., Any]] = (double,),
    *,
    of: type[durable_workflow.Worker] = Worker,
    client: Callable[[Server], Client] = client_of,
    **options: Any,
) -> AsyncIterator[AtWork]:
    """A worker on the rig's queue that runs inside the block, unless it is dropped there.

    It keeps ten runs and merges nothing if nothing else is said.
    """
    async with client(rig.server) as own:
        traffic = Traffic(own)
        worker = of(
            own,
            **{
                "task_queue": rig.queue,
                "workflows": workflows,
                "activities": activities,
                "sticky_cache_capacity": 10,
                **({"merged_transitions": False} if of is Worker else {}),
                **options,
            },
        )
        running = asyncio.create_task(worker.run())
        try:
            yield AtWork(worker, traffic, running)
        finally:
            if not running.done():
                await worker.stop()
                await running
