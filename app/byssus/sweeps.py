"""The net under lost wake-ups: asks the store now and then what this process waits for.

One query per interval, whatever the number of held polls; one more as soon as a hold on a sticky task is
over, and now and then one that tells the store which workers have a poll waiting.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec
import structlog

from byssus.pauses import set_within
from byssus.settings import Settings
from byssus.store import Arguments, Store
from byssus.store import transitions as t
from byssus.store.transitions import Transition
from byssus.wakeups import Found, Wakeups, run_transition

LEAST_PAUSE_SECONDS = 0.1

WaitingWorkers = Callable[[], list[tuple[str, str]]]
"""The (namespace, worker id) pairs with a poll for workflow tasks waiting in this process, in order."""

_log = structlog.get_logger()
_found = msgspec.json.Decoder(Found)
_encode = msgspec.json.Encoder().encode


class Sweeps:
    """The loop. Every process has its own."""

    def __init__(
        self, settings: Settings, store: Store, wakeups: Wakeups, waiting_workers: WaitingWorkers
    ) -> None:
        self._store = store
        self._wakeups = wakeups
        self._waiting_workers = waiting_workers
        self._hold_seconds = settings.sticky_hold_seconds
        self._polling_seconds = settings.sticky_poller_seconds
        self._records_polls = settings.sticky_execution_enabled
        self._interval = settings.sweep_interval_seconds
        self._record_at = 0.0
        self._hold_over = asyncio.Event()
        self._stopping = asyncio.Event()
        wakeups.on_hold_over = self._hold_over.set

    async def run(self) -> None:
        """Sweep until `stop`. A fault is logged, and the next round tries again."""
        while not self._stopping.is_set():
            await self._rest()
            if not self._stopping.is_set():
                self._hold_over.clear()
                await self._sweep_once()

    def stop(self) -> None:
        """Let the loop end after the sweep that it is in."""
        self._stopping.set()
        self._hold_over.set()

    async def _rest(self) -> None:
        """Wait for the next round: the interval, or until a hold is over, but a little at least."""
        pause = min(LEAST_PAUSE_SECONDS, self._interval)
        await set_within(self._stopping, pause)
        await set_within(self._hold_over, self._interval - pause)

    async def _sweep_once(self) -> None:
        try:
            await self._record_polls()
            await self._probe()
        except Exception:
            _log.warning("sweep_failed", exc_info=True)

    async def _probe(self) -> None:
        queues, runs = self._wakeups.waiting_queues(), self._wakeups.watched_runs()
        if queues or runs:
            asked: Arguments = {
                "queues": _text(queues),
                "runs": _text(runs),
                "hold_seconds": self._hold_seconds,
            }
            self._wakeups.sweep_found(_found.decode(await self._call(t.PROBE_WAKEUPS, asked)))

    async def _record_polls(self) -> None:
        """Let the store know whose polls wait, some times before it would forget them."""
        now = asyncio.get_running_loop().time()
        if not self._records_polls or now < self._record_at:
            return
        self._record_at = now + self._polling_seconds / 4
        if workers := self._waiting_workers():
            await self._call(
                t.RECORD_POLLS, {"polls": _text(workers), "polling_seconds": self._polling_seconds}
            )

    async def _call(self, transition: Transition, arguments: Arguments) -> str:
        [answer] = await run_transition(self._store, self._wakeups, transition, arguments)
        return answer.body


def _text(document: object) -> str:
    return _encode(document).decode()
