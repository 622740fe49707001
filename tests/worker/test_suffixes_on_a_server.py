"""Workers that ask for suffixes, on a server that offers them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import durable_workflow
import pytest
from durable_workflow import Client
from durable_workflow.client import WorkflowHandle

from byssus.worker import Worker
from tests.engines.server import Server
from tests.sdk.rig import Rig, client_of
from tests.sdk.serving import Serve
from tests.sdk.waiting import until
from tests.worker.at_work import AtWork, at_work
from tests.worker.traffic import Delivery, Document
from tests.worker.workloads import Gate, Gated, Parallel, Sequential, double

SUPPORT = {"supported": True, "version": 1}


def check_suffixes(deliveries: list[Delivery]) -> None:
    """Each suffix of a run begins after what the same worker said last that it keeps, and has no gap."""
    kept: int | None = None
    for delivery in deliveries:
        if delivery.after > 0:
            assert delivery.mode == "sticky_hit_expected"
            assert delivery.after == kept
        if not delivery.is_refetched:
            last = delivery.task["history_last_sequence"]
            assert delivery.sequences == list(range(delivery.after + 1, last + 1))
        if delivery.completion is not None:
            kept = delivery.boundary


async def answered(work: AtWork, times: int = 1) -> None:
    """Return once the worker has completed so many workflow tasks."""

    def are_completed() -> bool:
        return sum(each.completion is not None for each in work.traffic.deliveries()) >= times

    await until(are_completed, f"{times} workflow tasks completed")


async def delivered(rig: Rig, handle: WorkflowHandle) -> list[int]:
    """The sequences of a closed run's history that a worker can have got: all but the closing event."""
    return [event["sequence"] for event in (await rig.history(handle))[:-1]]


async def test_every_event_is_delivered_once(rig: Rig) -> None:
    async with at_work(rig) as work:
        handle = await rig.start(Sequential, 6, 2)
        assert await rig.result(handle) == [0, 2, 4, 6, 8, 10]
        assert work.worker.sticky_cache_metrics() == {
            "hit": 8,
            "miss": 1,
            "eviction": 0,
            "forced_cold_replay": 0,
            "entries": 0,
            "history_bytes": 0,
        }

    deliveries = work.traffic.deliveries()
    assert [each.mode for each in deliveries] == ["cold_replay"] + 8 * ["sticky_hit_expected"]
    assert [each.boundary for each in deliveries[:-1]] == [each.after for each in deliveries[1:]]
    assert deliveries[-1].boundary is None, "a run that ends is not kept"
    check_suffixes(deliveries)
    sequences = [sequence for each in deliveries for sequence in each.sequences]
    assert sequences == await delivered(rig, handle)
    assert not any(each.pages for each in deliveries)
    assert max(each.history_bytes for each in deliveries[1:]) < 2000


async def test_a_worker_opts_in_when_it_registers(rig: Rig) -> None:
    async with at_work(rig) as work:
        await until(lambda: bool(work.traffic.exchanges[1:]), "the worker has registered")
    registration = work.traffic.registration()
    assert registration["capabilities"][-2:] == ["sticky_execution", "sticky_history_suffix"]
    assert registration["capability_manifest"]["sticky_history_suffix"] == SUPPORT


async def test_a_suffix_may_have_several_pages(rig: Rig) -> None:
    async with at_work(rig) as work:
        handle = await rig.start(Parallel, 260)
        assert await rig.result(handle) == sum(range(0, 522, 2))

    deliveries = work.traffic.deliveries()
    check_suffixes(deliveries)
    assert [len(each.pages) for each in deliveries] == [0, 1, 0]
    sequences = [sequence for each in deliveries for sequence in each.sequences]
    assert sequences == await delivered(rig, handle)


async def test_a_task_without_news_for_the_workflow_leaves_what_is_kept_as_it_is(rig: Rig) -> None:
    gate = Gate()
    async with at_work(rig, activities=[gate.activity, double]) as work:
        handle = await rig.start(Gated, 1)
        await answered(work)
        await handle.signal("note", args=["while the gate is closed"])
        await until(lambda: len(work.traffic.deliveries()) == 2, "the signal woke the workflow")
        gate.opened.set()
        result = await rig.result(handle)

    assert result == {"gate": "open", "doubles": [0], "notes": ["while the gate is closed"]}
    first, acknowledged, after_gate, _ = deliveries = work.traffic.deliveries()
    assert acknowledged.completion is None
    assert first.boundary == acknowledged.after == after_gate.after
    assert after_gate.sequences[: len(acknowledged.sequences)] == acknowledged.sequences
    check_suffixes(deliveries)
    assert work.worker.sticky_cache_metrics()["forced_cold_replay"] == 0


