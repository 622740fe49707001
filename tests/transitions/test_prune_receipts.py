"""prune_receipts: answers are kept for as long as they may be asked for."""

from __future__ import annotations

from tests.engines.clock import Clock
from tests.transitions.commands import schedule, wait
from tests.transitions.conftest import Dump
from tests.transitions.driver import Driver


async def test_receipts_go_when_they_are_older_than_their_retention(
    driver: Driver, clock: Clock, dump: Dump
) -> None:
    await driver.begin(wait())
    await driver.signal(request_id="r1")
    clock.advance(600)
    assert (await driver.prune_receipts(600)).body == {"count": 0, "more": False}
    clock.advance(0.000001)
    swept = await driver.prune_receipts(600)
    assert swept.outcome == "swept"
    assert swept.body == {"count": 2, "more": False}
    assert dump()["receipts"] == []


async def test_a_pruned_completion_is_fenced_like_any_other(driver: Driver, clock: Clock) -> None:
    await driver.start()
    task = await driver.claimed()
    await driver.complete(task, schedule())
    clock.advance(601)
    await driver.prune_receipts(600)
    assert (await driver.complete(task, schedule())).outcome == "task_not_leased"


async def test_ended_registrations_go_too(driver: Driver, clock: Clock, dump: Dump) -> None:
    token = (await driver.register())["registration_token"]
    await driver.deregister(token=token)
    clock.advance(601)
    assert (await driver.prune_receipts(600))["count"] == 2
    assert dump()["worker_incarnations"] == []
    assert (await driver.deregister(token=token)).outcome == "worker_registration_token_not_found"


async def test_active_registrations_stay(driver: Driver, clock: Clock) -> None:
    token = (await driver.register())["registration_token"]
    clock.advance(1_000_000)
    await driver.prune_receipts(600)
    assert (await driver.deregister(token=token)).outcome == "deregistered"


async def test_a_batch_is_limited_and_says_whether_there_may_be_more(driver: Driver, clock: Clock) -> None:
    await driver.begin(wait())
    for number in range(4):
        await driver.signal(request_id=f"r{number}")
    clock.advance(601)
    assert (await driver.prune_receipts(600, batch_size=3)).body == {"count": 3, "more": True}
    assert (await driver.prune_receipts(600, batch_size=3)).body == {"count": 2, "more": False}


async def test_history_and_held_signals_stay(driver: Driver, clock: Clock) -> None:
    run_id = (await driver.start())["run_id"]
    await driver.signal(request_id="r1")
    clock.advance(601)
    await driver.prune_receipts(600)
    await driver.advance(wait())
    assert len(await driver.events(run_id, "SignalReceived")) == 1
