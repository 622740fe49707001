"""Who is waiting for what, in this process and across processes.

Every transition answers with hints: what became possible through its commit. A hint wakes whoever waits for
that in this process; other processes learn of it through the store's notifier. Hints are only hints: losing
all of them costs latency, never work, because sweeps find what was missed.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol

import msgspec
import structlog

from byssus.store import Arguments, Notifier, Store
from byssus.store.answer import Answer
from byssus.store.transitions import Transition

QueueKey = tuple[str, str, str]
"""("workflow" | "activity", namespace, task queue)."""

AlarmKey = tuple[str, ...]
"""What an alarm rings for: a QueueKey, or one of these two."""

DUE: AlarmKey = ("due",)
HOLD_OVER: AlarmKey = ("hold_over",)

PUBLISH_DELAY_SECONDS = 0.01
ALARM_HORIZON_SECONDS = 60.0
_ALARM_GRAIN = 100

_log = structlog.get_logger()
_hints = msgspec.json.Decoder(list[list[str]])
_keys = msgspec.json.Decoder(list[str])


class Found(msgspec.Struct):
    """What a sweep found.

    `ready` are queues with something that any worker may claim, `held` queues each with a worker that
    something is held for, `grown` runs with a longer history than is known.
    """

    ready: list[QueueKey]
    held: list[tuple[str, str, str, str]]
    grown: list[str]


class QueueListener(Protocol):
    """Polls that are held for one queue."""

    def wake(self, *, local: bool) -> None:
        """Something may be there to claim; `local` when this process made it so."""

    def wake_worker(self, worker_id: str) -> bool:
        """Something may be held for this worker. Whether a poll of it waits here."""


class Wakeups:
    """The hub: hints come in, waiters wake."""

    def __init__(self, notifier: Notifier | None) -> None:
        self._notifier = notifier
        self._queues: dict[QueueKey, QueueListener] = {}
        self._runs: dict[str, dict[asyncio.Event, int]] = {}
        self._alarms = Alarms(self._ring)
        self._outgoing: set[str] = set()
        self._publisher: asyncio.Task[None] | None = None
        self.on_due: Callable[[], None] = lambda: None
        self.on_hold_over: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Listen to the other processes."""
        if self._notifier is not None:
            self._notifier.subscribe(self._heard)

    async def stop(self) -> None:
        """Send what is still to be sent, and ring no more."""
        self._alarms.clear()
        if self._publisher is not None:
            await self._publisher

    def dispatch(self, hints: str | None) -> None:
        """Act on the hints of an answer."""
        if hints is None:
            return
        for kind, *rest in _hints.decode(hints):
            if kind == "run":
                self._wake_run(rest[0])
                self.publish(("run", rest[0]))
            elif kind == "failed":
                _log.warning("carried_part_failed", part=rest[0], sqlstate=rest[1])
            elif kind == "due":
                self._alarms.set(rest[0], DUE)
            elif kind == "held":
                namespace, task_queue, worker_id, until = rest
                self._alarms.set(until, HOLD_OVER)
                if not self._wake_worker(("workflow", namespace, task_queue), worker_id):
                    self.publish((kind, *rest))
            elif len(rest) == 3:
                self._alarms.set(rest[2], (kind, rest[0], rest[1]))
            else:
                self._ring_queue((kind, rest[0], rest[1]))

    def publish(self, key: tuple[str, ...]) -> None:
        """Tell the other processes soon, together with whatever else there is to tell."""
        if self._notifier is None:
            return
        self._outgoing.add(msgspec.json.encode(key).decode())
        if self._publisher is None:
            self._publisher = asyncio.get_running_loop().create_task(self._publish_soon(self._notifier))

    def listen_to_queue(self, key: QueueKey, listener: QueueListener) -> None:
        """`listener` has waiters for this queue, until `forget_queue`."""
        self._queues[key] = listener

    def forget_queue(self, key: QueueKey) -> None:
        """Nobody waits for this queue any more."""
        del self._queues[key]

    def waiting_queues(self) -> list[QueueKey]:
        """The queues that somebody in this process waits for."""
        return list(self._queues)

    def watched_runs(self) -> list[tuple[str, int]]:
        """The runs that somebody in this process watches, with the least that is known of their history."""
        return [(run_id, min(known.values())) for run_id, known in self._runs.items()]

    def sweep_found(self, found: Found) -> None:
        """A sweep saw what local waiters wait for: wake them. Other processes sweep for themselves."""
        for key in found.ready:
            if (listener := self._queues.get(key)) is not None:
                listener.wake(local=False)
        for kind, namespace, task_queue, worker_id in found.held:
            self._wake_worker((kind, namespace, task_queue), worker_id)
        for run_id in found.grown:
            self._wake_run(run_id)

    def watch_run(self, run_id: str, known_sequence: int) -> asyncio.Event:
        """An event that is set when the run's history grows, until `forget_run`.

        `known_sequence` is the last of its history that the watcher knows.
        """
        event = asyncio.Event()
        self._runs.setdefault(run_id, {})[event] = known_sequence
        return event

    def forget_run(self, run_id: str, event: asyncio.Event) -> None:
        """The watcher of `watch_run` has gone."""
        known = self._runs[run_id]
        del known[event]
        if not known:
            del self._runs[run_id]

    def wake_all_runs(self) -> None:
        """Wake everybody who watches a run: the server is stopping."""
        for run_id in self._runs:
            self._wake_run(run_id)

    def _wake_run(self, run_id: str) -> None:
        for event in self._runs.get(run_id, ()):
            event.set()

    def _wake_worker(self, key: QueueKey, worker_id: str) -> bool:
        listener = self._queues.get(key)
        return listener is not None and listener.wake_worker(worker_id)

    def _ring(self, key: AlarmKey) -> None:
        if key == DUE:
            self.on_due()
        elif key == HOLD_OVER:
            self.on_hold_over()
        else:
            self._ring_queue((key[0], key[1], key[2]))

    def _ring_queue(self, key: QueueKey) -> None:
        if (listener := self._queues.get(key)) is not None:
            listener.wake(local=True)
        else:
            self.publish(key)

    def _heard(self, text: str) -> None:
        match _keys.decode(text):
            case ["run", run_id]:
                self._wake_run(run_id)
            case ["held", namespace, task_queue, worker_id, until]:
                self._alarms.set(until, HOLD_OVER)
                self._wake_worker(("workflow", namespace, task_queue), worker_id)
            case [kind, namespace, task_queue]:
                if (listener := self._queues.get((kind, namespace, task_queue))) is not None:
                    listener.wake(local=False)

    async def _publish_soon(self, notifier: Notifier) -> None:
        await asyncio.sleep(PUBLISH_DELAY_SECONDS)
        keys, self._outgoing, self._publisher = sorted(self._outgoing), set(), None
        try:
            await notifier.publish(keys)
        except Exception:
            _log.warning("hints_not_published", count=len(keys), exc_info=True)


