"""deregister_worker: the end of one registration, and of no other."""

from __future__ import annotations

from tests.engines.clock import Clock
from tests.transitions.commands import schedule, wait
from tests.transitions.conftest import Dump
from tests.transitions.driver import Driver

NO_TOKEN = "0" * 32


async def test_what_the_worker_held_is_offered_again_at_once(driver: Driver, clock: Clock) -> None:
    await driver.register("worker-2")
    token = (await driver.register())["registration_token"]
    await driver.begin(schedule(), wait())
    await driver.signal()
    await driver.claimed()
    await driver.claimed_activity()
    clock.advance(1)
    reply = await driver.deregister(token=token)
    assert reply.outcome == "deregistered"
    assert reply.body == {
        "worker_id": "worker-1",
        "outcome": "deregistered",
        "recovered_workflow_task_count": 1,
        "registration_token": token,
    }
    assert reply.hints == [["due", "2030-01-01T00:00:01.000000Z"]]
    assert (await driver.expire_leases())["count"] == 2
    assert (await driver.claimed("worker-2")).attempt == 2
    assert (await driver.claimed_activity("worker-2")).attempt == 2


async def test_a_deregistered_worker_is_unknown_to_polls(driver: Driver) -> None:
    await driver.deregister()
    await driver.start()
    assert (await driver.claim()).outcome == "worker_not_registered"
    assert (await driver.claim_activity()).outcome == "worker_not_registered"


async def test_without_a_token_the_current_registration_is_ended(driver: Driver) -> None:
    reply = await driver.deregister()
    assert reply.outcome == "deregistered"
    assert "registration_token" not in reply.body
    assert (await driver.deregister()).outcome == "worker_not_found"


async def test_an_unknown_worker_is_refused(driver: Driver) -> None:
    assert (await driver.deregister("stranger")).outcome == "worker_not_found"


async def test_an_unknown_token_is_refused_without_a_trace(driver: Driver, dump: Dump) -> None:
    before = dump()
    assert (await driver.deregister(token=NO_TOKEN)).outcome == "worker_registration_token_not_found"
    assert dump() == before


async def test_the_token_of_another_worker_is_refused(driver: Driver) -> None:
    token = (await driver.register("worker-2"))["registration_token"]
    assert (await driver.deregister(token=token)).outcome == "worker_registration_token_not_found"
    assert (await driver.heartbeat_worker("worker-2")).outcome == "acknowledged"


async def test_a_token_of_another_namespace_is_refused(driver: Driver, other_namespace: str) -> None:
    token = (await driver.register())["registration_token"]
    refused = await driver.deregister(token=token, namespace=other_namespace)
    assert refused.outcome == "worker_registration_token_not_found"
    assert (await driver.heartbeat_worker()).outcome == "acknowledged"


async def test_an_unknown_namespace_is_refused(driver: Driver) -> None:
    assert (await driver.deregister(namespace="nowhere")).outcome == "namespace_not_found"
    assert (await driver.deregister(namespace="nowhere", token=NO_TOKEN)).outcome == "namespace_not_found"


async def test_a_registration_whose_place_another_took_has_lost_authority(driver: Driver, dump: Dump) -> None:
    old = (await driver.register())["registration_token"]
    new = (await driver.register())["registration_token"]
    before = dump()
    assert (await driver.deregister(token=old)).outcome == "worker_registration_lost_authority"
    assert dump() == before
    assert (await driver.heartbeat_worker()).outcome == "acknowledged"
    assert (await driver.deregister(token=new)).outcome == "deregistered"


async def test_a_repeated_deregistration_gets_its_receipt(driver: Driver, clock: Clock, dump: Dump) -> None:
    token = (await driver.register())["registration_token"]
    await driver.start()
    await driver.claimed()
    first = await driver.deregister(token=token)
    clock.advance(599)
    before = dump()
    again = await driver.deregister(token=token, receipt_seconds=600)
    assert (again.outcome, again.text) == ("deregistered", first.text)
    assert again["recovered_workflow_task_count"] == 1
    assert dump() == before


async def test_a_receipt_expires(driver: Driver, clock: Clock) -> None:
    token = (await driver.register())["registration_token"]
    await driver.deregister(token=token)
    clock.advance(600)
    refused = await driver.deregister(token=token, receipt_seconds=600)
    assert refused.outcome == "worker_registration_receipt_expired"


async def test_a_receipt_does_not_end_the_registration_that_came_after_it(driver: Driver) -> None:
    token = (await driver.register())["registration_token"]
    await driver.deregister(token=token)
    await driver.register()
    assert (await driver.deregister(token=token)).outcome == "deregistered"
    assert (await driver.heartbeat_worker()).outcome == "acknowledged"
