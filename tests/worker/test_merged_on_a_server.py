"""Workers whose completions carry what they would ask for next, on a server that takes it."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from typing import Any

import durable_workflow
import httpx
import pytest
from durable_workflow import Client, activity, workflow
from durable_workflow.client import WorkflowHandle
from durable_workflow.workflow import ActivityRetryPolicy, WorkflowContext

from byssus.worker import Worker, merged, turns
from tests.engines.server import Server
from tests.sdk.histories import of_type, types_of
from tests.sdk.rig import Rig, TaskLog, client_of
from tests.sdk.serving import Serve
from tests.sdk.waiting import until
from tests.worker.at_work import AtWork, at_work
from tests.worker.traffic import Document, Exchange, listen
from tests.worker.workloads import WORKFLOWS, Gate, Gated, Parallel, Sequential, Steps, double

SUPPORT = {"supported": True, "version": 1}
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")


async def comparable(rig: Rig, handle: WorkflowHandle) -> list[Document]:
    """A run's history without what differs between two runs that do the same."""
    assert handle.run_id is not None
    events = [
        {name: value for name, value in event.items() if name not in ("id", "recorded_at")}
        for event in await rig.history(handle)
    ]
    text = json.dumps(events).replace(handle.run_id, "RUN").replace(handle.workflow_id, "WORKFLOW")
    same: list[Document] = json.loads(MOMENT.sub("MOMENT", text))
    return same


def all_slots_are_returned(work: AtWork) -> bool:
    """Whether nothing takes a slot but the poll of each kind that waits."""
    worker = work.worker
    assert isinstance(worker, Worker)
    workflow_slots, activity_slots = worker._slots["workflow"], worker._slots["activity"]
    return (
        workflow_slots._value == worker.max_concurrent_workflow_tasks - 1
        and activity_slots._value == worker.max_concurrent_activity_tasks - 1
        and (workflow_slots._passed_on, activity_slots._passed_on) == (0, 0)
        and worker._workflow_reserved == 1
    )


def merged_metrics(work: AtWork) -> dict[str, Any]:
    assert isinstance(work.worker, Worker)
    return work.worker.merged_metrics()


async def test_a_sequence_of_activities_needs_a_third_of_the_requests(rig: Rig) -> None:
    async with at_work(rig) as plain:
        unmerged = await rig.start(Sequential, 5, 0)
        assert await rig.result(unmerged) == [0, 2, 4, 6, 8]
    async with at_work(rig, merged_transitions=True) as work:
        merged = await rig.start(Sequential, 5, 0)
        assert await rig.result(merged) == [0, 2, 4, 6, 8]
        await until(lambda: all_slots_are_returned(work), "all slots are returned")

    assert len(plain.traffic.about_tasks()) == 22
    assert len(work.traffic.about_tasks()) == 7
    assert await comparable(rig, merged) == await comparable(rig, unmerged)
    assert not plain.traffic.carries()
    assert merged_metrics(plain) == {
        "carried_workflow_polls": 0,
        "carried_workflow_tasks": 0,
        "carried_activity_polls": 0,
        "carried_activity_tasks": 0,
        "continuations_applied": 0,
        "continuations_refused": {},
    }
    assert merged_metrics(work) == {
        "carried_workflow_polls": 1,
        "carried_workflow_tasks": 0,
        "carried_activity_polls": 6,
        "carried_activity_tasks": 5,
        "continuations_applied": 5,
        "continuations_refused": {},
    }
    assert work.worker.sticky_cache_metrics()["entries"] == 0, "a run that ends is not kept"


