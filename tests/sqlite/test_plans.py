"""The work of a transition does not grow with finished runs, with long histories or with what is due later.

Every statement of a scenario is looked at: tables that grow are searched by an index, never scanned, and
nothing is sorted that an index has in order.
"""

from __future__ import annotations

import re
import sqlite3

import pytest

from byssus.store import Store
from byssus.store.sqlite.store import SqliteStore
from tests.engines.clock import Clock
from tests.transitions import commands as c
from tests.transitions.driver import Driver
from tests.transitions.merged import begin_held, continuation, got_activity, got_task, register_merging_worker
from tests.transitions.sticky import register_suffix_worker, retain, sticky_cache

pytestmark = pytest.mark.engines("sqlite")

_SCAN = re.compile(r"SCAN (\w+)")
_MAY_BE_SCANNED = {"json_each", "CONSTANT", "namespaces"}


async def test_no_statement_scans_a_table_or_sorts(
    driver: Driver, store: Store, clock: Clock, stranger: sqlite3.Connection
) -> None:
    statements = _watched(store)
    await _work(driver, clock)
    await _sticky_work(driver, clock)
    await _merged_work(driver)

    looked_at = 0
    for statement in statements:
        if statement.split()[0] in ("select", "insert", "update", "delete"):
            looked_at += 1
            plan = _plan(stranger, statement)
            scanned = {found[1] for found in map(_SCAN.match, plan) if found} - _MAY_BE_SCANNED
            assert not scanned, f"{statement}\n{plan}"
            assert not any("TEMP B-TREE" in detail for detail in plan), f"{statement}\n{plan}"
    assert looked_at > 100


async def test_a_claim_searches_one_range_of_an_index_for_the_workers_own_tasks_and_one_for_the_others(
    driver: Driver, store: Store, stranger: sqlite3.Connection
) -> None:
    statements = _watched(store)
    await driver.start()
    await driver.claimed()
    plans = {
        detail
        for statement in statements
        if statement.startswith("select t.* from workflow_tasks")
        for detail in _plan(stranger, statement)
        if " t " in detail
    }
    own = "workflow_tasks_sticky (sticky_registration_token=? AND priority=? AND available_at<?)"
    common = "workflow_tasks_ready (namespace=? AND task_queue=? AND priority=? AND held_until<?)"
    assert plans == {f"SEARCH t USING INDEX {index}" for index in (own, common)}


@pytest.mark.parametrize(
    ("statement", "search"),
    [
        (r"select \* from workflow_tasks where run_id", "workflow_tasks USING PRIMARY KEY (run_id=?)"),
        (r"select \* from affinities", "affinities USING PRIMARY KEY (run_id=?)"),
        ("update affinities set delivered_sequence", "affinities USING PRIMARY KEY (run_id=?)"),
        (
            r"select \* from activities .*lease_owner.* and run_id = '",
            (
                "activities USING INDEX activities_poll"
                " (namespace=? AND lease_owner=? AND poll_request_id=? AND run_id=?)"
            ),
        ),
        (
            r"select \* from activities .*available_at = .* and run_id = '",
            (
                "activities USING INDEX activities_ready"
                " (namespace=? AND task_queue=? AND priority=? AND available_at=? AND run_id=?)"
            ),
        ),
    ],
)
async def test_what_a_completion_carries_is_found_by_keys(
    driver: Driver, store: Store, stranger: sqlite3.Connection, statement: str, search: str
) -> None:
    statements = _watched(store)
    await _merged_work(driver)
    found = [_plan(stranger, watched) for watched in statements if re.match(statement, watched)]
    assert found
    assert {detail for plan in found for detail in plan if detail.startswith("SEARCH")} == {
        f"SEARCH {search}"
    }


@pytest.mark.parametrize(("status", "searches"), [(None, 3), ("failed", 1)])
async def test_the_runs_of_a_type_are_searched_by_status_too(
    driver: Driver, store: Store, stranger: sqlite3.Connection, status: str | None, searches: int
) -> None:
    statements = _watched(store)
    await driver.list_runs(workflow_type="order", status=status)
    (plan,) = [_plan(stranger, statement) for statement in statements if "workflow_type" in statement]
    columns = "namespace=? AND workflow_type=? AND status_bucket=? AND run_id<?"
    searched = f"SEARCH runs USING INDEX runs_newest_by_type ({columns})"
    assert [detail for detail in plan if "runs" in detail] == [searched] * searches