class Alarms:
    """Rings for a key at a time, for times that are near; whatever is farther away is left to the sweeps."""

    def __init__(self, ring: Callable[[AlarmKey], None]) -> None:
        self._ring = ring
        self._heap: list[tuple[int, AlarmKey]] = []
        self._set: set[tuple[int, AlarmKey]] = set()
        self._handle: asyncio.TimerHandle | None = None
        self._rings_at = 0

    def set(self, time: str, key: AlarmKey) -> None:
        """Ring for `key` at `time` (RFC 3339); at once when that has passed."""
        delay = (datetime.fromisoformat(time) - datetime.now(UTC)).total_seconds()
        if delay <= 0:
            self._ring(key)
        elif delay <= ALARM_HORIZON_SECONDS:
            self._add(delay, key)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left to ring for."""
        return not self._heap

    def clear(self) -> None:
        """Forget all alarms."""
        self._heap.clear()
        self._set.clear()
        self._reset()

    def _add(self, delay: float, key: AlarmKey) -> None:
        # Rounded up to hundredths of a second, so that many alarms share a few ticks.
        tick = int((asyncio.get_running_loop().time() + delay) * _ALARM_GRAIN) + 1
        if (tick, key) in self._set:
            return
        self._set.add((tick, key))
        heapq.heappush(self._heap, (tick, key))
        if self._handle is None or tick < self._rings_at:
            self._reset()

    def _reset(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        if self._heap:
            self._rings_at = self._heap[0][0]
            self._handle = asyncio.get_running_loop().call_at(self._rings_at / _ALARM_GRAIN, self._ring_due)

    def _ring_due(self) -> None:
        self._handle = None
        while self._heap and self._heap[0][0] <= self._rings_at:
            tick, key = heapq.heappop(self._heap)
            self._set.discard((tick, key))
            self._ring(key)
        self._reset()


async def run_transition(
    store: Store, wakeups: Wakeups, transition: Transition, arguments: Arguments
) -> list[Answer]:
    """Run a transition and wake whoever its commit concerns."""
    answers = await store.call(transition, arguments)
    for answer in answers:
        wakeups.dispatch(answer.hints)
    return answers
