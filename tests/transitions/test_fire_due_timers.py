"""fire_due_timers: timers whose time has come, each once."""

from __future__ import annotations

from byssus.store import transitions as t
from tests.engines.clock import Clock
from tests.transitions.commands import schedule, side_effect, timer, wait
from tests.transitions.driver import Driver


async def test_a_timer_fires_at_its_moment_and_wakes_the_run(driver: Driver, clock: Clock) -> None:
    run_id = await driver.begin(timer(5))
    clock.advance(4.999999)
    assert (await driver.fire_timers()).body == {"count": 0, "more": False}
    clock.advance(0.000001)
    swept = await driver.fire_timers()
    assert swept.outcome == "swept"
    assert swept.body == {"count": 1, "more": False}
    assert swept.hints == [["run", run_id], ["workflow", "default", "main"]]
    assert await driver.events(run_id, "TimerFired") == [
        {
            "sequence": 1,
            "timer_id": f"{run_id}:t1",
            "delay_seconds": 5,
            "fire_at": "2030-01-01T00:00:05.000000Z",
            "fired_at": "2030-01-01T00:00:05.000000Z",
        }
    ]
    assert (await driver.claimed()).event_types[-1] == "TimerFired"


async def test_a_timer_fires_once(driver: Driver) -> None:
    await driver.begin(timer(0))
    assert (await driver.fire_timers())["count"] == 1
    assert (await driver.fire_timers())["count"] == 0


async def test_a_late_timer_says_when_it_was_due_and_when_it_fired(driver: Driver, clock: Clock) -> None:
    run_id = await driver.begin(timer(5))
    clock.advance(60)
    await driver.fire_timers()
    (event,) = await driver.events(run_id, "TimerFired")
    assert event["fire_at"] == "2030-01-01T00:00:05.000000Z"
    assert event["fired_at"] == "2030-01-01T00:01:00.000000Z"


async def test_timers_fire_oldest_first(driver: Driver, clock: Clock) -> None:
    run_id = await driver.begin(timer(3), timer(1), timer(2))
    clock.advance(5)
    await driver.fire_timers()
    assert [event["sequence"] for event in await driver.events(run_id, "TimerFired")] == [2, 3, 1]


async def test_a_batch_is_limited_and_says_whether_there_may_be_more(driver: Driver) -> None:
    await driver.begin(timer(0), timer(0), timer(0))
    assert (await driver.fire_timers(batch_size=2)).body == {"count": 2, "more": True}
    assert (await driver.fire_timers(batch_size=2)).body == {"count": 1, "more": False}


async def test_timers_of_several_runs_fire_in_one_pass(driver: Driver) -> None:
    for workflow_id in ("a", "b", "c"):
        await driver.begin(timer(0), workflow_id=workflow_id)
    swept = await driver.fire_timers()
    assert swept["count"] == 3
    assert len([hint for hint in swept.hints if hint[0] == "run"]) == 3


async def test_nothing_due_gives_no_hints(driver: Driver) -> None:
    await driver.begin(timer(5), side_effect(), wait(), schedule())
    assert (await driver.fire_timers()).hints == []


async def test_timers_due_at_once_fire_in_the_order_of_their_runs(driver: Driver, clock: Clock) -> None:
    begin = clock.now
    clock.advance(10)
    later = await driver.begin(timer(10), workflow_id="later")
    clock.set(begin)
    earlier = await driver.begin(timer(20), workflow_id="earlier")
    clock.advance(20)
    assert ["run", earlier] in (await driver.fire_timers(batch_size=1)).hints
    assert ["run", later] in (await driver.fire_timers(batch_size=1)).hints


async def test_what_is_held_gives_no_hints(driver: Driver) -> None:
    await driver.begin(timer(0), timer(0), wait())
    await driver.signal()
    await driver.claimed()
    (answer,) = await driver.store.call(t.FIRE_DUE_TIMERS, {"batch_size": 100})
    assert (answer.body, answer.hints) == ('{"count":2,"more":false}', None)


async def test_a_very_long_timer_is_kept(driver: Driver, clock: Clock) -> None:
    run_id = await driver.begin(timer(100 * 366 * 24 * 3600))
    clock.advance(99 * 366 * 24 * 3600)
    assert (await driver.fire_timers())["count"] == 0
    clock.advance(366 * 24 * 3600)
    assert (await driver.fire_timers())["count"] == 1
    (event,) = await driver.events(run_id, "TimerFired")
    assert event["fire_at"].startswith("2130-")
