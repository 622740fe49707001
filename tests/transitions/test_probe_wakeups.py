"""probe_wakeups: which queues have something to claim, and which runs have grown."""

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


async def test_runs_with_a_longer_history_than_known_are_named_in_the_order_of_the_question(
    driver: Driver,
) -> None:
    short = (await driver.start("order-2", queue="side"))["run_id"]
    long = await driver.begin(schedule())
    assert await driver.probe_runs((long, 2), (short, 1)) == []
    assert await driver.probe_runs((short, 0), (long, 1)) == [short, long]
    assert await driver.probe_runs((long, 0), (short, 1)) == [long]
    assert (await driver.cancel(workflow_id="order-2")).outcome == "cancelled"
    assert await driver.probe_runs((short, 1)) == [short]


async def test_runs_that_are_not_there_have_not_grown(driver: Driver) -> None:
    run_id = (await driver.start())["run_id"]
    assert await driver.probe_runs((run_id.upper(), 0), (f"{run_id} ", 0), ("", 0), ('"\\é', 0)) == []


async def test_a_probe_writes_nothing(driver: Driver, dump: Dump) -> None:
    run_id = (await driver.start())["run_id"]
    before = dump()
    await driver.probe(WORKFLOWS)
    await driver.probe_runs((run_id, 0))
    assert dump() == before
