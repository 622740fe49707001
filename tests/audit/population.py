"""A sound database with runs in every state."""

from __future__ import annotations

from byssus.store import connect
from tests.engines.databases import Database
from tests.transitions import commands as c
from tests.transitions.driver import Driver
from tests.transitions.sticky import register_suffix_worker, retain

PAST = "2001-01-01T00:00:00.000000Z"


class Population:
    """The runs of a database, by name; of a chain `chain_1`, `chain_2` and `chain_3`."""

    def __init__(self) -> None:
        self.runs: dict[str, str] = {}


async def populate(database: Database, execute: object) -> Population:
    """Make runs in every state, over the store that a server would use; `execute` is past all transitions."""
    assert callable(execute)
    execute(f"insert into namespaces (name, description, created_at) values ('other', '', '{PAST}')")
    store = connect(database.app_url)
    await store.open()
    try:
        made = _Maker(Driver(store), execute)
        await made.everything()
        return made.population
    finally:
        await store.close()


class _Maker:
    def __init__(self, driver: Driver, execute: object) -> None:
        assert callable(execute)
        self.driver = driver
        self.execute = execute
        self.population = Population()

    async def everything(self) -> None:
        await self.workers()
        await self.completed()
        await self.closed_with_work_behind()
        await self.failed()
        await self.stopped()
        await self.timed_out()
        await self.chain()
        await self.busy()
        await self.leased()
        await self.sticky()
        await self.of_another_namespace()
        await self.pending()

    async def workers(self) -> None:
        driver = self.driver
        for worker in ("worker-1", "gone", "idle", "idle"):
            assert (await driver.register(worker)).outcome == "registered"
        assert (await driver.deregister("gone")).outcome == "deregistered"

    async def begin(self, name: str, *commands: c.Document, **start: object) -> str:
        run_id = await self.driver.begin(*commands, workflow_id=name, **start)
        self.population.runs[name] = run_id
        return run_id

    async def completed(self) -> None:
        driver = self.driver
        await self.begin(
            "done", c.schedule(max_attempts=2), c.timer(0), c.side_effect(), request_id="start-1"
        )
        await driver.fail_activity(await driver.claimed_activity())
        await driver.complete_activity(await driver.claimed_activity())
        await driver.fire_timers()
        await driver.signal(workflow_id="done", request_id="signal-1")
        await driver.advance(c.complete_workflow())

    async def closed_with_work_behind(self) -> None:
        """A worker closes the run while one activity is open and the result of another is held."""
        driver = self.driver
        await self.begin("left", c.schedule("charge"), c.schedule("ship"), c.schedule("charge"))
        first = await driver.claimed_activity()
        second = await driver.claimed_activity()
        await driver.complete_activity(first)
        task = await driver.claimed()
        await driver.complete_activity(second)
        await driver.complete(task, c.complete_workflow())

    async def failed(self) -> None:
        await self.begin("failed", c.wait("paid", timeout=3600))
        await self.driver.signal(workflow_id="failed")
        await self.driver.advance(c.fail_workflow())

    async def stopped(self) -> None:
        driver = self.driver
        await self.begin("cancelled", c.schedule(), c.timer(3600))
        await driver.claimed_activity()
        await driver.signal(workflow_id="cancelled")
        await driver.claimed()
        await driver.signal(workflow_id="cancelled")
        assert (await driver.cancel("cancelled", request_id="cancel-1")).outcome == "cancelled"
        self.population.runs["terminated"] = (await driver.start("terminated"))["run_id"]
        assert (await driver.terminate("terminated", request_id="end-1")).outcome == "terminated"

    async def timed_out(self) -> None:
        driver = self.driver
        run_id = await self.begin("timed_out", c.wait("paid"), run_timeout_seconds=3600)
        self.execute(f"update runs set run_deadline_at = '{PAST}' where run_id = '{run_id}'")
        assert (await driver.enforce_timeouts())["count"] == 1

    async def chain(self) -> None:
        driver = self.driver
        runs = self.population.runs
        runs["chain_1"] = (await driver.start("chain"))["run_id"]
        task = await driver.claimed()
        await driver.signal(workflow_id="chain")
        for number in (2, 3):
            await driver.complete(task, c.continue_as_new())
            runs[f"chain_{number}"] = (await driver.describe("chain"))["run_id"]
            task = await driver.claimed()
        await driver.complete(task, c.wait("more"))
        await driver.wait_for_history(await driver.claimed())

    async def busy(self) -> None:
        """Position 1: a retry that waits; 2: a running attempt; 3: a timer; 4: a wait with a timeout."""
        driver = self.driver
        await self.begin(
            "busy",
            c.schedule(max_attempts=3, backoff=(3600,)),
            c.schedule(),
            c.timer(3600),
            c.wait("paid", timeout=3600),
        )
        await driver.fail_activity(await driver.claimed_activity())
        await driver.claimed_activity()

    async def leased(self) -> None:
        """A signal, the result of an activity and a condition's timeout are held meanwhile."""
        driver = self.driver
        run_id = await self.begin("leased", c.schedule(), c.timer(0), c.wait("paid", timeout=3600))
        activity = await driver.claimed_activity()
        await driver.fire_timers()
        await driver.claimed()
        await driver.signal(workflow_id="leased")
        await driver.complete_activity(activity)
        self.execute(f"update timers set fire_at = '{PAST}' where run_id = '{run_id}'")
        assert (await driver.fire_timers())["count"] == 1

    async def sticky(self) -> None:
        """One run's task is ready, one is leased with a suffix, and one has no task."""
        driver = self.driver
        await register_suffix_worker(driver, "keeper")
        for name in ("kept", "kept_leased", "kept_ready"):
            self.population.runs[name] = (await driver.start(name))["run_id"]
            task = await driver.claimed("keeper")
            await retain(driver, task, c.wait("paid"))
        await driver.record_polls(("default", "keeper"))
        await driver.signal(workflow_id="kept_leased")
        task = await driver.claimed("keeper")
        assert task.body["history_after_sequence"] > 0
        await driver.signal(workflow_id="kept_ready")

    async def of_another_namespace(self) -> None:
        driver = self.driver
        await driver.register("worker-1", namespace="other")
        self.population.runs["other"] = (await driver.start("elsewhere", namespace="other"))["run_id"]

    async def pending(self) -> None:
        self.population.runs["pending"] = (await self.driver.start("pending"))["run_id"]
        await self.driver.signal(workflow_id="pending")
