"""Reads run beside the writer, and see everything that was answered."""

from __future__ import annotations

import asyncio
import sqlite3

import pytest

from byssus.store import Store
from byssus.store import transitions as t
from tests.transitions.driver import Driver

pytestmark = pytest.mark.engines("sqlite")


async def test_a_read_does_not_wait_for_the_writer(driver: Driver, stranger: sqlite3.Connection) -> None:
    await driver.start()
    stranger.execute("begin immediate")
    waiting = asyncio.ensure_future(driver.signal())
    assert (await driver.describe())["status"] == "pending"
    assert not waiting.done()
    stranger.execute("commit")
    assert (await waiting).outcome == "signal_received"


async def test_a_read_sees_what_was_answered_before_it(driver: Driver) -> None:
    async def start_and_describe(number: int) -> str:
        await driver.start(f"order-{number}")
        return (await driver.describe(f"order-{number}")).outcome

    described = await asyncio.gather(*(start_and_describe(number) for number in range(40)))
    assert set(described) == {"described"}


@pytest.mark.parametrize(
    "transition", [each for each in t.TRANSITIONS if each.reads_only], ids=lambda each: each.name
)
async def test_what_is_said_to_read_only_cannot_write(
    transition: t.Transition, store: Store, driver: Driver, stranger: sqlite3.Connection
) -> None:
    run_id = (await driver.start())["run_id"]
    arguments: dict[str, str | int | None] = {
        "namespace": "default",
        "workflow_id": "order-1",
        "run_id": run_id,
        "task_id": f"{run_id}:k1",
        "lease_owner": "worker-1",
        "workflow_type": None,
        "status_bucket": None,
        "page_token": None,
        "queues": '[["workflow","default","main"]]',
        "runs": f'[["{run_id}",0]]',
    }
    wanted = {name: arguments.get(name, 1) for name, _ in transition.parameters}
    (before,) = stranger.execute("pragma data_version").fetchone()
    assert len(await store.call(transition, wanted)) == 1
    assert stranger.execute("pragma data_version").fetchone() == (before,)
