"""Namespaces: no id of one reaches anything of another, by any transition."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.engines.clock import Clock
from tests.transitions.commands import complete_workflow, schedule, timer, wait
from tests.transitions.conftest import Dump
from tests.transitions.driver import LEASE_SECONDS, Driver


async def test_no_id_of_one_namespace_reaches_a_row_of_another(
    driver: Driver, dump: Dump, other_namespace: str
) -> None:
    await driver.register(namespace=other_namespace)
    run_id = await driver.begin(schedule(), wait())
    await driver.signal()
    task = await driver.claimed(poll_request_id="p")
    activity = await driver.claimed_activity(poll_request_id="p")
    await driver.start("order-2")
    before = dump()
    theirs: dict[str, Any] = {"namespace": other_namespace}
    foreign_task = replace(task, namespace=other_namespace)
    foreign_activity = replace(activity, namespace=other_namespace)
    replies = [
        await driver.describe(**theirs),
        await driver.describe(run_id=run_id, **theirs),
        await driver.read_history(run_id, **theirs),
        await driver.signal(**theirs),
        await driver.signal(run_id=run_id, **theirs),
        await driver.cancel(**theirs),
        await driver.terminate(run_id=run_id, **theirs),
        await driver.complete(foreign_task, complete_workflow()),
        await driver.fail(foreign_task),
        await driver.release(foreign_task),
        await driver.heartbeat(foreign_task),
        await driver.read_page(foreign_task),
        await driver.complete_activity(foreign_activity),
        await driver.fail_activity(foreign_activity),
        await driver.heartbeat_activity(foreign_activity),
        await driver.release_activity(foreign_activity),
        await driver.claim(poll_request_id="p", **theirs),
        await driver.claim_activity(poll_request_id="p", **theirs),
    ]
    assert [reply.outcome for reply in replies] == [
        *["instance_not_found"] * 7,
        *["task_not_found"] * 5,
        *["attempt_not_found"] * 4,
        *["empty"] * 2,
    ]
    assert (await driver.list_runs(**theirs))["workflows"] == []
    assert not any(run_id in reply.text for reply in (replies[0], replies[3], replies[5]))
    assert dump() == before


async def test_receipts_of_one_namespace_are_not_answered_in_another(
    driver: Driver, other_namespace: str
) -> None:
    await driver.begin(schedule(), wait())
    activity = await driver.claimed_activity()
    await driver.complete_activity(activity)
    task = await driver.claimed()
    await driver.complete(task, wait())
    foreign = await driver.complete(replace(task, namespace=other_namespace), wait())
    assert foreign.outcome == "task_not_found"
    foreign = await driver.complete_activity(replace(activity, namespace=other_namespace))
    assert foreign.outcome == "attempt_not_found"


async def test_the_same_ids_live_side_by_side(driver: Driver, other_namespace: str) -> None:
    await driver.register(namespace=other_namespace)
    for namespace in ("default", other_namespace):
        await driver.start(namespace=namespace, request_id="r1")
    theirs = await driver.claimed(namespace=other_namespace, poll_request_id="p")
    ours = await driver.claimed(poll_request_id="p")
    assert theirs.run_id != ours.run_id
    assert theirs.namespace == other_namespace
    await driver.complete(theirs, schedule())
    assert (await driver.claim_activity()).outcome == "empty"
    task = await driver.claimed_activity(namespace=other_namespace)
    assert (await driver.complete_activity(task)).outcome == "completed"
    await driver.complete(ours, complete_workflow())
    assert (await driver.describe(namespace=other_namespace))["status"] == "waiting"


async def test_maintenance_serves_all_namespaces(driver: Driver, clock: Clock, other_namespace: str) -> None:
    await driver.register(namespace=other_namespace)
    for namespace in ("default", other_namespace):
        await driver.start(namespace=namespace)
        await driver.complete(await driver.claimed(namespace=namespace), timer(LEASE_SECONDS), schedule())
        await driver.claimed_activity(namespace=namespace)
    clock.advance(LEASE_SECONDS)
    timers = await driver.fire_timers()
    leases = await driver.expire_leases()
    assert (timers["count"], leases["count"]) == (2, 2)
    for hint in (["workflow", "default", "main"], ["workflow", other_namespace, "main"]):
        assert hint in timers.hints
    for hint in (["activity", "default", "main"], ["activity", other_namespace, "main"]):
        assert hint in leases.hints
