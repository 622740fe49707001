"""heartbeat_worker: a worker that lives says so."""

from __future__ import annotations

from tests.engines.clock import Clock
from tests.transitions.conftest import Dump
from tests.transitions.driver import Driver


async def test_a_heartbeat_is_acknowledged(driver: Driver, clock: Clock, dump: Dump) -> None:
    before = dump()["worker_liveness"]
    clock.advance(10)
    reply = await driver.heartbeat_worker()
    assert reply.outcome == "acknowledged"
    assert reply.body == {"worker_id": "worker-1", "acknowledged": True}
    after = dump()["worker_liveness"]
    assert [row["last_heartbeat_at"] for row in after] != [row["last_heartbeat_at"] for row in before]


async def test_an_unknown_worker_is_refused(driver: Driver) -> None:
    refused = await driver.heartbeat_worker("stranger")
    assert refused.outcome == "worker_not_registered"
    assert refused["worker_id"] == "stranger"


async def test_a_worker_of_another_namespace_is_refused(driver: Driver, other_namespace: str) -> None:
    refused = await driver.heartbeat_worker(namespace=other_namespace)
    assert refused.outcome == "worker_not_registered"


async def test_an_unknown_namespace_is_refused(driver: Driver) -> None:
    assert (await driver.heartbeat_worker(namespace="nowhere")).outcome == "namespace_not_found"


async def test_a_worker_that_has_deregistered_is_unknown(driver: Driver) -> None:
    await driver.deregister()
    assert (await driver.heartbeat_worker()).outcome == "worker_not_registered"
