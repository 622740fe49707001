"""The work of a transition does not grow with finished runs, long histories, backlogs or what is due later.

Neither MySQL nor MariaDB explains a statement inside a procedure. But both count what a session reads and
sorts: row by row, whatever else the machine does, and over all statements of a call.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from byssus.schema.revisions import MysqlConnection
from byssus.schema.statements import run_file
from byssus.store.mysql import MysqlStore
from byssus.store.transitions import TRANSITIONS
from tests.engines.mysql_databases import connect, tables
from tests.engines.running import Engines
from tests.transitions import commands as c
from tests.transitions.driver import WORKER, ActivityTask, Driver, Reply, WorkflowTask
from tests.transitions.merged import continuation, got_activity, got_task, part, register_merging_worker
from tests.transitions.sticky import register_suffix_worker, retain, sticky_cache

pytestmark = pytest.mark.engines("mariadb", "mysql")

BATCH = 20
"""How much a sweep may do at once: there is always more."""

PAGE_SIZE = 10
"""How many events a page of history holds."""

LISTED = 10
"""How many runs a list shows at once: there are always more."""

OTHER_WORKER = "worker-2"
"""Works on the queue that has the backlog."""

STICKY_WORKER = "worker-6"
"""Keeps runs in its cache and takes history suffixes."""


@dataclass(frozen=True)
class Size:
    """How much of each kind a database holds that one call must not notice."""

    finished: int
    later: int
    overdue: int
    backlog: int
    held: int
    events: int


SMALL = Size(finished=250, later=250, overdue=100, backlog=20, held=20, events=300)
LARGE = Size(finished=2_500, later=1_000, overdue=400, backlog=500, held=500, events=1_000)


class Work(NamedTuple):
    """Rows that the statements of a call have read, and rows that they have sorted."""

    read: int
    sorted: int


Step = Callable[[], Awaitable[object]]


class World:
    """A database full of runs, and a worker in it."""

    def __init__(self, runner: asyncio.Runner, store: MysqlStore, owner: MysqlConnection, size: Size) -> None:
        self.driver = Driver(store)
        self.size = size
        self._runner = runner
        self._store = store
        self._owner = owner
        self._numbers = count(1)

    def work_of(self, prepare: Callable[[World], Awaitable[Step]]) -> Work:
        """What the step costs that follows on these preparations, once its routines have been loaded."""
        self._runner.run(self._work_of(prepare))
        return self._runner.run(self._work_of(prepare))

    async def start(self, *, priority: int = 0) -> str:
        """The run of a new workflow with a long history. With priority 0 its task comes before all others."""
        started = await self.driver.start(f"workflow-{next(self._numbers)}", priority=priority)
        run_id: str = started["run_id"]
        self._prolong(run_id)
        return run_id

    async def begin(self, *commands: c.Document, priority: int = 0) -> str:
        """A workflow whose first task was answered with these commands, and then its history became long."""
        workflow_id = f"workflow-{next(self._numbers)}"
        run_id = (await self.driver.start(workflow_id, priority=priority))["run_id"]
        await self.driver.complete(await self._claimed(run_id), *commands)
        self._prolong(run_id)
        return workflow_id

    async def task(
        self, *, worker: str = WORKER, priority: int = 0, page_size: int = PAGE_SIZE
    ) -> WorkflowTask:
        """A claimed workflow task of a run that has a long history."""
        return await self._claimed(await self.start(priority=priority), worker, page_size)

    async def activity(self, *, worker: str = WORKER, priority: int = 0) -> ActivityTask:
        """A claimed activity of a run that has a long history."""
        workflow_id = await self.begin(c.schedule(), priority=priority)
        run_id = (await self.driver.describe(workflow_id))["run_id"]
        while True:
            activity = await self.driver.claimed_activity(worker)
            if activity.task_id.startswith(run_id):
                return activity

    async def take_activities(self) -> None:
        """Takes the activities that have been left there, so that the next one comes first."""
        while (await self.driver.claim_activity()).outcome == "leased":
            pass

    def id_of(self, kind: str, number: int) -> str:
        """The id of a run that was loaded."""
        with self._owner.cursor() as cursor:
            cursor.execute("SELECT test_run_id(%s, %s)", [kind, number])
            row = cursor.fetchone()
        assert row is not None
        return str(row[0])

    async def _claimed(self, run_id: str, worker: str = WORKER, page_size: int = PAGE_SIZE) -> WorkflowTask:
        """The task of a run, behind those that have been left there."""
        while True:
            task = await self.driver.claimed(worker, page_size=page_size)
            if task.run_id == run_id:
                return task

    def _prolong(self, run_id: str) -> None:
        run_file(self._owner, f"CALL test_load_history('{run_id}', {self.size.events});")

    async def _work_of(self, prepare: Callable[[World], Awaitable[Step]]) -> Work:
        step = await prepare(self)
        # Whether a count or the note of a poll is there from this second would be a row more or less.
        run_file(
            self._owner,
            "DELETE FROM sticky_counts WHERE counted_at > UTC_TIMESTAMP() - INTERVAL 1 MINUTE;\n"
            "UPDATE worker_liveness SET polling_until = NULL;",
        )
        before = await self._done()
        reply = await step()
        assert not isinstance(reply, Reply) or reply.body.get("reason") is None, reply
        after = await self._done()
        return Work(after.read - before.read, after.sorted - before.sorted)

    async def _done(self) -> Work:
        """What the one session of the store has done so far."""
        async with self._store._connection() as connection, connection.cursor() as cursor:
            await cursor.execute("SHOW SESSION STATUS WHERE variable_name LIKE 'Handler_read%'")
            read = sum(int(value) for _, value in await cursor.fetchall())
            await cursor.execute("SHOW SESSION STATUS LIKE 'Sort_rows'")
            ((_, rows),) = await cursor.fetchall()
        return Work(read, int(rows))


async def _start_run(world: World) -> Step:
    workflow_id = f"{await world.begin(c.timer(900))} too"
    return lambda: world.driver.start(workflow_id)


async def _claim_workflow_task(world: World) -> Step:
    await world.start()
    return lambda: world.driver.claim(page_size=PAGE_SIZE)


async def _claim_an_own_task(world: World) -> Step:
    await register_suffix_worker(world.driver, STICKY_WORKER)
    task = await world.task(worker=STICKY_WORKER, page_size=world.size.events)
    await retain(world.driver, task, c.wait())
    await world.driver.signal(workflow_id=task.body["workflow_id"])

    async def claim() -> None:
        own = await world.driver.claimed(STICKY_WORKER, page_size=PAGE_SIZE)
        assert own.run_id == task.run_id
        assert own.body["history_after_sequence"] == world.size.events

    return claim


async def _claim_as_a_sticky_worker(world: World) -> Step:
    await register_suffix_worker(world.driver, STICKY_WORKER)
    await world.start()
    return lambda: world.driver.claim(STICKY_WORKER, page_size=PAGE_SIZE)


async def _claim_from_a_backlog(world: World) -> Step:
    return lambda: world.driver.claim(OTHER_WORKER, task_queue="backlog")


async def _claim_nothing(world: World) -> Step:
    return lambda: world.driver.claim("worker-3", task_queue="idle")


async def _claim_activity_task(world: World) -> Step:
    await world.begin(c.schedule())
    return lambda: world.driver.claim_activity()


async def _claim_activity_from_a_backlog(world: World) -> Step:
    return lambda: world.driver.claim_activity(OTHER_WORKER, task_queue="backlog")


async def _claim_no_activity(world: World) -> Step:
    return lambda: world.driver.claim_activity("worker-3", task_queue="idle")


async def _read_history_page(world: World) -> Step:
    task = await world.task()
    return lambda: world.driver.read_page(task, after=200, page_size=PAGE_SIZE)


async def _heartbeat_workflow_task(world: World) -> Step:
    task = await world.task()
    return lambda: world.driver.heartbeat(task)


async def _complete_workflow_task(world: World) -> Step:
    task = await world.task()
    return lambda: world.driver.complete(task, c.schedule(), c.timer(9), c.side_effect(), c.wait(timeout=9))


async def _complete_and_retain(world: World) -> Step:
    await register_suffix_worker(world.driver, STICKY_WORKER)
    task = await world.task(worker=STICKY_WORKER)
    return lambda: world.driver.complete(task, c.wait(), sticky=sticky_cache(task, PAGE_SIZE))


async def _complete_at_the_end(world: World) -> Step:
    task = await world.task()
    return lambda: world.driver.complete(task, c.complete_workflow())


async def _continue_as_new(world: World) -> Step:
    task = await world.task(priority=1)
    return lambda: world.driver.complete(task, c.continue_as_new())


async def _complete_with_polls(world: World) -> Step:
    complete = await _completion_with_polls(world)

    async def step() -> Reply:
        reply = await complete()
        assert got_task(reply).run_id == got_activity(reply).body["run_id"]
        assert len(part(reply, "activity_poll")["history_tail"]["events"]) == 4
        return reply

    return step


async def _complete_with_polls_again(world: World) -> Step:
    complete = await _completion_with_polls(world)
    return await _repetition(complete)


async def _completion_with_polls(world: World) -> Callable[[], Awaitable[Reply]]:
    """Its run goes on at once: the workflow poll gets its next task, and the activity poll its activity."""
    driver, end = world.driver, world.size.events
    await register_merging_worker(driver, STICKY_WORKER)
    await world.take_activities()
    task = await world.task(worker=STICKY_WORKER, page_size=end)
    carried = _polls(driver, end)
    return lambda: driver.complete(
        task, c.schedule(), c.timer(9), c.wait(timeout=0), sticky=sticky_cache(task, end), carried=carried
    )


def _polls(driver: Driver, after: int) -> c.Document:
    return {
        "workflow_poll": driver.poll(STICKY_WORKER, page_size=PAGE_SIZE),
        "activity_poll": driver.poll(STICKY_WORKER, history_after_sequence=after),
    }


async def _repetition(call: Callable[[], Awaitable[Reply]]) -> Step:
    first = await call()

    async def step() -> Reply:
        again = await call()
        assert again.text == first.text
        return again

    return step


async def _fail_workflow_task(world: World) -> Step:
    task = await world.task(priority=1)
    return lambda: world.driver.fail(task)


async def _release_workflow_task(world: World) -> Step:
    task = await world.task(priority=1)
    return lambda: world.driver.release(task)


async def _heartbeat_activity(world: World) -> Step:
    activity = await world.activity()
    return lambda: world.driver.heartbeat_activity(activity)


async def _complete_activity(world: World) -> Step:
    activity = await world.activity(priority=1)
    return lambda: world.driver.complete_activity(activity)


async def _continue_with_polls(world: World) -> Step:
    complete = await _continuation_with_polls(world)

    async def step() -> Reply:
        reply = await complete()
        assert part(reply, "continuation")["outcome"] == "applied"
        assert got_task(reply).run_id != got_activity(reply).body["run_id"]
        assert len(part(reply, "activity_poll")["history_tail"]["events"]) == 3
        return reply

    return step


async def _continue_with_polls_again(world: World) -> Step:
    complete = await _continuation_with_polls(world)
    return await _repetition(complete)


async def _continue_in_vain(world: World) -> Step:
    complete = await _continuation_with_polls(world, c.wait())

    async def step() -> Reply:
        reply = await complete()
        assert part(reply, "continuation")["outcome"] == "refused"
        assert got_task(reply).run_id == got_activity(reply).body["run_id"]
        return reply

    return step


async def _continuation_with_polls(world: World, *commands: c.Document) -> Callable[[], Awaitable[Reply]]:
    """The completion of an activity of a run that its worker holds, with all that it can carry."""
    driver, end = world.driver, world.size.events
    await register_merging_worker(driver, STICKY_WORKER)
    await world.take_activities()
    task = await world.task(worker=STICKY_WORKER, page_size=end)
    polls = {"activity_poll": _polls(driver, end)["activity_poll"]}
    activity = got_activity(
        await driver.complete(task, *[c.schedule()] * 2, sticky=sticky_cache(task, end), carried=polls)
    )
    await world.start()
    basis = end + 2
    ahead = continuation(basis, *(commands or (c.schedule(), c.timer(9))), sticky=sticky_cache(task, basis))
    carried = {"continuation": ahead, **_polls(driver, basis)}
    return lambda: driver.complete_activity(activity, carried=carried)


async def _fail_activity(world: World) -> Step:
    activity = await world.activity(priority=1)
    return lambda: world.driver.fail_activity(activity)


async def _release_activity_task(world: World) -> Step:
    activity = await world.activity(priority=1)
    return lambda: world.driver.release_activity(activity)


async def _signal_run(world: World) -> Step:
    workflow_id = await world.begin(c.timer(900), priority=1)
    return lambda: world.driver.signal(workflow_id=workflow_id)


async def _signal_a_run_in_a_cache(world: World) -> Step:
    await register_suffix_worker(world.driver, STICKY_WORKER)
    task = await world.task(worker=STICKY_WORKER, priority=1)
    await world.driver.complete(task, c.timer(900), sticky=sticky_cache(task))
    return lambda: world.driver.signal(workflow_id=task.body["workflow_id"])


async def _signal_a_run_that_holds_events(world: World) -> Step:
    run_id = world.id_of("later", 8)
    return lambda: world.driver.signal(workflow_id="later", run_id=run_id)


async def _cancel_run(world: World) -> Step:
    workflow_id = await world.begin(c.schedule(), c.timer(900))
    return lambda: world.driver.cancel(workflow_id)


async def _terminate_run(world: World) -> Step:
    workflow_id = await world.begin(c.schedule(), c.timer(900))
    return lambda: world.driver.terminate(workflow_id)


async def _describe_run(world: World) -> Step:
    workflow_id = await world.begin(c.timer(900))
    return lambda: world.driver.describe(workflow_id)


async def _describe_a_run_of_a_long_chain(world: World) -> Step:
    run_id = world.id_of("finished", 8)
    return lambda: world.driver.describe("finished", run_id)


async def _read_history(world: World) -> Step:
    workflow_id = await world.begin(c.timer(900))
    run_id = (await world.driver.describe(workflow_id))["run_id"]
    return lambda: world.driver.read_history(run_id, workflow_id, after=200, page_size=PAGE_SIZE)


async def _list_the_runs_of_a_long_chain(world: World) -> Step:
    return lambda: world.driver.list_workflow_runs("finished", after=8, page_size=LISTED)


async def _export_a_run_of_a_long_chain(world: World) -> Step:
    run_id = world.id_of("finished", 8)
    return lambda: world.driver.export(run_id, "finished")


async def _list_runs(world: World) -> Step:
    return lambda: world.driver.list_runs(page_size=LISTED)


async def _list_runs_by_status(world: World) -> Step:
    return lambda: world.driver.list_runs(status="completed", page_size=LISTED)


async def _list_runs_by_type(world: World) -> Step:
    return lambda: world.driver.list_runs(workflow_type="type1", page_size=LISTED)


async def _list_runs_by_type_and_status(world: World) -> Step:
    return lambda: world.driver.list_runs(workflow_type="type1", status="failed", page_size=LISTED)


async def _list_a_later_page(world: World) -> Step:
    last = world.id_of("finished", 200)
    return lambda: world.driver.list_runs(status="completed", page_size=LISTED, page_token=last)


async def _register_worker(world: World) -> Step:
    await world.driver.register("worker-4")
    return lambda: world.driver.register("worker-4")


async def _heartbeat_worker(world: World) -> Step:
    return lambda: world.driver.heartbeat_worker()


async def _record_polls(world: World) -> Step:
    await register_suffix_worker(world.driver, STICKY_WORKER)
    return lambda: world.driver.record_polls(("default", STICKY_WORKER))


async def _deregister_worker(world: World) -> Step:
    await world.driver.register("worker-5")
    await world.task(worker="worker-5", priority=1)
    await world.activity(worker="worker-5", priority=1)
    return lambda: world.driver.deregister("worker-5")


async def _fire_due_timers(world: World) -> Step:
    return lambda: world.driver.fire_timers(BATCH)


async def _expire_leases(world: World) -> Step:
    return lambda: world.driver.expire_leases(BATCH)


async def _enforce_timeouts(world: World) -> Step:
    return lambda: world.driver.enforce_timeouts(BATCH)


async def _prune_receipts(world: World) -> Step:
    # Twenty times as many counts go.
    return lambda: world.driver.prune_receipts(43_200, BATCH // 4)


async def _probe_wakeups(world: World) -> Step:
    queues = ["main", "backlog", "idle"]
    return lambda: world.driver.probe(
        *([kind, "default", queue] for kind in ("workflow", "activity") for queue in queues)
    )


async def _read_sticky_metrics(world: World) -> Step:
    return world.driver.sticky_metrics


STEPS = {
    "start_run": _start_run,
    "claim_workflow_task": _claim_workflow_task,
    "claim_workflow_task of a task held for the worker": _claim_an_own_task,
    "claim_workflow_task of a sticky worker": _claim_as_a_sticky_worker,
    "claim_workflow_task from a backlog": _claim_from_a_backlog,
    "claim_workflow_task of an idle queue": _claim_nothing,
    "claim_activity_task": _claim_activity_task,
    "claim_activity_task from a backlog": _claim_activity_from_a_backlog,
    "claim_activity_task of an idle queue": _claim_no_activity,
    "read_history_page": _read_history_page,
    "heartbeat_workflow_task": _heartbeat_workflow_task,
    "complete_workflow_task": _complete_workflow_task,
    "complete_workflow_task that keeps the run": _complete_and_retain,
    "complete_workflow_task with polls": _complete_with_polls,
    "complete_workflow_task with polls repeated": _complete_with_polls_again,
    "complete_workflow_task at the end": _complete_at_the_end,
    "complete_workflow_task that continues as new": _continue_as_new,
    "fail_workflow_task": _fail_workflow_task,
    "release_workflow_task": _release_workflow_task,
    "heartbeat_activity": _heartbeat_activity,
    "complete_activity": _complete_activity,
    "complete_activity with a continuation and polls": _continue_with_polls,
    "complete_activity with a continuation and polls repeated": _continue_with_polls_again,
    "complete_activity with a continuation that is refused": _continue_in_vain,
    "fail_activity": _fail_activity,
    "release_activity_task": _release_activity_task,
    "signal_run": _signal_run,
    "signal_run of a run in a cache": _signal_a_run_in_a_cache,
    "signal_run while events are held": _signal_a_run_that_holds_events,
    "cancel_run": _cancel_run,
    "terminate_run": _terminate_run,
    "describe_run": _describe_run,
    "describe_run of a long chain": _describe_a_run_of_a_long_chain,
    "read_history": _read_history,
    "list_workflow_runs of a long chain": _list_the_runs_of_a_long_chain,
    "export_run of a long chain": _export_a_run_of_a_long_chain,
    "list_runs": _list_runs,
    "list_runs by status": _list_runs_by_status,
    "list_runs by type": _list_runs_by_type,
    "list_runs by type and status": _list_runs_by_type_and_status,
    "list_runs on a later page": _list_a_later_page,
    "register_worker": _register_worker,
    "heartbeat_worker": _heartbeat_worker,
    "record_polls": _record_polls,
    "deregister_worker": _deregister_worker,
    "fire_due_timers": _fire_due_timers,
    "expire_leases": _expire_leases,
    "enforce_timeouts": _enforce_timeouts,
    "prune_receipts": _prune_receipts,
    "probe_wakeups": _probe_wakeups,
    "read_sticky_metrics": _read_sticky_metrics,
}

_each_step = pytest.mark.parametrize("step", STEPS)


@contextmanager
def _world(engines: Engines, engine: str, size: Size, *, outgrown: bool = False) -> Iterator[World]:
    """A world of that size. When it is outgrown, statistics say that its tables are still empty."""
    with (
        engines.databases(engine).upgraded() as database,
        closing(connect(database.url)) as owner,
        asyncio.Runner() as runner,
    ):
        run_file(owner, (Path(__file__).parent / "mysql_load.sql").read_text(encoding="utf-8"))
        if outgrown:
            run_file(owner, "".join(f"ALTER TABLE {t} STATS_AUTO_RECALC = 0;\n" for t in tables(owner)))
        _load(owner, size)
        if not outgrown:
            run_file(owner, f"ANALYZE TABLE {', '.join(tables(owner))};")

        store = MysqlStore(database.app_url, pool_size=1)
        runner.run(_open(store))
        world = World(runner, store, owner, size)
        runner.run(world.driver.register())
        runner.run(world.driver.register(OTHER_WORKER, queue="backlog"))
        runner.run(world.driver.register("worker-3", queue="idle"))
        yield world
        runner.run(store.close())


def _load(owner: MysqlConnection, size: Size) -> None:
    run_file(
        owner,
        f"CALL test_load_finished({size.finished});\n"
        f"CALL test_load_waiting('later', {size.later}, UTC_TIMESTAMP(6) + INTERVAL 1 DAY);\n"
        f"CALL test_load_waiting('overdue', {size.overdue}, UTC_TIMESTAMP(6) - INTERVAL 1 MINUTE);\n"
        f"CALL test_load_backlog({size.backlog});\n"
        f"CALL test_load_held({size.held});\n"
        f"CALL test_load_counts({size.finished});\n"
        f"CALL test_load_inbox('later', {size.later});\n",
    )


async def _open(store: MysqlStore) -> None:
    """Open the store; its session counts rows that the engine would pass over on its own, too."""
    await store.open()
    async with store._connection() as connection, connection.cursor() as cursor:
        await cursor.execute("SET SESSION optimizer_switch = 'index_condition_pushdown=off'")


@pytest.fixture(scope="module")
def small(engines: Engines, engine: str) -> Iterator[World]:
    with _world(engines, engine, SMALL) as world:
        yield world


@pytest.fixture(scope="module")
def large(engines: Engines, engine: str) -> Iterator[World]:
    with _world(engines, engine, LARGE) as world:
        yield world


@pytest.fixture(scope="module")
def outgrown(engines: Engines, engine: str) -> Iterator[World]:
    with _world(engines, engine, LARGE, outgrown=True) as world:
        yield world


@pytest.mark.parametrize("step", [step for step in STEPS if step != "read_sticky_metrics"])
def test_a_call_reads_and_sorts_no_more_rows_when_there_are_many_more(
    small: World, large: World, step: str
) -> None:
    few, many = small.work_of(STEPS[step]), large.work_of(STEPS[step])
    assert many.read <= few.read
    assert many.sorted <= few.sorted


def test_metrics_read_no_more_than_what_a_cache_still_holds(small: World, large: World) -> None:
    """Of each held run its affinity, its registration and its task, and what is grouped of these."""
    few, many = (world.work_of(_read_sticky_metrics) for world in (small, large))
    assert many.read - few.read <= 5 * (LARGE.held - SMALL.held)


@pytest.mark.parametrize(
    "step",
    [
        "fire_due_timers",
        "expire_leases",
        "prune_receipts",
        "list_runs",
        "list_runs by status",
        "read_history",
        "read_history_page",
        "probe_wakeups",
    ],
)
def test_what_an_index_has_in_order_is_not_sorted(large: World, step: str) -> None:
    assert large.work_of(STEPS[step]).sorted == 0


@_each_step
def test_a_call_is_planned_well_while_statistics_say_that_tables_are_empty(
    large: World, outgrown: World, step: str
) -> None:
    known, unknown = large.work_of(STEPS[step]), outgrown.work_of(STEPS[step])
    assert unknown.read <= known.read
    assert unknown.sorted <= known.sorted


def test_every_transition_on_runs_is_looked_at() -> None:
    looked_at = {step.split()[0] for step in STEPS}
    assert looked_at == {transition.name for transition in TRANSITIONS} - {"read_schema_state"}
