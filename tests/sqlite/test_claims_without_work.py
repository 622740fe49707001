"""What finds nothing to write takes no lock: it is answered while somebody else has the lock of writers."""

from __future__ import annotations

import sqlite3

import pytest

from byssus.store import transitions as t
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


@pytest.mark.parametrize(
    "sweep", [t.FIRE_DUE_TIMERS, t.EXPIRE_LEASES, t.ENFORCE_TIMEOUTS], ids=lambda sweep: sweep.name
)
async def test_a_sweep_that_finds_nothing_takes_no_lock(
    sweep: t.Transition, driver: Driver, stranger: sqlite3.Connection
) -> None:
    stranger.execute("begin immediate")
    assert (await driver.call(sweep, batch_size=100))["count"] == 0