async def test_what_was_evicted_is_read_again(rig: Rig) -> None:
    gate = Gate()
    async with at_work(rig, activities=[gate.activity, double], sticky_cache_capacity=1) as work:
        handles = [await rig.start(Gated, 3) for _ in range(3)]
        await answered(work, 3)
        gate.opened.set()
        for handle in handles:
            assert (await rig.result(handle))["doubles"] == [0, 2, 4]
        metrics = work.worker.sticky_cache_metrics()

    deliveries = work.traffic.deliveries()
    refetched = [each for each in deliveries if each.is_refetched]
    assert metrics["eviction"] >= 2
    assert metrics["forced_cold_replay"] == len(refetched) >= 2
    for each in refetched:
        inline = len(each.task["history_events"])
        assert each.sequences[inline:] == list(range(1, each.task["history_last_sequence"] + 1))
    for handle in handles:
        check_suffixes(work.traffic.deliveries(handle.run_id))


@pytest.fixture
async def hasty(serve: Serve) -> AsyncIterator[Rig]:
    """A server that keeps tasks for their worker for a second only."""
    server = serve(DW_STICKY_HOLD_SECONDS="1")
    async with client_of(server) as client:
        rig = Rig(server, client)
        yield rig
        await rig.check_replays()


async def test_another_worker_goes_on_where_one_was_dropped(hasty: Rig) -> None:
    gate = Gate()
    async with (
        at_work(hasty, workflows=[], activities=[gate.activity, double]),
        at_work(hasty, activities=[]) as dropped,
    ):
        handles = [await hasty.start(Gated, 3) for _ in range(4)]
        await answered(dropped, 4)
        async with at_work(hasty, activities=[]) as heir:
            await dropped.drop()
            gate.opened.set()
            for handle in handles:
                assert (await hasty.result(handle))["doubles"] == [0, 2, 4]

    for handle in handles:
        first, *rest = heir.traffic.deliveries(handle.run_id)
        assert (first.mode, first.after) == ("forced_cold_replay", 0)
        assert {each.mode for each in rest} == {"sticky_hit_expected"}
        assert all(each.after > 0 for each in rest)
        check_suffixes([first, *rest])


async def test_two_workers_share_runs(rig: Rig) -> None:
    async with at_work(rig) as left, at_work(rig) as right:
        handles = [await rig.start(Sequential, 5, 1) for _ in range(8)]
        for handle in handles:
            assert await rig.result(handle) == [0, 2, 4, 6, 8]

    for handle in handles:
        for work in (left, right):
            check_suffixes(work.traffic.deliveries(handle.run_id))


Tamper = Callable[[Document], None]


class Tampering(Client):
    """A client whose first suffix is not what the server sent."""

    tamper: Tamper | None

    async def poll_workflow_task(self, **request: Any) -> Any:
        task = await super().poll_workflow_task(**request)
        if task is not None and task["history_after_sequence"] > 0 and self.tamper is not None:
            self.tamper(task)
            self.tamper = None
        return task


def tampering(tamper: Tamper) -> Callable[[Server], Client]:
    """Makes the client of a server."""

    def client(server: Server) -> Client:
        own = Tampering(server.url, worker_token=server.tokens["worker"])
        own.tamper = tamper
        return own

    return client


def lose_the_first(task: Document) -> None:
    del task["history_events"][0]


def lose_the_last(task: Document) -> None:
    del task["history_events"][-1]


def lose_one_between(task: Document) -> None:
    del task["history_events"][1]


def swap_two(task: Document) -> None:
    task["history_events"][1:3] = reversed(task["history_events"][1:3])


def repeat_the_first(task: Document) -> None:
    task["history_events"].insert(0, task["history_events"][0])


def begin_earlier(task: Document) -> None:
    task["history_after_sequence"] -= 1


def begin_later(task: Document) -> None:
    task["history_after_sequence"] += 1
    del task["history_events"][0]


def lose_all(task: Document) -> None:
    task["history_events"].clear()


def name_a_page_that_is_none(task: Document) -> None:
    task["next_history_page_token"] = "no token"


def expect_nothing(task: Document) -> None:
    task["sticky_replay_mode"] = "cold_replay"


