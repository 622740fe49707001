"""probe_ready_tasks: which queues have something to claim."""

from __future__ import annotations

from tests.engines.clock import Clock
from tests.transitions.commands import schedule
from tests.transitions.conftest import Dump
from tests.transitions.driver import Driver

WORKFLOWS = ["workflow", "default", "main"]
ACTIVITIES = ["activity", "default", "main"]


async def test_only_queues_with_due_tasks_are_named(driver: Driver) -> None:
    await driver.begin(schedule(queue="side"))
    await driver.start("order-2")
    queues = [WORKFLOWS, ACTIVITIES, ["workflow", "default", "side"], ["activity", "default", "side"]]
    assert await driver.probe(*queues) == [WORKFLOWS, ["activity", "default", "side"]]


async def test_tasks_that_are_leased_or_not_yet_due_do_not_count(driver: Driver, clock: Clock) -> None:
    await driver.begin(schedule(max_attempts=2, backoff=(10,)))
    activity = await driver.claimed_activity()
    await driver.start("order-2")
    task = await driver.claimed()
    assert await driver.probe(WORKFLOWS, ACTIVITIES) == []
    await driver.fail(task)
    await driver.fail_activity(activity)
    assert await driver.probe(WORKFLOWS, ACTIVITIES) == []
    clock.advance(10)
    assert await driver.probe(WORKFLOWS, ACTIVITIES) == [WORKFLOWS, ACTIVITIES]


async def test_every_priority_counts(driver: Driver) -> None:
    await driver.start(queue="least", priority=9)
    await driver.start("order-2", queue="most", priority=0)
    queues = [["workflow", "default", "least"], ["workflow", "default", "most"]]
    assert await driver.probe(*queues) == queues


async def test_other_namespaces_do_not_count(driver: Driver, other_namespace: str) -> None:
    await driver.start()
    assert await driver.probe(["workflow", other_namespace, "main"]) == []


async def test_probing_nothing_and_the_unknown_finds_nothing(driver: Driver) -> None:
    assert await driver.probe() == []
    assert await driver.probe(["workflow", "nowhere", "main"], ["activity", "default", "nothing"]) == []


async def test_a_probe_writes_nothing(driver: Driver, dump: Dump) -> None:
    await driver.start()
    before = dump()
    await driver.probe(WORKFLOWS)
    assert dump() == before
