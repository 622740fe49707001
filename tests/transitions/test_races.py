"""Two sessions at once, made deterministic: a rival keeps its transaction open until the other waits for it.

PostgreSQL only, since SQLite has one writer at a time; what is true of both stands at the end.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any

import psycopg
import pytest
from psycopg.rows import args_row

from byssus.store import Arguments, Notifier, connect
from byssus.store.answer import Answer
from byssus.store.errors import BackendLockPressure
from byssus.store.transitions import Transition
from tests.engines.clock import Clock
from tests.engines.databases import Database
from tests.transitions.commands import (
    complete_workflow,
    continue_as_new,
    envelope,
    group,
    schedule,
    timer,
    wait,
)
from tests.transitions.conftest import Dump
from tests.transitions.driver import HOLD_SECONDS, LEASE_SECONDS, Driver, Reply, workflow_task
from tests.transitions.merged import (
    begin_held,
    continuation,
    got_activity,
    got_task,
    part,
    register_merging_worker,
)
from tests.transitions.sticky import OTHER, boundaries, register_suffix_worker, retain, sticky_cache

Blocked = Callable[[Coroutine[Any, Any, Reply]], Awaitable["asyncio.Task[Reply]"]]

on_postgresql = pytest.mark.engines("postgresql")


class OpenTransaction:
    """A store whose calls belong to one transaction that stays open until `commit` or `rollback`."""

    engine = "postgresql"
    notifier: Notifier | None = None

    def __init__(self, connection: psycopg.AsyncConnection[tuple[object, ...]]) -> None:
        self._connection = connection

    async def open(self) -> None:
        """It is open."""

    async def close(self) -> None:
        """Disconnect."""
        await self._connection.close()

    async def call(self, transition: Transition, arguments: Arguments) -> list[Answer]:
        parameters = ", ".join(f"p_{name} => %s::{kind}" for name, kind in transition.parameters)
        values = [arguments[name] for name, _ in transition.parameters]
        statement = f"select outcome, body, hints from byssus.{transition.name}({parameters})"
        cursor = self._connection.cursor(row_factory=args_row(Answer))
        await cursor.execute(statement.encode(), values)
        return await cursor.fetchall()

    async def commit(self) -> None:
        await self._connection.commit()

    async def rollback(self) -> None:
        await self._connection.rollback()


class Rival(Driver):
    """Does its transitions in a transaction that is still open."""

    def __init__(self, transaction: OpenTransaction) -> None:
        super().__init__(transaction)
        self.commit = transaction.commit
        self.rollback = transaction.rollback

    def poll(self, worker: str = "worker-1", **members: Any) -> dict[str, Any]:
        return super().poll(worker, **{"poll_request_id": "rival", **members})


@pytest.fixture
async def rival(database: Database) -> AsyncIterator[Rival]:
    """Another session."""
    transaction = OpenTransaction(await psycopg.AsyncConnection.connect(database.app_url))
    yield Rival(transaction)
    await transaction.close()


@pytest.fixture
async def blocked(database: Database) -> AsyncIterator[Blocked]:
    """Starts a call, and comes back when it waits for another session's lock."""
    async with await psycopg.AsyncConnection.connect(database.url, autocommit=True) as observer:

        async def waiting() -> int:
            cursor = await observer.execute(
                "select count(*)::int from pg_stat_activity"
                " where datname = current_database() and wait_event_type = 'Lock'"
            )
            row = await cursor.fetchone()
            assert row is not None
            return int(row[0])

        async def start(call: Coroutine[Any, Any, Reply]) -> asyncio.Task[Reply]:
            before = await waiting()
            task = asyncio.create_task(call)
            async with asyncio.timeout(4):
                while await waiting() == before:
                    assert not task.done(), f"it did not wait: {task.result()}"
            return task

        yield start


# Starts


