"""register_worker: what a worker process can do, under a fresh token."""

from __future__ import annotations

from tests.engines.clock import Clock
from tests.transitions.commands import schedule, wait
from tests.transitions.conftest import Dump
from tests.transitions.driver import Driver


async def test_a_registration_is_confirmed_with_a_token(driver: Driver) -> None:
    reply = await driver.register("worker-2", queue="side", build_id="b1")
    assert reply.outcome == "registered"
    token = reply["registration_token"]
    assert len(token) == 32
    assert set(token) <= set("0123456789abcdef")
    assert reply.body == {
        "worker_id": "worker-2",
        "registered": True,
        "namespace": "default",
        "task_queue": "side",
        "runtime": "python",
        "build_id": "b1",
        "capabilities": ["history_pages"],
        "capability_manifest": {"schema": "manifest", "version": 1},
        "status": "active",
        "registration_token": token,
    }


async def test_every_registration_has_a_token_of_its_own(driver: Driver) -> None:
    tokens = {(await driver.register())["registration_token"] for _ in range(3)}
    assert len(tokens) == 3


async def test_an_unknown_namespace_is_refused(driver: Driver) -> None:
    assert (await driver.register("worker-2", namespace="nowhere")).outcome == "namespace_not_found"


async def test_a_worker_that_registers_again_may_serve_another_queue_and_other_types(
    driver: Driver,
) -> None:
    await driver.register(queue="side", workflow_types=("refund",))
    await driver.start(queue="side", workflow_type="refund")
    assert (await driver.claim()).outcome == "task_queue_mismatch"
    await driver.claimed(task_queue="side")


async def test_registering_again_lets_the_leases_of_the_old_process_run_out(
    driver: Driver, clock: Clock
) -> None:
    await driver.begin(schedule(), wait())
    await driver.signal()
    task = await driver.claimed()
    activity = await driver.claimed_activity()
    clock.advance(1)
    reply = await driver.register()
    assert reply.hints == [["due", "2030-01-01T00:00:01.000000Z"]]
    assert (await driver.complete(task, wait())).outcome == "lease_expired"
    assert (await driver.complete_activity(activity)).outcome == "lease_expired"
    assert (await driver.expire_leases())["count"] == 2
    assert (await driver.claimed()).attempt == 2
    assert (await driver.claimed_activity()).attempt == 2


async def test_registering_again_leaves_the_leases_of_others_alone(driver: Driver) -> None:
    await driver.register("worker-2")
    await driver.start()
    task = await driver.claimed("worker-2")
    await driver.register()
    assert (await driver.complete(task, wait())).outcome == "completed"


async def test_a_worker_of_the_same_name_elsewhere_is_another_worker(
    driver: Driver, other_namespace: str
) -> None:
    await driver.start()
    task = await driver.claimed()
    await driver.register(namespace=other_namespace)
    assert (await driver.complete(task, wait())).outcome == "completed"


async def test_a_repeated_poll_of_the_old_process_gets_nothing(driver: Driver, clock: Clock) -> None:
    await driver.start()
    await driver.claimed(poll_request_id="p")
    clock.advance(1)
    await driver.register()
    assert (await driver.claim(poll_request_id="p")).outcome == "empty"


async def test_a_changed_definition_under_the_same_worker_id_is_refused_without_a_trace(
    driver: Driver, dump: Dump
) -> None:
    await driver.register(fingerprints={"order": "f1"})
    await driver.start()
    task = await driver.claimed()
    before = dump()
    refused = await driver.register(fingerprints={"order": "f2"})
    assert refused.outcome == "workflow_definition_changed"
    assert refused["registered"] is False
    assert refused["workflow_type"] == "order"
    assert dump() == before
    assert (await driver.complete(task, wait())).outcome == "completed"


async def test_an_unchanged_definition_is_registered_again(driver: Driver) -> None:
    await driver.register(fingerprints={"order": "f1"})
    assert (await driver.register(fingerprints={"order": "f1"})).outcome == "registered"


async def test_types_may_come_and_go_with_a_registration(driver: Driver) -> None:
    await driver.register(fingerprints={"order": "f1"})
    assert (
        await driver.register(workflow_types=("refund",), fingerprints={"refund": "f2"})
    ).outcome == "registered"
    assert (await driver.register(fingerprints={"order": "f3"})).outcome == "registered"


async def test_another_worker_may_have_another_definition(driver: Driver) -> None:
    await driver.register(fingerprints={"order": "f1"})
    assert (await driver.register("worker-2", fingerprints={"order": "f2"})).outcome == "registered"


async def test_a_definition_without_a_fingerprint_may_gain_one(driver: Driver) -> None:
    assert (await driver.register(fingerprints={"order": "f1"})).outcome == "registered"