def say_nothing(task: Document) -> None:
    del task["history_after_sequence"], task["history_last_sequence"]


@pytest.mark.parametrize(
    "tamper",
    [
        lose_the_first,
        lose_the_last,
        lose_one_between,
        swap_two,
        lose_all,
        repeat_the_first,
        begin_earlier,
        begin_later,
        name_a_page_that_is_none,
        expect_nothing,
        say_nothing,
    ],
)
async def test_a_suffix_that_does_not_fit_is_read_again_from_the_beginning(rig: Rig, tamper: Tamper) -> None:
    async with at_work(rig, client=tampering(tamper)) as work:
        assert await rig.result(await rig.start(Parallel, 2)) == 6
        metrics = work.worker.sticky_cache_metrics()

    deliveries = work.traffic.deliveries()
    assert [each.is_refetched for each in deliveries] == [False, True, False]
    assert all(each.completion is not None for each in deliveries)
    assert (metrics["forced_cold_replay"], metrics["hit"]) == (1, 1)
    assert deliveries[2].after == deliveries[1].boundary, "what was read again is kept"


def promise_more(task: Document) -> None:
    task["history_last_sequence"] += 1


async def test_a_history_that_falls_short_of_what_was_announced_is_not_replayed(serve: Serve) -> None:
    server = serve(DW_WORKFLOW_TASK_TIMEOUT="1")
    async with client_of(server) as client:
        rig = Rig(server, client)
        async with at_work(rig, client=tampering(promise_more)) as work:
            assert await rig.result(await rig.start(Parallel, 2)) == 6
    _, left, again, _ = work.traffic.deliveries()
    assert left.is_refetched
    assert left.completion is None
    assert again.task["workflow_task_attempt"] > left.task["workflow_task_attempt"]
    assert again.completion is not None


class Forgetful(Client):
    """A client of a server that knows nothing of suffixes."""

    async def get_cluster_info(self) -> dict[str, Any]:
        info = await super().get_cluster_info()
        del info["worker_protocol"]["server_capabilities"]["sticky_history_suffix"]
        return info


async def test_without_the_offer_it_is_the_official_worker(rig: Rig) -> None:
    def client(server: Server) -> Client:
        return Forgetful(server.url, worker_token=server.tokens["worker"])

    async with at_work(rig, client=client) as work, at_work(rig, of=durable_workflow.Worker) as official:
        handles = [await rig.start(Sequential, 3, 0) for _ in range(4)]
        for handle in handles:
            assert await rig.result(handle) == [0, 2, 4]

    for name in ("capabilities", "capability_manifest"):
        assert work.traffic.registration()[name] == official.traffic.registration()[name]
    for each in [*work.traffic.deliveries(), *official.traffic.deliveries()]:
        assert "history_after_sequence" not in each.task
        assert each.sequences[0] == 1
        assert each.boundary is None


async def test_under_an_unknown_version_of_the_sdk_it_is_the_official_worker(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(durable_workflow, "__version__", "2.13.0")
    async with at_work(rig) as work:
        assert await rig.result(await rig.start(Sequential, 2, 0)) == [0, 2]
    assert "sticky_history_suffix" not in work.traffic.registration()["capabilities"]
    assert not any("history_after_sequence" in each.task for each in work.traffic.deliveries())


async def test_without_a_cache_it_is_the_official_worker(rig: Rig) -> None:
    async with at_work(rig, sticky_cache_capacity=0) as work:
        assert await rig.result(await rig.start(Sequential, 3, 0)) == [0, 2, 4]
    registration = work.traffic.registration()
    assert not {"sticky_execution", "sticky_history_suffix"} & set(registration["capabilities"])
    for each in work.traffic.deliveries():
        assert "history_after_sequence" not in each.task
        assert each.sequences[0] == 1


async def test_a_server_that_keeps_to_nobody_is_refused_as_the_official_worker_refuses_it(
    serve: Serve,
) -> None:
    server = serve(DW_V2_STICKY_EXECUTION_ENABLED="false")
    async with client_of(server) as client:
        rig = Rig(server, client)
        for worker_class in (Worker, durable_workflow.Worker):
            with pytest.raises(RuntimeError, match="advertised sticky_execution support"):
                async with at_work(rig, of=worker_class) as work:
                    await work.running
        async with at_work(rig, sticky_cache_capacity=0):
            assert await rig.result(await rig.start(Sequential, 2, 0)) == [0, 2]
