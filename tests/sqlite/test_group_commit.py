"""Transitions that wait for the writer are committed together, and each of them stands or falls alone."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Coroutine
from typing import Any

import pytest

from byssus.store import Store
from byssus.store.errors import BackendUnavailable
from byssus.store.sqlite.store import SqliteStore
from tests.transitions import commands as c
from tests.transitions.driver import Driver

pytestmark = pytest.mark.engines("sqlite")

Call = Coroutine[Any, Any, Any]


async def gathered_behind(stranger: sqlite3.Connection, *calls: Call) -> list[Any]:
    """Results of calls that are all queued while somebody else has the lock of writers."""
    stranger.execute("begin immediate")
    tasks = [asyncio.ensure_future(call) for call in calls]
    # One turn of the loop takes every call as far as the writer's queue.
    await asyncio.sleep(0)
    assert not any(task.done() for task in tasks)
    stranger.execute("commit")
    return await asyncio.gather(*tasks, return_exceptions=True)


def writing_connection(store: Store) -> sqlite3.Connection:
    assert isinstance(store, SqliteStore)
    assert store._writer is not None
    return store._writer._connection


async def test_transitions_that_wait_share_a_commit(
    driver: Driver, store: Store, stranger: sqlite3.Connection
) -> None:
    statements: list[str] = []
    writing_connection(store).set_trace_callback(statements.append)
    replies = await gathered_behind(stranger, *(driver.start(f"order-{i}") for i in range(30)))

    assert {reply.outcome for reply in replies} == {"started_new"}
    # The writer may have taken the first ones before the others came, and waited with them.
    assert 1 <= statements.count("commit") <= 2
    assert statements.count("savepoint transition") == 30


async def test_a_transition_sees_what_another_of_its_batch_has_done(
    driver: Driver, stranger: sqlite3.Connection
) -> None:
    replies = await gathered_behind(stranger, driver.start(), driver.start(), driver.claim(), driver.claim())
    assert [reply.outcome for reply in replies] == [
        "started_new",
        "instance_already_started",
        "leased",
        "empty",
    ]


async def test_whoever_is_answered_can_rely_on_the_commit(
    driver: Driver, stranger: sqlite3.Connection
) -> None:
    async def start_and_look(number: int) -> int:
        await driver.start(f"order-{number}")
        (found,) = stranger.execute(
            "select count(*) from runs where workflow_id = ?", (f"order-{number}",)
        ).fetchone()
        assert isinstance(found, int)
        return found

    assert await asyncio.gather(*(start_and_look(number) for number in range(40))) == [1] * 40


async def test_a_failing_transition_is_undone_alone_and_raises_to_its_caller_alone(
    driver: Driver, stranger: sqlite3.Connection
) -> None:
    stranger.execute(
        "create trigger fault before insert on history_events when new.wire like '%\"cursed\"%'"
        " begin select raise(abort, 'a fault in the middle'); end"
    )
    first, cursed, last = await gathered_behind(
        stranger, driver.start("order-1"), driver.start("cursed"), driver.start("order-2")
    )
    stranger.execute("drop trigger fault")

    assert (first.outcome, last.outcome) == ("started_new", "started_new")
    assert isinstance(cursed, sqlite3.IntegrityError)
    assert "a fault in the middle" in str(cursed)
    assert stranger.execute("select workflow_id from workflows order by 1").fetchall() == [
        ("order-1",),
        ("order-2",),
    ]
    assert stranger.execute("select workflow_id from runs order by 1").fetchall() == [
        ("order-1",),
        ("order-2",),
    ]


async def test_when_the_transaction_is_lost_none_of_its_transitions_is_answered_as_done(
    driver: Driver, stranger: sqlite3.Connection
) -> None:
    stranger.execute(
        "create trigger fault before insert on history_events when new.wire like '%\"cursed\"%'"
        " begin select raise(rollback, 'the whole transaction is gone'); end"
    )
    results = await gathered_behind(
        stranger, driver.start("order-1"), driver.start("cursed"), driver.start("order-2")
    )
    stranger.execute("drop trigger fault")

    recorded = {name for (name,) in stranger.execute("select workflow_id from runs")}
    names = ["order-1", "cursed", "order-2"]
    answered = {
        name for name, result in zip(names, results, strict=True) if not isinstance(result, Exception)
    }
    assert recorded == answered
    assert isinstance(results[1], sqlite3.IntegrityError)
    assert (await driver.start("cursed")).outcome == "started_new"


async def test_a_full_disk_is_an_unavailable_database_and_nothing_is_recorded(
    driver: Driver, store: Store, stranger: sqlite3.Connection
) -> None:
    connection = writing_connection(store)
    (pages,) = connection.execute("pragma page_count").fetchone()
    connection.execute(f"pragma max_page_count = {pages}")
    with pytest.raises(BackendUnavailable):
        await driver.start("big", input=c.envelope("A" * 1_000_000))
    assert stranger.execute("select count(*) from workflows").fetchone() == (0,)

    connection.execute("pragma max_page_count = 1000000")
    assert (await driver.start("big", input=c.envelope("A" * 1_000_000))).outcome == "started_new"