async def test_now_and_then_a_slot_asks_for_whatever_waits(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("byssus.worker.merged.LONGEST_ROW", 3)
    async with at_work(rig, merged_transitions=True) as work:
        assert await rig.result(await rig.start(Sequential, 8, 0)) == [0, 2, 4, 6, 8, 10, 12, 14]
        metrics = work.worker.sticky_cache_metrics()
    continuations = [each.request.get("continuation") for each in work.traffic.activities_completed()]
    goes_on = [each and "history_after_sequence" in each["activity_poll"] for each in continuations]
    assert goes_on == [True, True, False, None] * 2
    assert merged_metrics(work)["continuations_applied"] == 6
    assert metrics["forced_cold_replay"] == 0


async def test_a_worker_opts_in_when_it_registers(rig: Rig) -> None:
    async with at_work(rig, merged_transitions=True, sticky_cache_capacity=0) as work:
        await until(lambda: bool(work.traffic.exchanges[1:]), "the worker has registered")
    registration = work.traffic.registration()
    assert registration["capabilities"][-1] == "merged_transitions"
    assert registration["capability_manifest"]["merged_transitions"] == SUPPORT
    assert "sticky_history_suffix" not in registration["capabilities"]


async def test_timers_and_activities_alternate(rig: Rig) -> None:
    async with at_work(rig, merged_transitions=True) as work:
        handle = await rig.start(Sequential, 3, 2)
        assert await rig.result(handle) == [0, 2, 4]
        metrics = work.worker.sticky_cache_metrics()
    assert merged_metrics(work)["continuations_applied"] == 3
    assert (metrics["hit"], metrics["miss"], metrics["forced_cold_replay"]) == (2, 1, 0)
    assert [each.after for each in work.traffic.deliveries()][1:] == [6, 9]


async def test_a_worker_of_activities_and_one_of_workflows(rig: Rig) -> None:
    async with (
        at_work(rig, activities=[], merged_transitions=True) as workflows,
        at_work(rig, workflows=[], sticky_cache_capacity=0, merged_transitions=True) as activities,
    ):
        handles = [await rig.start(Parallel, 6) for _ in range(3)]
        for handle in handles:
            assert await rig.result(handle) == 42
        await until(lambda: bool(activities.traffic.activities_completed()[20:]), "the last answer has come")
    assert len(activities.traffic.activities_completed()) == 21
    for each in activities.traffic.activities_completed():
        assert each.carried("activity_poll") is not None
        assert each.carried("workflow_poll") is each.carried("continuation") is None
    assert merged_metrics(activities)["carried_activity_tasks"] > 0
    assert merged_metrics(workflows)["carried_activity_polls"] == 0
    assert merged_metrics(workflows)["carried_workflow_polls"] == 3 * 3


async def test_without_a_cache_polls_are_carried_and_nothing_else(rig: Rig) -> None:
    async with at_work(rig, merged_transitions=True, sticky_cache_capacity=0) as work:
        handle = await rig.start(Sequential, 3, 0)
        assert await rig.result(handle) == [0, 2, 4]
    metrics = merged_metrics(work)
    assert (metrics["carried_workflow_tasks"], metrics["carried_activity_tasks"]) == (3, 3)
    assert metrics["continuations_applied"] == 0
    assert len(work.traffic.about_tasks()) == 8
    assert not any(
        "history_tail" in (each.answer.get("activity_poll") or {}) for each in work.traffic.exchanges
    )


class Flaky:
    """An activity that fails at its first attempt."""

    def __init__(self) -> None:
        @activity.defn(name="merged.flaky")
        def flaky() -> int:
            attempt = activity.context().info.attempt_number
            if attempt == 1:
                raise ValueError("the first attempt fails")
            return attempt

        self.activity = flaky


@workflow.defn(name="merged.retried")
class Retried:
    """A flaky activity between two others."""

    def run(self, ctx: WorkflowContext) -> Steps:
        """What they said."""
        first = yield ctx.schedule_activity("suffix.double", [1])
        retry = ActivityRetryPolicy(max_attempts=2, backoff_seconds=[0])
        attempt = yield ctx.schedule_activity("merged.flaky", [], retry_policy=retry)
        last = yield ctx.schedule_activity("suffix.double", [2])
        return [first, attempt, last]


async def test_the_result_of_a_retry_is_left_to_the_workflow_task(rig: Rig) -> None:
    async with at_work(rig, [Retried], [double, Flaky().activity], merged_transitions=True) as work:
        handle = await rig.start(Retried)
        assert await rig.result(handle) == [2, 2, 4]
    completed = work.traffic.activities_completed()
    assert [each.carried("continuation") is not None for each in completed] == [True, False, True]
    assert merged_metrics(work)["continuations_refused"] == {}
    assert "ActivityFailed" not in types_of(await rig.history(handle))


async def test_a_signal_that_comes_meanwhile_refuses_the_continuation(rig: Rig) -> None:
    gate = Gate()
    async with at_work(rig, activities=[gate.activity, double], merged_transitions=True) as work:
        handle = await rig.start(Gated, 2)
        await until(lambda: bool(work.traffic.deliveries()), "the workflow has begun")
        await until(lambda: merged_metrics(work)["carried_activity_tasks"] == 1, "the activity has begun")
        await handle.signal("note", args=["meanwhile"])
        await until(lambda: len(work.traffic.deliveries()) == 2, "the signal woke the workflow")
        await rig.recorded(handle, "SignalReceived")
        await until(lambda: work.worker._workflow_inflight == 0, "the workflow has been told")
        gate.opened.set()
        assert await rig.result(handle) == {"gate": "open", "doubles": [0, 2], "notes": ["meanwhile"]}
        metrics = work.worker.sticky_cache_metrics()

    gated = work.traffic.activities_completed()[0]
    assert gated.carried("continuation") == {"outcome": "refused", "reason": "history_moved"}
    assert merged_metrics(work)["continuations_refused"] == {"history_moved": 1}
    assert merged_metrics(work)["continuations_applied"] == 2
    assert metrics["forced_cold_replay"] == 0, "what is kept goes further than the server was told"
    assert metrics["hit"] == 2


async def test_parallel_activities_are_continued_by_a_workflow_task(rig: Rig) -> None:
    async with at_work(rig, merged_transitions=True) as work:
        handle = await rig.start(Parallel, 25)
        assert await rig.result(handle) == sum(range(0, 52, 2))
        await until(lambda: all_slots_are_returned(work), "all slots are returned")
    metrics = merged_metrics(work)
    assert metrics["continuations_applied"] == 1, "the activity that is alone"
    assert metrics["continuations_refused"] == {}
    assert metrics["carried_activity_tasks"] > 10
    assert len(work.traffic.about_tasks()) < 2 * 26


class Crowd:
    """An activity that knows how many run at a time."""

    def __init__(self) -> None:
        self.now = self.most = 0
        lock = threading.Lock()

        @activity.defn(name="suffix.double")
        def counted(value: int) -> int:
            with lock:
                self.now += 1
                self.most = max(self.most, self.now)
            threading.Event().wait(0.005)
            with lock:
                self.now -= 1
            return 2 * value

        self.activity = counted


@pytest.mark.parametrize("slots", [1, 3])
async def test_no_more_tasks_are_held_than_there_are_slots(rig: Rig, slots: int) -> None:
    crowd = Crowd()
    async with at_work(
        rig,
        activities=[crowd.activity],
        merged_transitions=True,
        max_concurrent_activity_tasks=slots,
        max_concurrent_workflow_tasks=slots,
    ) as work:
        handles = [await rig.start(Parallel, 8) for _ in range(3)]
        for handle in handles:
            assert await rig.result(handle) == 72
        await until(lambda: all_slots_are_returned(work), "all slots are returned")
    assert crowd.most <= slots
    held = most = 0
    for each in work.traffic.about_tasks():
        if each.path.startswith("/api/worker/activity-tasks/"):
            held -= not each.path.endswith("/poll")
            held += each.path.endswith("/poll") and each.answer["task"] is not None
        held += (each.answer.get("activity_poll") or {}).get("task") is not None
        most = max(most, held)
    assert most <= slots


@workflow.defn(name="merged.local")
class Local:
    """A local activity after another."""

    def run(self, ctx: WorkflowContext) -> Steps:
        """What they said."""
        first = yield ctx.schedule_activity("suffix.double", [1])
        second = yield ctx.local_activity("merged.counted", [first])
        third = yield ctx.schedule_activity("suffix.double", [second])
        return [first, second, third]


async def test_local_activities_are_left_to_the_workflow_task(rig: Rig) -> None:
    calls: list[int] = []

    @activity.defn(name="merged.counted")
    def counted(value: int) -> int:
        calls.append(value)
        return value + 1

    async with at_work(rig, [Local], [double, counted], merged_transitions=True) as work:
        assert await rig.result(await rig.start(Local)) == [2, 3, 6]
    assert calls == [2]
    completed = work.traffic.activities_completed()
    assert [each.carried("continuation") is not None for each in completed] == [False, True]
    assert completed[0].carried("workflow_poll") is not None


async def test_a_result_does_not_wait_for_workflow_code_that_takes_its_time(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(merged, "REHEARSAL_SECONDS", 0.05)
    has_thought = threading.Event()

    @workflow.defn(name="merged.pensive")
    class Pensive:
        def run(self, ctx: WorkflowContext) -> Steps:
            value = yield ctx.schedule_activity("suffix.double", [1])
            assert has_thought.wait(60)
            return value

    async with at_work(rig, [Pensive], merged_transitions=True) as work:
        handle = await rig.start(Pensive)
        await until(lambda: bool(work.traffic.activities_completed()), "the result is sent")
        (completed,) = work.traffic.activities_completed()
        assert completed.carried("continuation") is None
        has_thought.set()
        assert await rig.result(handle) == 2
        await until(partial(all_slots_are_returned, work), "all slots are returned")


async def test_nothing_is_rehearsed_without_a_slot_for_it(rig: Rig) -> None:
    async with at_work(rig, merged_transitions=True, max_concurrent_workflow_tasks=1) as work:
        assert await rig.result(await rig.start(Sequential, 3, 0)) == [0, 2, 4]
    assert merged_metrics(work)["continuations_applied"] == 0


async def test_interceptors_see_what_a_continuation_stands_for(rig: Rig) -> None:
    tasks = TaskLog()
    async with at_work(rig, merged_transitions=True, interceptors=[tasks]):
        handle = await rig.start(Sequential, 3, 0)
        assert await rig.result(handle) == [0, 2, 4]
    assert [task["task_id"] for task in tasks.tasks] == [f"{handle.run_id}:k{n}" for n in (1, 3, 5, 7)]
    assert [len(task["history_events"]) for task in tasks.tasks] == [1, 3, 5, 7]


@workflow.defn(name="merged.failing")
class Failing:
    """Fails by what an activity said."""

    def run(self, ctx: WorkflowContext) -> Steps:
        """Nothing."""
        value = yield ctx.schedule_activity("suffix.double", [1])
        raise ValueError(f"{value} is too much")


async def test_a_workflow_may_fail_by_a_continuation(rig: Rig) -> None:
    async with at_work(rig, [Failing], merged_transitions=True) as work:
        handle = await rig.start(Failing)
        (failed,) = await rig.recorded(handle, "WorkflowFailed")
    assert failed["payload"]["message"] == "2 is too much"
    assert merged_metrics(work)["continuations_applied"] == 1


@workflow.defn(name="merged.unreasonable")
class Unreasonable:
    """Asks for what the server refuses."""

    def run(self, ctx: WorkflowContext) -> Steps:
        """Nothing."""
        yield ctx.schedule_activity("suffix.double", [1])
        yield ctx.schedule_activity("x" * 300, [])


async def test_a_result_is_not_lost_with_a_continuation_that_is_not_valid(rig: Rig) -> None:
    async with at_work(rig, [Unreasonable], merged_transitions=True) as work:
        handle = await rig.start(Unreasonable)
        await rig.recorded(handle, "ActivityCompleted")
        await until(lambda: len(work.traffic.deliveries()) > 1, "the workflow task has come")
        await handle.terminate(reason="it will not do")
    refused, accepted = [each for each in work.traffic.exchanges if each.path.endswith(":a1/complete")]
    assert (refused.status, accepted.status) == (422, 200)
    assert set(refused.request) - set(accepted.request) == {"continuation"}


@contextmanager
def losing_the_first(part: str, client: Client) -> Iterator[list[Exchange]]:
    """Have the client lose the first answer in which a carried poll has brought a task."""
    lost: list[Exchange] = []

    def lose(exchange: Exchange) -> None:
        if not lost and (exchange.answer.get(part) or {}).get("task") is not None:
            lost.append(exchange)
            raise httpx.ReadError("the answer was lost")

    listen(client, lose)
    yield lost


@pytest.mark.parametrize("part", ["activity_poll", "workflow_poll"])
async def test_a_completion_whose_answer_was_lost_is_repeated_word_for_word(rig: Rig, part: str) -> None:
    capacity = 10 if part == "activity_poll" else 0
    async with at_work(rig, merged_transitions=True, sticky_cache_capacity=capacity) as work:
        with losing_the_first(part, work.worker.client) as lost:
            assert await rig.result(await rig.start(Sequential, 3, 0)) == [0, 2, 4]
        await until(lambda: all_slots_are_returned(work), "all slots are returned")
    (first,) = lost
    again = [each for each in work.traffic.exchanges if each.path == first.path][1:]
    assert [each.request for each in again] == [first.request]
    assert again[0].answer[part]["task"]["task_id"] == first.answer[part]["task"]["task_id"]


async def test_a_worker_that_stops_asks_for_nothing(rig: Rig) -> None:
    gate = Gate()
    async with at_work(rig, activities=[gate.activity, double], merged_transitions=True) as work:
        handle = await rig.start(Gated, 2)
        await until(lambda: merged_metrics(work)["carried_activity_tasks"] == 1, "the activity has begun")
        stopping = asyncio.create_task(work.worker.stop())
        await until(work.worker._stop.is_set, "the worker is stopping")
        gate.opened.set()
        await stopping
    (completed,) = work.traffic.activities_completed()
    assert not {"workflow_poll", "activity_poll", "continuation"} & set(completed.request)
    async with at_work(rig, merged_transitions=True):
        assert (await rig.result(handle))["doubles"] == [0, 2]


async def test_a_task_that_comes_to_a_stopping_worker_is_left_to_another(rig: Rig) -> None:
    async with at_work(rig, merged_transitions=True) as work:
        stopped: list[asyncio.Task[None]] = []

        def stop(exchange: Exchange) -> None:
            if not stopped and exchange.answer.get("continuation") is not None:
                work.worker._stop.set()
                stopped.append(asyncio.create_task(work.worker.stop()))

        listen(work.worker.client, stop)
        handle = await rig.start(Sequential, 3, 0)
        await until(lambda: bool(stopped), "the second activity has come")
        await stopped[0]
    (completed,) = work.traffic.activities_completed()
    dropped = completed.answer["activity_poll"]["task"]["task_id"]
    assert not any(dropped in each.path for each in work.traffic.exchanges)
    async with at_work(rig, merged_transitions=True):
        assert await rig.result(handle) == [0, 2, 4]
    attempts = [
        event["payload"]["attempt_number"]
        for event in of_type(await rig.history(handle), "ActivityCompleted")
    ]
    assert attempts == [1, 2, 1]


@pytest.fixture
async def short(serve: Serve) -> AsyncIterator[Rig]:
    """A server with short leases that keeps tasks for their worker for a second only."""
    server = serve(DW_STICKY_HOLD_SECONDS="1", DW_WORKFLOW_TASK_TIMEOUT="2", DW_ACTIVITY_TASK_TIMEOUT="2")
    async with client_of(server) as client:
        rig = Rig(server, client)
        yield rig
        await rig.check_replays()


async def test_another_worker_goes_on_where_one_was_dropped(short: Rig) -> None:
    gate = Gate()
    activities = [gate.activity, double]
    async with at_work(
        short, activities=activities, merged_transitions=True, shutdown_timeout=0.1
    ) as dropped:
        handles = [await short.start(Gated, 3) for _ in range(4)]
        await until(
            lambda: merged_metrics(dropped)["carried_activity_tasks"] >= 4, "all activities have begun"
        )
        await dropped.drop()
        gate.opened.set()
        async with at_work(short, activities=activities, merged_transitions=True) as heir:
            for handle in handles:
                assert (await short.result(handle))["doubles"] == [0, 2, 4]
    assert merged_metrics(dropped)["continuations_applied"] == 0
    assert merged_metrics(heir)["continuations_applied"] == 4 * 3


async def test_two_workers_share_runs(rig: Rig) -> None:
    async with (
        at_work(rig, merged_transitions=True) as left,
        at_work(rig, merged_transitions=True) as right,
        at_work(rig),
    ):
        handles = [await rig.start(Sequential, 5, 1) for _ in range(8)]
        handles += [await rig.start(Parallel, 5) for _ in range(4)]
        for handle in handles[:8]:
            assert await rig.result(handle) == [0, 2, 4, 6, 8]
        for handle in handles[8:]:
            assert await rig.result(handle) == 30
        for work in (left, right):
            await until(partial(all_slots_are_returned, work), "all slots are returned")


@workflow.defn(name="merged.locals")
class Locals:
    """Local activities, one after the other."""

    def run(self, ctx: WorkflowContext) -> Steps:
        """The last result."""
        first = yield ctx.local_activity("suffix.double", [1])
        second = yield ctx.local_activity("suffix.double", [first])
        return (yield ctx.local_activity("suffix.double", [second]))


def renewals(work: AtWork) -> int:
    return sum(exchange.path.endswith("/heartbeat") for exchange in work.traffic.about_tasks())


async def test_a_lease_that_was_there_a_moment_ago_is_not_renewed_for_a_local_activity(rig: Rig) -> None:
    async with at_work(rig, [Locals]) as plain:
        assert await rig.result(await rig.start(Locals)) == 8
    async with at_work(rig, [Locals], merged_transitions=True) as work:
        assert await rig.result(await rig.start(Locals)) == 8
    assert (renewals(plain), renewals(work)) == (3, 0)


@pytest.mark.parametrize(
    ("name", "value"), [("MOMENT_SECONDS", 0.0), ("LONG_LEASE", timedelta(days=1))], ids=["old", "short"]
)
async def test_a_lease_that_is_less_sure_is_renewed(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, name: str, value: object
) -> None:
    monkeypatch.setattr(turns, name, value)
    async with at_work(rig, [Locals], merged_transitions=True) as work:
        assert await rig.result(await rig.start(Locals)) == 8
    assert renewals(work) == 3


class Forgetful(Client):
    """A client of a server that knows nothing of merged transitions."""

    async def get_cluster_info(self) -> dict[str, Any]:
        info = await super().get_cluster_info()
        del info["worker_protocol"]["server_capabilities"]["merged_transitions"]
        return info


async def test_without_the_offer_nothing_is_carried(rig: Rig) -> None:
    def client(server: Server) -> Client:
        return Forgetful(server.url, worker_token=server.tokens["worker"])

    async with at_work(rig, client=client, merged_transitions=True) as work:
        assert await rig.result(await rig.start(Sequential, 3, 0)) == [0, 2, 4]
    assert "merged_transitions" not in work.traffic.registration()["capabilities"]
    assert not work.traffic.carries()
    assert len(work.traffic.about_tasks()) == 14


async def test_under_an_unknown_version_of_the_sdk_nothing_is_carried(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(durable_workflow, "__version__", "2.13.0")
    async with at_work(rig, merged_transitions=True) as work:
        assert await rig.result(await rig.start(Sequential, 2, 0)) == [0, 2]
    assert "merged_transitions" not in work.traffic.registration()["capabilities"]
    assert not work.traffic.carries()


async def test_a_worker_that_runs_until_a_workflow_ends_carries_nothing(rig: Rig) -> None:
    async with client_of(rig.server) as client:
        requests: list[Exchange] = []
        listen(client, requests.append)
        worker = Worker(client, task_queue=rig.queue, workflows=WORKFLOWS, activities=[double])
        handle = await rig.start(Sequential, 2, 0)
        await worker.run_until(workflow_id=handle.workflow_id, poll_interval=0.05)
    assert await rig.result(handle) == [0, 2]
    (registration,) = [each.request for each in requests if each.path == "/api/worker/register"]
    assert "merged_transitions" not in registration["capabilities"]
