"""What a call costs: one command to the server, one commit, one answer."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from byssus.store import Arguments, Notifier
from byssus.store import transitions as t
from byssus.store.answer import Answer
from byssus.store.mysql import MysqlStore
from byssus.store.transitions import TRANSITIONS, Transition
from tests.http.clients import unique
from tests.transitions.commands import complete_workflow, schedule, timer, wait
from tests.transitions.driver import Driver
from tests.transitions.merged import continuation, got_activity, got_task, part, register_merging_worker
from tests.transitions.sticky import sticky_cache

pytestmark = pytest.mark.engines("mariadb", "mysql")

# `Questions` counts what clients send, statements prepared or closed apart; `Com_commit` also counts commits
# inside routines.
_COUNTERS = (
    "Questions",
    "Com_stmt_execute",
    "Com_stmt_prepare",
    "Com_stmt_close",
    "Com_stmt_reset",
    "Com_commit",
    "Com_rollback",
)
Cost = dict[str, int]


class Counting:
    """The store, counting what each call costs in the only session it has."""

    engine = "mysql"
    notifier: Notifier | None = None

    def __init__(self, store: MysqlStore) -> None:
        self._store = store
        self.costs: dict[str, list[Cost]] = defaultdict(list)

    async def open(self) -> None:
        """It is open."""

    async def close(self) -> None:
        """Whoever opened it closes it."""

    async def call(self, transition: Transition, arguments: Arguments) -> list[Answer]:
        before = await self._counters()
        answers = await self._store.call(transition, arguments)
        after = await self._counters()
        cost = {name: after[name] - before[name] for name in _COUNTERS}
        cost["Questions"] -= 1  # the one that asks for the counters
        self.costs[transition.name].append(cost)
        return answers

    async def _counters(self) -> Cost:
        async with self._store._connection() as connection, connection.cursor() as cursor:
            await cursor.execute("SHOW SESSION STATUS")
            return {name: int(value) for name, value in await cursor.fetchall() if name in _COUNTERS}


@pytest.fixture
async def counting(narrow: MysqlStore) -> Counting:
    return Counting(narrow)


async def test_a_call_is_one_command_and_one_commit(counting: Counting) -> None:
    """But for the first of its kind in a session, which is prepared there."""
    driver = Driver(counting)
    await _live(driver)
    counting.costs.clear()
    await _live(driver)
    assert counting.costs.keys() == {transition.name for transition in TRANSITIONS}
    for name, costs in counting.costs.items():
        for cost in costs:
            assert cost == {
                "Questions": 1,
                "Com_stmt_execute": 1,
                "Com_stmt_prepare": 0,
                "Com_stmt_close": 0,
                "Com_stmt_reset": 0,
                "Com_commit": 1,
                "Com_rollback": 0,
            }, name


async def _live(driver: Driver) -> None:
    """Every transition at least once, claims for one poll and for several, completions that carry parts."""
    queue, worker, ours, other = (unique(name) for name in ("queue", "worker", "ours", "other"))
    here = {"task_queue": queue}
    registered = await register_merging_worker(driver, worker, queue=queue)
    await _merge(driver, queue, worker)
    await driver.heartbeat_worker(worker)
    await driver.record_polls(("default", worker))

    run_id = (await driver.start(ours, queue=queue))["run_id"]
    task = await driver.claimed(worker, **here)
    await driver.heartbeat(task)
    await driver.read_page(task)
    kept = sticky_cache(task)
    await driver.complete(task, *(schedule(queue=queue) for _ in range(4)), timer(0), wait(), sticky=kept)
    await driver.release_activity(await driver.claimed_activity(worker, **here))
    activity = await driver.claimed_activity(worker, **here)
    await driver.heartbeat_activity(activity)
    await driver.complete_activity(activity)
    await driver.fail_activity(await driver.claimed_activity(worker, **here))
    await driver.claim_all_activities(*(driver.poll(worker, **here) for _ in range(3)))
    await driver.signal(workflow_id=ours)
    await driver.cancel(ours)

    await driver.start(other, queue=queue)
    await driver.release(await driver.claimed(worker, **here))
    await driver.fail(await driver.claimed(worker, **here))
    await driver.claim_all(*(driver.poll(worker, **here) for _ in range(2)))
    await driver.terminate(other)

    await driver.describe(ours)
    await driver.list_runs()
    await driver.list_workflow_runs(ours)
    await driver.export(run_id, ours)
    await driver.read_history(run_id, ours)
    await driver.probe(["workflow", "default", queue])
    await driver.sticky_metrics()
    await driver.fire_timers()
    await driver.expire_leases()
    await driver.enforce_timeouts()
    await driver.prune_receipts(600)
    await driver.call(t.READ_SCHEMA_STATE)
    await driver.deregister(worker, token=registered["registration_token"])


async def _merge(driver: Driver, queue: str, worker: str) -> None:
    """A run whose worker carries all that it asks for. One continuation is applied, one refused."""
    await driver.start(unique("merged"), queue=queue)
    task = await driver.claimed(worker, task_queue=queue)

    def carried(basis: int) -> dict[str, Any]:
        return {
            "workflow_poll": driver.poll(worker, task_queue=queue),
            "activity_poll": driver.poll(worker, task_queue=queue, history_after_sequence=basis),
        }

    reply = await driver.complete(
        task, schedule(queue=queue), sticky=sticky_cache(task, 1), carried=carried(1)
    )
    ahead = continuation(2, schedule(queue=queue), sticky=sticky_cache(task, 2))
    reply = await driver.complete_activity(got_activity(reply), carried=carried(2) | {"continuation": ahead})
    assert part(reply, "continuation")["outcome"] == "applied"
    refused = continuation(4, complete_workflow(), sticky=sticky_cache(task, 4, run_id="another"))
    reply = await driver.complete_activity(
        got_activity(reply), carried=carried(4) | {"continuation": refused}
    )
    assert part(reply, "continuation")["reason"] == "sticky_cache_identity_mismatch"
    await driver.complete(got_task(reply), complete_workflow())
