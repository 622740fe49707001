from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from byssus.wakeups import DUE, AlarmKey, Alarms, Found, QueueKey, Wakeups

KEY: QueueKey = ("workflow", "default", "q")


class Listener:
    """Notes its wakes, and lets a test wait for the next."""

    def __init__(self) -> None:
        self.wakes: list[bool] = []
        self.workers: list[str] = []
        self.woken = asyncio.Event()

    def wake(self, *, local: bool) -> None:
        self.wakes.append(local)
        self.woken.set()

    def wake_worker(self, worker_id: str) -> bool:
        self.workers.append(worker_id)
        return worker_id.startswith("here")


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
    wakeups.sweep_found(Found(ready=[KEY], held=[], grown=["r1", "r9"]))
    assert first.is_set()
    assert second.is_set()
    assert not other.is_set()
    wakeups.forget_run("r1", second)
    assert wakeups.watched_runs() == [("r1", 3), ("r2", 1)]
    wakeups.forget_run("r1", first)
    assert wakeups.watched_runs() == [("r2", 1)]


async def test_alarms_ring_in_order_and_once_per_key_and_tick() -> None:
    rung: list[AlarmKey] = []
    last = asyncio.Event()

    def ring(key: AlarmKey) -> None:
        rung.append(key)
        if key == DUE:
            last.set()

    alarms = Alarms(ring)
    late, early = soon(0.08), soon(0.03)
    alarms.set(late, DUE)
    alarms.set(early, KEY)
    alarms.set(early, KEY)
    await asyncio.wait_for(last.wait(), 5)
    assert rung == [KEY, DUE]


async def test_an_alarm_beyond_the_horizon_is_left_to_the_sweeps() -> None:
    alarms = Alarms(lambda _: None)
    alarms.set(soon(3600), KEY)
    assert alarms.is_empty
    alarms.set(soon(30), KEY)
    assert not alarms.is_empty
    alarms.clear()
    assert alarms.is_empty


class Notes:
    """A notifier that keeps what it is to publish."""

    def __init__(self) -> None:
        self.published: list[str] = []

    def subscribe(self, heard: Callable[[str], None]) -> None:
        self.heard = heard

    async def publish(self, keys: list[str]) -> None:
        self.published += keys


async def test_a_hint_of_a_held_task_wakes_its_worker_alone() -> None:
    notes = Notes()
    wakeups = Wakeups(notes)
    listener = Listener()
    wakeups.listen_to_queue(KEY, listener)
    wakeups.dispatch(json.dumps([["held", "default", "q", "here", soon(60)]]))
    assert (listener.workers, listener.wakes) == (["here"], [])
    await wakeups.stop()
    assert notes.published == []


async def test_a_held_task_whose_worker_is_elsewhere_is_told_to_the_other_processes() -> None:
    notes = Notes()
    here, there = Wakeups(notes), Wakeups(notes)
    listener = Listener()
    there.listen_to_queue(KEY, listener)
    there.start()
    until = soon(60)
    here.dispatch(json.dumps([["held", "default", "q", "elsewhere", until]]))
    await here.stop()
    assert [json.loads(text) for text in notes.published] == [["held", "default", "q", "elsewhere", until]]
    notes.heard(notes.published[0])
    assert (listener.workers, listener.wakes) == (["elsewhere"], [])
    await there.stop()


async def test_the_end_of_a_hold_calls_for_a_sweep() -> None:
    wakeups = Wakeups(None)
    called = asyncio.Event()
    wakeups.on_hold_over = called.set
    wakeups.dispatch(json.dumps([["held", "default", "q", "here", soon(0.02)]]))
    assert not called.is_set()
    await asyncio.wait_for(called.wait(), 5)


async def test_a_sweep_wakes_the_workers_that_something_is_held_for() -> None:
    wakeups = Wakeups(None)
    listener = Listener()
    wakeups.listen_to_queue(KEY, listener)
    wakeups.sweep_found(Found(ready=[], held=[(*KEY, "here"), ("workflow", "default", "r", "w")], grown=[]))
    assert (listener.workers, listener.wakes) == (["here"], [])
