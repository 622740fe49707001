from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta

from byssus.wakeups import Alarms, Found, QueueKey, Wakeups

KEY: QueueKey = ("workflow", "default", "q")


class Listener:
    """Notes its wakes, and lets a test wait for the next."""

    def __init__(self) -> None:
        self.wakes: list[bool] = []
        self.woken = asyncio.Event()

    def wake(self, *, local: bool) -> None:
        self.wakes.append(local)
        self.woken.set()


def wire(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def soon(seconds: float) -> str:
    return wire(datetime.now(UTC) + timedelta(seconds=seconds))


async def test_a_hint_wakes_the_queue_it_names_and_no_other() -> None:
    wakeups = Wakeups(None)
    listener, other = Listener(), Listener()
    wakeups.listen_to_queue(KEY, listener)
    wakeups.listen_to_queue(("activity", "default", "q"), other)
    wakeups.dispatch(json.dumps([["workflow", "default", "q"], ["workflow", "elsewhere", "q"]]))
    assert listener.wakes == [True]
    assert other.wakes == []


async def test_a_hint_for_later_wakes_later() -> None:
    wakeups = Wakeups(None)
    listener = Listener()
    wakeups.listen_to_queue(KEY, listener)
    due = datetime.now(UTC) + timedelta(seconds=0.05)
    wakeups.dispatch(json.dumps([[*KEY, wire(due)]]))
    assert listener.wakes == []
    await asyncio.wait_for(listener.woken.wait(), 5)
    assert datetime.now(UTC) >= due


async def test_a_hint_for_the_past_wakes_at_once() -> None:
    wakeups = Wakeups(None)
    listener = Listener()
    wakeups.listen_to_queue(KEY, listener)
    wakeups.dispatch(json.dumps([[*KEY, soon(-1)]]))
    assert listener.wakes == [True]


async def test_a_due_hint_calls_for_maintenance() -> None:
    wakeups = Wakeups(None)
    called = asyncio.Event()
    wakeups.on_due = called.set
    wakeups.dispatch(json.dumps([["due", soon(0.02)]]))
    assert not called.is_set()
    await asyncio.wait_for(called.wait(), 5)


async def test_a_run_wakes_all_who_watch_it() -> None:
    wakeups = Wakeups(None)
    first, second, other = wakeups.watch_run("r1", 3), wakeups.watch_run("r1", 2), wakeups.watch_run("r2", 1)
    wakeups.dispatch(json.dumps([["run", "r1"]]))
    assert first.is_set()
    assert second.is_set()
    assert not other.is_set()


async def test_a_sweep_asks_for_each_watched_run_once_and_wakes_all_who_watch_it() -> None:
    wakeups = Wakeups(None)
    first, second, other = wakeups.watch_run("r1", 3), wakeups.watch_run("r1", 2), wakeups.watch_run("r2", 1)
    assert wakeups.watched_runs() == [("r1", 2), ("r2", 1)]
    wakeups.sweep_found(Found(ready=[KEY], grown=["r1", "r9"]))
    assert first.is_set()
    assert second.is_set()
    assert not other.is_set()
    wakeups.forget_run("r1", second)
    assert wakeups.watched_runs() == [("r1", 3), ("r2", 1)]
    wakeups.forget_run("r1", first)
    assert wakeups.watched_runs() == [("r2", 1)]


async def test_alarms_ring_in_order_and_once_per_key_and_tick() -> None:
    rung: list[QueueKey | None] = []
    last = asyncio.Event()

    def ring(key: QueueKey | None) -> None:
        rung.append(key)
        if key is None:
            last.set()

    alarms = Alarms(ring)
    late, early = soon(0.08), soon(0.03)
    alarms.set(late, None)
    alarms.set(early, KEY)
    alarms.set(early, KEY)
    await asyncio.wait_for(last.wait(), 5)
    assert rung == [KEY, None]


async def test_an_alarm_beyond_the_horizon_is_left_to_the_sweeps() -> None:
    alarms = Alarms(lambda _: None)
    alarms.set(soon(3600), KEY)
    assert alarms.is_empty
    alarms.set(soon(30), KEY)
    assert not alarms.is_empty
    alarms.clear()
    assert alarms.is_empty