def _watched(store: Store) -> set[str]:
    """The statements that the store runs from now on."""
    assert isinstance(store, SqliteStore)
    assert store._writer is not None
    statements: set[str] = set()
    for connection in (store._writer._connection, *store._idle):
        connection.set_trace_callback(statements.add)
    return statements


def _plan(stranger: sqlite3.Connection, statement: str) -> list[str]:
    return [detail for *_, detail in stranger.execute(f"explain query plan {statement}")]


async def _work(driver: Driver, clock: Clock) -> None:
    """Something of everything that a run can go through."""
    run_id = await driver.begin(
        c.schedule(max_attempts=3, backoff=(1,), heartbeat_timeout=5),
        c.schedule(schedule_to_start_timeout=9),
        c.timer(2),
        *c.group(c.schedule(), c.timer(3), base=4),
        c.side_effect(),
        c.wait(timeout=7),
        execution_timeout_seconds=300,
    )
    await driver.signal()
    task = await driver.claimed()
    await driver.signal()
    await driver.heartbeat(task)
    await driver.read_page(task)
    await driver.fail(task)
    activity = await driver.claimed_activity()
    await driver.heartbeat_activity(activity)
    await driver.complete_activity(activity)
    await driver.fail_activity(await driver.claimed_activity(), non_retryable=False)
    await driver.release_activity(await driver.claimed_activity())
    clock.advance(4)
    await driver.fire_timers()
    await driver.release(await driver.claimed())
    await driver.claimed()
    await driver.claim_activity()
    clock.advance(50)
    await driver.enforce_timeouts()
    await driver.expire_leases()
    await driver.wait_for_history(await driver.claimed())
    await driver.fire_timers()
    await driver.signal(request_id="signal-1")
    await driver.advance(c.continue_as_new())
    await driver.begin(c.schedule(), c.timer(60), workflow_id="order-2")
    await driver.signal("order-2")
    await driver.cancel("order-2", request_id="cancel-1")
    await driver.advance(c.complete_workflow())
    clock.advance(400)
    await driver.start("order-3", run_timeout_seconds=1)
    clock.advance(400)
    await driver.enforce_timeouts()
    await _reads(driver, run_id)
    await driver.register()
    await driver.deregister()
    clock.advance(1000)
    await driver.prune_receipts(600)


async def _sticky_work(driver: Driver, clock: Clock) -> None:
    """What becomes of a run whose worker keeps it in its cache."""
    await register_suffix_worker(driver)
    await driver.start("order-4")
    await retain(driver, await driver.claimed(), *(c.side_effect() for _ in range(4)), c.wait())
    await driver.record_polls(("default", "worker-1"))
    await driver.signal(workflow_id="order-4")
    assert await driver.probe_held(["workflow", "default", "main"]) != []
    task = await driver.claimed(page_size=2)
    assert task.body["sticky_replay_mode"] == "sticky_hit_expected"
    await driver.read_page(task, 3)
    await driver.sticky_metrics()
    await driver.release(task)
    await driver.heartbeat_worker()
    await register_suffix_worker(driver)
    clock.advance(200)
    await driver.prune_receipts(600)


async def _merged_work(driver: Driver) -> None:
    """What completions carry, and what their repeats get."""
    await register_merging_worker(driver)
    task, activity, basis = await begin_held(driver, workflow_id="order-5")
    carried = {
        "continuation": continuation(basis, c.schedule(), sticky=sticky_cache(task, basis)),
        "activity_poll": driver.poll(history_after_sequence=basis),
    }
    reply = await driver.complete_activity(activity, carried=carried)
    assert (await driver.complete_activity(activity, carried=carried)).body["activity_poll"][
        "task"
    ] is not None
    carried = {"workflow_poll": driver.poll()}
    activity = got_activity(reply)
    reply = await driver.complete_activity(activity, carried=carried)
    assert (await driver.complete_activity(activity, carried=carried)).body["workflow_poll"][
        "task"
    ] is not None
    await driver.complete(got_task(reply), c.complete_workflow(), carried={"workflow_poll": driver.poll()})


async def _reads(driver: Driver, run_id: str) -> None:
    await driver.describe()
    await driver.list_runs()
    await driver.list_runs(workflow_type="order")
    await driver.list_runs(status="failed")
    await driver.list_runs(workflow_type="order", status="failed")
    await driver.list_workflow_runs()
    await driver.export(run_id)
    await driver.history(run_id)
    await driver.probe(["workflow", "default", "main"], ["activity", "default", "main"])