@on_postgresql
async def test_of_two_starts_of_one_id_the_second_is_refused(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    first = await rival.start()
    second = await blocked(driver.start())
    await rival.commit()
    assert (await second).outcome == "instance_already_started"
    assert (await second)["run_id"] == first["run_id"]


@on_postgresql
async def test_a_start_succeeds_when_the_one_before_it_is_rolled_back(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    await rival.start()
    second = await blocked(driver.start())
    await rival.rollback()
    assert (await second).outcome == "started_new"


@on_postgresql
async def test_of_two_starts_by_one_request_both_get_the_same_run(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    first = await rival.start(request_id="r1")
    second = await blocked(driver.start(request_id="r1"))
    await rival.commit()
    assert (await second).outcome == "started_new"
    assert (await second)["run_id"] == first["run_id"]


@on_postgresql
async def test_a_start_that_may_use_the_existing_run_gets_that_of_its_rival(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    first = await rival.start()
    second = await blocked(driver.start(policy="use-existing"))
    await rival.commit()
    assert (await second).outcome == "returned_existing_active"
    assert (await second)["run_id"] == first["run_id"]


# Claims


@on_postgresql
async def test_of_two_claims_of_one_task_one_gets_it_and_neither_waits(driver: Driver, rival: Rival) -> None:
    await driver.start()
    await rival.claimed()
    assert (await driver.claim()).outcome == "empty"
    await rival.commit()


@on_postgresql
async def test_of_two_claims_of_two_tasks_each_gets_one(driver: Driver, rival: Rival) -> None:
    await driver.start()
    await driver.start("order-2")
    first = await rival.claimed()
    second = await driver.claimed()
    assert first.task_id != second.task_id
    await rival.commit()


@on_postgresql
async def test_of_two_claims_of_one_activity_one_gets_it_and_neither_waits(
    driver: Driver, rival: Rival
) -> None:
    await driver.begin(schedule())
    await rival.claimed_activity()
    assert (await driver.claim_activity()).outcome == "empty"
    await rival.commit()


@on_postgresql
async def test_a_claim_skips_a_run_that_somebody_holds(driver: Driver, rival: Rival, clock: Clock) -> None:
    await driver.start("held")
    clock.advance(1)
    await driver.start("free")
    await rival.signal(workflow_id="held")
    assert (await driver.claimed()).body["workflow_id"] == "free"
    assert (await driver.claim()).outcome == "empty"
    await rival.commit()
    assert (await driver.claimed()).body["workflow_id"] == "held"


@on_postgresql
async def test_a_claim_that_was_rolled_back_leaves_the_task_to_others(driver: Driver, rival: Rival) -> None:
    await driver.start()
    await rival.claimed()
    await rival.rollback()
    assert (await driver.claimed()).attempt == 1


# Registrations


@on_postgresql
async def test_a_claim_waits_for_a_registration_and_then_goes_by_it(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    await driver.start()
    await rival.register(workflow_types=("refund",))
    claim = await blocked(driver.claim())
    await rival.commit()
    assert (await claim).outcome == "empty"


@on_postgresql
async def test_a_claim_behind_a_deregistration_is_refused(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    await driver.begin(schedule())
    await driver.start("order-2")
    await rival.deregister()
    claim = await blocked(driver.claim())
    activity = await blocked(driver.claim_activity())
    await rival.commit()
    assert (await claim).outcome == (await activity).outcome == "worker_not_registered"


@on_postgresql
async def test_a_registration_behind_a_claim_lets_its_lease_run_out(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    await driver.start()
    task = await rival.claimed()
    registration = await blocked(driver.register())
    await rival.commit()
    assert (await registration).outcome == "registered"
    assert (await driver.complete(task, wait())).outcome == "lease_expired"


@on_postgresql
async def test_two_first_registrations_of_one_id_follow_each_other(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    first = await rival.register("new")
    second = await blocked(driver.register("new"))
    await rival.commit()
    assert (await second).outcome == "registered"
    lost = await driver.deregister("new", token=first["registration_token"])
    assert lost.outcome == "worker_registration_lost_authority"
    token = (await second)["registration_token"]
    assert (await driver.deregister("new", token=token)).outcome == "deregistered"


# Workflow tasks


@on_postgresql
async def test_a_signal_behind_a_completion_is_recorded_after_it(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    await driver.start()
    task = await driver.claimed()
    await rival.complete(task, wait())
    signal = await blocked(driver.signal())
    await rival.commit()
    assert (await signal).outcome == "signal_received"
    assert ["workflow", "default", "main"] in (await signal).hints
    assert (await driver.claimed()).event_types[1:] == ["ConditionWaitOpened", "SignalReceived"]


@on_postgresql
async def test_a_completion_behind_a_signal_takes_it_along(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    await driver.start()
    task = await driver.claimed()
    await rival.signal()
    completion = await blocked(driver.complete(task, wait()))
    await rival.commit()
    assert (await completion).outcome == "completed"
    assert (await driver.claimed()).event_types[1:] == ["ConditionWaitOpened", "SignalReceived"]


@on_postgresql
async def test_a_completion_behind_a_cancellation_is_refused(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    await driver.start()
    task = await driver.claimed()
    await rival.cancel()
    completion = await blocked(driver.complete(task, schedule()))
    await rival.commit()
    assert (await completion).outcome == "run_closed"
    assert (await completion)["cancel_requested"] is True


@on_postgresql
async def test_a_completion_behind_a_cancellation_that_was_rolled_back_is_taken(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    await driver.start()
    task = await driver.claimed()
    await rival.cancel()
    completion = await blocked(driver.complete(task, schedule()))
    await rival.rollback()
    assert (await completion).outcome == "completed"


@on_postgresql
async def test_a_cancellation_behind_a_completion_cancels_what_it_scheduled(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    await driver.start()
    task = await driver.claimed()
    await rival.complete(task, schedule())
    cancellation = await blocked(driver.cancel())
    await rival.commit()
    assert (await cancellation).outcome == "cancelled"
    assert (await driver.types(task.run_id))[1:] == [
        "ActivityScheduled",
        "CancelRequested",
        "ActivityCancelled",
        "WorkflowCancelled",
    ]


@on_postgresql
async def test_a_cancellation_behind_the_end_of_the_workflow_is_refused(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    await driver.start()
    task = await driver.claimed()
    await rival.complete(task, complete_workflow())
    cancellation = await blocked(driver.cancel())
    await rival.commit()
    assert (await cancellation).outcome == "run_not_active"


@on_postgresql
async def test_of_two_equal_completions_the_second_gets_the_answer_of_the_first(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    await driver.start()
    task = await driver.claimed()
    first = await rival.complete(task, schedule())
    second = await blocked(driver.complete(task, schedule()))
    await rival.commit()
    assert (await second).text == first.text


@on_postgresql
async def test_a_completion_behind_the_expiry_of_its_lease_is_refused(
    driver: Driver, rival: Rival, blocked: Blocked, clock: Clock
) -> None:
    await driver.start()
    task = await driver.claimed()
    clock.advance(LEASE_SECONDS)
    assert (await rival.expire_leases())["count"] == 1
    completion = await blocked(driver.complete(task, schedule()))
    await rival.commit()
    assert (await completion).outcome == "task_not_leased"


@on_postgresql
async def test_the_expiry_of_leases_passes_over_a_completion_under_way(
    driver: Driver, rival: Rival, clock: Clock
) -> None:
    await driver.start()
    task = await driver.claimed()
    clock.advance(LEASE_SECONDS - 1)
    await rival.complete(task, schedule())
    clock.advance(1)
    assert (await driver.expire_leases())["count"] == 0
    await rival.commit()
    assert (await driver.expire_leases())["count"] == 0


@on_postgresql
async def test_timers_pass_over_a_run_that_somebody_holds(driver: Driver, rival: Rival, clock: Clock) -> None:
    await driver.begin(timer(5))
    clock.advance(5)
    await rival.signal()
    assert (await driver.fire_timers())["count"] == 0
    await rival.commit()
    assert (await driver.fire_timers())["count"] == 1


@on_postgresql
async def test_deadlines_pass_over_a_run_that_somebody_holds(
    driver: Driver, rival: Rival, clock: Clock
) -> None:
    await driver.start(run_timeout_seconds=5)
    await rival.signal()
    clock.advance(5)
    assert (await driver.enforce_timeouts())["count"] == 0
    await rival.commit()
    assert (await driver.enforce_timeouts())["count"] == 1


# Continue as new


@on_postgresql
async def test_a_signal_behind_continue_as_new_follows_to_the_new_run(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    await driver.start()
    task = await driver.claimed()
    await rival.complete(task, continue_as_new())
    signal = await blocked(driver.signal())
    await rival.commit()
    assert (await signal).outcome == "signal_received"
    new_id = (await driver.describe())["run_id"]
    assert (await signal)["run_id"] == new_id != task.run_id
    await driver.advance(wait())
    assert (await driver.types(new_id))[-1] == "SignalReceived"


@on_postgresql
async def test_a_cancellation_behind_continue_as_new_follows_to_the_new_run(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    await driver.start()
    task = await driver.claimed()
    await rival.complete(task, continue_as_new())
    cancellation = await blocked(driver.cancel())
    await rival.commit()
    assert (await cancellation).outcome == "cancelled"
    assert (await cancellation)["run_id"] != task.run_id


@on_postgresql
async def test_a_signal_that_names_the_run_does_not_follow(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    await driver.start()
    task = await driver.claimed()
    await rival.complete(task, continue_as_new())
    signal = await blocked(driver.signal(run_id=task.run_id))
    await rival.commit()
    assert (await signal).outcome == "historical_run_command_rejected"


@on_postgresql
async def test_continue_as_new_behind_a_signal_takes_it_along(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    await driver.start()
    task = await driver.claimed()
    await rival.signal()
    completion = await blocked(driver.complete(task, continue_as_new()))
    await rival.commit()
    assert (await completion).outcome == "completed"
    await driver.advance(wait())
    new_id = (await driver.describe())["run_id"]
    assert (await driver.types(new_id))[-1] == "SignalReceived"


# Signals


@on_postgresql
async def test_of_two_signals_by_one_request_one_is_recorded(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    run_id = await driver.begin(wait())
    first = await rival.signal(request_id="r1")
    second = await blocked(driver.signal(request_id="r1"))
    await rival.commit()
    assert (await second).text == first.text
    assert len(await driver.events(run_id, "SignalReceived")) == 1


@on_postgresql
async def test_a_signal_behind_a_cancellation_is_refused(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    await driver.begin(wait())
    await rival.cancel()
    signal = await blocked(driver.signal())
    await rival.commit()
    assert (await signal).outcome == "run_not_active"


# Activities


@on_postgresql
async def test_of_two_equal_results_the_second_gets_the_answer_of_the_first(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    run_id = await driver.begin(schedule())
    task = await driver.claimed_activity()
    first = await rival.complete_activity(task)
    same = await blocked(driver.complete_activity(task))
    other = await blocked(driver.complete_activity(task, envelope("another")))
    await rival.commit()
    assert (await same).text == first.text
    assert (await other).outcome == "conflicting_completion"
    assert len(await driver.events(run_id, "ActivityCompleted")) == 1


@on_postgresql
async def test_a_result_behind_a_cancellation_is_refused(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    await driver.begin(schedule())
    task = await driver.claimed_activity()
    await rival.cancel()
    result = await blocked(driver.complete_activity(task))
    heartbeat = await blocked(driver.heartbeat_activity(task))
    await rival.commit()
    assert (await result).outcome == (await heartbeat).outcome == "run_cancelled"


@on_postgresql
async def test_a_cancellation_behind_a_result_comes_after_it(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    run_id = await driver.begin(schedule())
    await rival.complete_activity(await driver.claimed_activity())
    cancellation = await blocked(driver.cancel())
    await rival.commit()
    assert (await cancellation).outcome == "cancelled"
    assert (await driver.types(run_id))[2:] == ["ActivityCompleted", "CancelRequested", "WorkflowCancelled"]


@on_postgresql
async def test_a_cancellation_behind_a_claim_names_the_attempt(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    run_id = await driver.begin(schedule())
    task = await rival.claimed_activity()
    cancellation = await blocked(driver.cancel())
    await rival.commit()
    assert (await cancellation).outcome == "cancelled"
    (event,) = await driver.events(run_id, "ActivityCancelled")
    assert event["activity_attempt_id"] == task.attempt_id
    assert (await driver.heartbeat_activity(task)).outcome == "run_cancelled"


@on_postgresql
async def test_a_claim_does_not_wait_for_a_cancellation(driver: Driver, rival: Rival) -> None:
    await driver.begin(schedule())
    await rival.cancel()
    assert (await driver.claim_activity()).outcome == "empty"
    await rival.commit()


@on_postgresql
async def test_the_last_two_leaves_of_a_group_wake_the_run_once(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    await driver.begin(*group(schedule(), schedule(), base=1))
    first, second = [await driver.claimed_activity() for _ in range(2)]
    await rival.complete_activity(first)
    result = await blocked(driver.complete_activity(second))
    await rival.commit()
    assert ["workflow", "default", "main"] in (await result).hints
    assert (await driver.claimed()).event_types[-2:] == ["ActivityCompleted", "ActivityCompleted"]
    assert (await driver.claim()).outcome == "empty"


# Sticky execution


@on_postgresql
async def test_a_claim_behind_a_registration_of_its_worker_replays_cold(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    await _held_run(driver)
    await register_suffix_worker(rival)
    claim = await blocked(driver.claim())
    await rival.commit()
    assert boundaries(workflow_task(await claim)) == ("forced_cold_replay", 0, 3, [1, 2, 3])


@on_postgresql
async def test_a_registration_behind_a_claim_ends_the_affinity(
    driver: Driver, rival: Rival, blocked: Blocked, clock: Clock
) -> None:
    await _held_run(driver)
    task = await rival.claimed()
    assert boundaries(task) == ("sticky_hit_expected", 1, 3, [2, 3])
    registration = await blocked(driver.register(sticky_execution=True, sticky_history_suffix=True))
    await rival.commit()
    assert (await registration).outcome == "registered"
    late = await driver.complete(task, wait("b"), sticky=sticky_cache(task, 3))
    assert late.outcome == "lease_expired"
    await driver.expire_leases()
    assert boundaries(await driver.claimed()) == ("forced_cold_replay", 0, 3, [1, 2, 3])


@on_postgresql
async def test_a_claim_passes_over_a_signal_under_way_and_then_delivers_it(
    driver: Driver, rival: Rival
) -> None:
    await register_suffix_worker(driver)
    await driver.start()
    await retain(driver, await driver.claimed(), wait())
    await rival.signal()
    assert (await driver.claim()).outcome == "empty"
    await rival.commit()
    assert boundaries(await driver.claimed()) == ("sticky_hit_expected", 1, 3, [2, 3])


@on_postgresql
async def test_a_signal_behind_a_claim_comes_with_the_next_suffix(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    await _held_run(driver)
    task = await rival.claimed()
    signal = await blocked(driver.signal("another"))
    await rival.commit()
    assert (await signal).outcome == "signal_received"
    assert len((await driver.read_page(task))["history_events"]) == 3
    await retain(driver, task, wait("b"))
    assert boundaries(await driver.claimed()) == ("sticky_hit_expected", 3, 6, [4, 5, 6])


@on_postgresql
async def test_a_completion_behind_the_expiry_of_its_lease_leaves_the_boundary(
    driver: Driver, rival: Rival, blocked: Blocked, clock: Clock
) -> None:
    await _held_run(driver)
    task = await driver.claimed()
    clock.advance(LEASE_SECONDS)
    assert (await rival.expire_leases())["count"] == 1
    completion = await blocked(driver.complete(task, wait("b"), sticky=sticky_cache(task, 3)))
    await rival.commit()
    assert (await completion).outcome == "task_not_leased"
    assert boundaries(await driver.claimed()) == ("sticky_hit_expected", 1, 3, [2, 3])


@on_postgresql
async def test_of_two_claims_of_a_task_whose_hold_is_over_one_gets_it(
    driver: Driver, rival: Rival, clock: Clock
) -> None:
    await register_suffix_worker(driver, OTHER)
    await _held_run(driver)
    clock.advance(HOLD_SECONDS)
    task = await rival.claimed(OTHER)
    assert task.body["sticky_replay_mode"] == "forced_cold_replay"
    assert (await driver.claim()).outcome == "empty"
    await rival.commit()


@on_postgresql
async def test_a_registration_waits_for_no_claim_of_what_was_held_for_it(
    driver: Driver, rival: Rival, clock: Clock
) -> None:
    await register_suffix_worker(driver, OTHER)
    await _held_run(driver)
    await rival.cancel()
    assert (await driver.register()).outcome == "registered"
    await rival.commit()


@on_postgresql
async def test_completions_of_one_worker_do_not_wait_for_each_other(driver: Driver, rival: Rival) -> None:
    await register_suffix_worker(driver)
    for workflow_id in ("order-1", "order-2"):
        await driver.start(workflow_id)
    first, second = [await driver.claimed() for _ in range(2)]
    await retain(rival, first, wait(), hit=1)
    await retain(driver, second, wait(), hit=2)
    await rival.commit()
    assert (await driver.sticky_metrics())["worker_hits"] == 1


@on_postgresql
async def test_claims_of_one_worker_do_not_wait_for_each_other(
    driver: Driver, rival: Rival, clock: Clock
) -> None:
    await register_suffix_worker(driver)
    for workflow_id in ("order-1", "order-2"):
        await driver.start(workflow_id)
    first, second = await rival.claimed(), await driver.claimed()
    assert first.task_id != second.task_id
    await rival.commit()
    assert (await driver.sticky_metrics())["cold_replay_last_minute"] == 2


async def _held_run(driver: Driver) -> None:
    await register_suffix_worker(driver)
    await driver.start()
    await retain(driver, await driver.claimed(), wait())
    await driver.signal()


# Contention that does not end


@on_postgresql
async def test_a_rival_that_never_lets_go_is_reported_as_pressure(
    driver: Driver, rival: Rival, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("byssus.store.postgresql.SESSION_OPTIONS", "-c lock_timeout=20ms")
    impatient = connect(database.app_url)
    await impatient.open()
    run_id = await driver.begin(wait())
    await rival.signal()
    with pytest.raises(BackendLockPressure):
        await Driver(impatient).signal()
    await rival.commit()
    assert len(await driver.events(run_id, "SignalReceived")) == 1
    await impatient.close()


# On every engine


async def test_of_many_claims_at_once_each_task_goes_to_one(driver: Driver) -> None:
    for number in range(8):
        await driver.start(f"order-{number}")
    replies = await asyncio.gather(*[driver.claim() for _ in range(8)])
    while len(claimed := _claimed(replies)) < 8:
        replies = [*replies, await driver.claim()]
    assert len(set(claimed)) == 8
    assert (await driver.claim()).outcome == "empty"


def _claimed(replies: list[Reply]) -> list[str]:
    return [reply["task"]["task_id"] for reply in replies if reply.outcome == "leased"]


async def test_of_many_starts_of_one_id_one_makes_the_run(driver: Driver) -> None:
    replies = await asyncio.gather(*[driver.start() for _ in range(8)])
    assert sorted(reply.outcome for reply in replies) == ["instance_already_started"] * 7 + ["started_new"]
    assert len({reply["run_id"] for reply in replies}) == 1


async def test_every_signal_that_was_acknowledged_is_in_history_once(driver: Driver) -> None:
    """Signals, completions and results of one run at once, and then a cancellation."""
    run_id = await driver.begin(schedule(), schedule(), wait())
    first, second, *_ = await asyncio.gather(
        _send_signals(driver), _send_signals(driver), _answer_activities(driver), _answer_tasks(driver)
    )
    await driver.cancel()
    history = await driver.history(run_id)
    known = [event["payload"]["signal_id"] for event in history if event["event_type"] == "SignalReceived"]
    held_to_the_end = {
        event["payload"]["signal_id"] for event in history if event["event_type"] == "SignalRejected"
    }
    assert set(known) | held_to_the_end == set(first + second)
    assert len(known) == len(set(known))
    assert [event["event_type"] for event in history].count("ActivityCompleted") == 2


async def _send_signals(driver: Driver) -> list[str]:
    replies = [await driver.signal() for _ in range(15)]
    assert {reply.outcome for reply in replies} == {"signal_received"}
    return [reply["signal_id"] for reply in replies]


async def _answer_activities(driver: Driver) -> None:
    for _ in range(2):
        await driver.complete_activity(await driver.claimed_activity())


async def _answer_tasks(driver: Driver) -> None:
    for _ in range(10):
        reply = await driver.claim()
        if reply.outcome == "leased":
            assert (await driver.complete(workflow_task(reply), wait())).outcome == "completed"


# Merged transitions: the registration of the worker is read once, and locked until the commit


@on_postgresql
@pytest.mark.parametrize("what", ["register", "deregister"])
async def test_a_merged_completion_behind_the_end_of_its_registration_is_fenced_off(
    driver: Driver, rival: Rival, blocked: Blocked, dump: Dump, what: str
) -> None:
    await register_merging_worker(driver)
    task, activity, basis = await begin_held(driver)
    carried = {
        "continuation": continuation(basis, schedule(), sticky=sticky_cache(task, basis)),
        "workflow_poll": driver.poll(),
        "activity_poll": driver.poll(),
    }
    await (register_merging_worker(rival) if what == "register" else rival.deregister())
    completion = await blocked(driver.complete_activity(activity, carried=carried))
    before = dump()
    await rival.commit()
    assert (await completion).outcome == "lease_expired"
    after = dump()
    assert after["history_events"] == before["history_events"]
    assert after["receipts"] == before["receipts"]


@on_postgresql
@pytest.mark.parametrize("what", ["register", "deregister"])
async def test_the_end_of_a_registration_behind_a_merged_completion_takes_what_that_claimed(
    driver: Driver, rival: Rival, blocked: Blocked, what: str
) -> None:
    await register_merging_worker(driver)
    task, activity, basis = await begin_held(driver)
    carried = {
        "continuation": continuation(basis, schedule(), sticky=sticky_cache(task, basis)),
        "activity_poll": driver.poll(),
    }
    merged = await rival.complete_activity(activity, carried=carried)
    assert part(merged, "continuation")["outcome"] == "applied"
    ended = await blocked(register_merging_worker(driver) if what == "register" else driver.deregister())
    await rival.commit()
    assert (await ended).outcome in ("registered", "deregistered")
    late = await driver.complete_activity(got_activity(merged))
    assert late.outcome == "lease_expired"
    assert (await driver.read_history(task.run_id))["events"][-1]["event_type"] == "ActivityScheduled"


@on_postgresql
async def test_a_continuation_behind_a_signal_finds_that_history_has_moved(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    await register_merging_worker(driver)
    _, activity, basis = await begin_held(driver)
    await rival.signal()
    completion = await blocked(
        driver.complete_activity(activity, carried={"continuation": continuation(basis, schedule())})
    )
    await rival.commit()
    assert part(await completion, "continuation") == {"outcome": "refused", "reason": "history_moved"}


@on_postgresql
async def test_a_signal_behind_a_continuation_comes_after_all_of_it(
    driver: Driver, rival: Rival, blocked: Blocked
) -> None:
    await register_merging_worker(driver)
    task, activity, basis = await begin_held(driver)
    merged = await rival.complete_activity(
        activity, carried={"continuation": continuation(basis, schedule())}
    )
    assert part(merged, "continuation")["history_last_sequence"] == 4
    signal = await blocked(driver.signal())
    await rival.commit()
    assert (await signal).outcome == "signal_received"
    types = [event["event_type"] for event in (await driver.read_history(task.run_id))["events"]]
    assert types[2:] == ["ActivityCompleted", "ActivityScheduled", "SignalReceived"]


@on_postgresql
async def test_a_carried_poll_waits_for_no_task_that_another_holds(driver: Driver, rival: Rival) -> None:
    await register_merging_worker(driver)
    await driver.start("order-1")
    task = await driver.claimed()
    await driver.start("order-2")
    await driver.register(OTHER)
    assert (await rival.claim(OTHER)).outcome == "leased"
    carried = {"workflow_poll": driver.poll()}
    merged = await driver.complete(task, timer(60), carried=carried)
    assert part(merged, "workflow_poll") == {"task": None, "poll_status": "empty"}


@on_postgresql
async def test_of_a_carried_poll_and_an_ordinary_one_one_gets_the_task(driver: Driver, rival: Rival) -> None:
    await register_merging_worker(driver)
    await driver.start("order-1")
    task = await driver.claimed()
    await driver.start("order-2")
    merged = await rival.complete(task, timer(60), carried={"workflow_poll": rival.poll()})
    assert got_task(merged).body["workflow_id"] == "order-2"
    assert (await driver.claim()).outcome == "empty"
    await rival.commit()
    assert (await driver.claim()).outcome == "empty"
