"""The parts that a completion carries, each in a savepoint within that of its transition."""

from __future__ import annotations

import sqlite3

import pytest

from byssus.store import Store
from byssus.store.sqlite.store import SqliteStore
from tests.transitions.commands import schedule
from tests.transitions.driver import Driver
from tests.transitions.merged import begin_held, continuation, part, register_merging_worker

pytestmark = pytest.mark.engines("sqlite")

PARTS = ["workflow_poll", "activity_poll", "continuation"]


@pytest.fixture(autouse=True)
async def _worker(driver: Driver) -> None:
    await register_merging_worker(driver)


def _carried(driver: Driver, basis: int) -> dict[str, object]:
    return {
        "continuation": continuation(basis, schedule("ship")),
        "workflow_poll": driver.poll(),
        "activity_poll": driver.poll(),
    }


async def test_each_part_has_its_own_savepoint_which_ends_with_it(driver: Driver, store: Store) -> None:
    statements: list[str] = []
    _, activity, basis = await begin_held(driver)
    assert isinstance(store, SqliteStore)
    assert store._writer is not None
    store._writer._connection.set_trace_callback(statements.append)
    reply = await driver.complete_activity(activity, carried=_carried(driver, basis))
    assert part(reply, "continuation")["outcome"] == "applied"
    assert [text for text in statements if "savepoint" in text or text.startswith("release")] == [
        "savepoint transition",
        *["savepoint part", "release part"] * len(PARTS),
        "release transition",
    ]


@pytest.mark.parametrize(
    ("event", "row"),
    [
        ("update on workflow_tasks", "new.sticky_replay_mode = 'cold_replay'"),
        ("update on activities", "new.status = 'running'"),
        ("insert on activities", "new.activity_type = 'ship'"),
    ],
    ids=PARTS,
)
async def test_when_the_transaction_is_lost_in_a_part_the_completion_is_not_answered_as_done(
    driver: Driver, stranger: sqlite3.Connection, event: str, row: str
) -> None:
    _, activity, basis = await begin_held(driver, schedule(), schedule())
    await driver.start("order-2")
    carried = _carried(driver, basis)
    stranger.execute(
        f"create trigger fault before {event} when {row}"
        " begin select raise(rollback, 'the whole transaction is gone'); end"
    )
    with pytest.raises(sqlite3.IntegrityError, match="the whole transaction is gone"):
        await driver.complete_activity(activity, carried=carried)
    stranger.execute("drop trigger fault")

    closed = stranger.execute("select count(*) from activities where status = 'completed'").fetchone()
    assert closed == (0,)
    reply = await driver.complete_activity(activity, carried=carried)
    assert [part(reply, name) is not None for name in PARTS] == [True] * len(PARTS)


async def test_what_went_wrong_in_a_part_is_told_by_the_kind_of_its_error(
    driver: Driver, stranger: sqlite3.Connection
) -> None:
    _, activity, basis = await begin_held(driver)
    stranger.execute(
        "create trigger fault before insert on activities when new.activity_type = 'ship'"
        " begin select raise(abort, 'a fault in the middle'); end"
    )
    reply = await driver.complete_activity(
        activity, carried={"continuation": continuation(basis, schedule("ship"))}
    )
    stranger.execute("drop trigger fault")
    assert ["failed", "continuation", "IntegrityError"] in reply.hints
