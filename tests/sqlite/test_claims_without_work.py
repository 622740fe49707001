"""What finds nothing to write takes no lock: it is answered while somebody else has the lock of writers."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest

from byssus.store import transitions as t
from tests.engines.clock import Clock
from tests.transitions.driver import Driver

pytestmark = pytest.mark.engines("sqlite")


async def test_a_claim_of_an_empty_queue_takes_no_lock(driver: Driver, stranger: sqlite3.Connection) -> None:
    stranger.execute("begin immediate")
    assert (await driver.claim()).outcome == "empty"
    assert (await driver.claim_activity()).outcome == "empty"


async def test_an_unknown_worker_is_refused_all_the_same(
    driver: Driver, stranger: sqlite3.Connection
) -> None:
    stranger.execute("begin immediate")
    assert (await driver.claim("nobody")).outcome == "worker_not_registered"


async def test_a_repeated_claim_is_answered_without_a_lock(
    driver: Driver, stranger: sqlite3.Connection
) -> None:
    await driver.start()
    claimed = await driver.claim(poll_request_id="poll-1")
    stranger.execute("begin immediate")
    assert (await driver.claim(poll_request_id="poll-1")).text == claimed.text


async def test_that_a_sticky_worker_polls_is_noted_once_a_second(
    driver: Driver, clock: Clock, stranger: sqlite3.Connection
) -> None:
    def polling_until() -> Any:
        (until,) = stranger.execute("select polling_until from worker_liveness").fetchone()
        return until

    await driver.register(sticky_execution=True)
    assert polling_until() is None
    await driver.claim()
    noted = polling_until()
    assert noted == "2030-01-01T00:00:10.000000Z"

    clock.advance(0.9)
    stranger.execute("begin immediate")
    assert (await driver.claim()).outcome == "empty"
    assert (await driver.record_polls(("default", "worker-1"))).outcome == "recorded"
    stranger.execute("commit")
    assert polling_until() == noted

    clock.advance(0.1)
    await driver.claim()
    assert polling_until() == "2030-01-01T00:00:11.000000Z"


async def test_nothing_is_noted_of_a_worker_that_keeps_no_histories(
    driver: Driver, stranger: sqlite3.Connection
) -> None:
    stranger.execute("begin immediate")
    assert (await driver.record_polls(("default", "worker-1"))).outcome == "recorded"
    assert stranger.execute("select polling_until from worker_liveness").fetchone() == (None,)


async def test_nothing_is_noted_of_a_poll_while_sticky_execution_is_switched_off(
    driver: Driver, stranger: sqlite3.Connection
) -> None:
    await driver.register(sticky_execution=True)
    stranger.execute("begin immediate")
    assert (await driver.claim(sticky_execution=False)).outcome == "empty"


@pytest.mark.parametrize(
    "sweep", [t.FIRE_DUE_TIMERS, t.EXPIRE_LEASES, t.ENFORCE_TIMEOUTS], ids=lambda sweep: sweep.name
)
async def test_a_sweep_that_finds_nothing_takes_no_lock(
    sweep: t.Transition, driver: Driver, stranger: sqlite3.Connection
) -> None:
    stranger.execute("begin immediate")
    assert (await driver.call(sweep, batch_size=100))["count"] == 0
