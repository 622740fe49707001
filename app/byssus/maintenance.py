"""Time passes: fires timers, expires leases, enforces timeouts and forgets old receipts.

Every server process runs this loop; the transitions share the work by row locks, so there is no leader.
"""

from __future__ import annotations

import asyncio
import time

import msgspec
import structlog

from byssus.pauses import set_within
from byssus.settings import Settings
from byssus.store import Arguments, Store
from byssus.store import transitions as t
from byssus.store.transitions import Transition
from byssus.wakeups import Wakeups, run_transition

BATCH_SIZE = 100
PRUNE_INTERVAL_SECONDS = 60.0
LEAST_PAUSE_SECONDS = 0.02
LONGEST_BACKOFF_SECONDS = 30.0

_log = structlog.get_logger()


class _Swept(msgspec.Struct):
    count: int
    more: bool


_swept = msgspec.json.Decoder(_Swept)


class Maintenance:
    """The loop. It runs at the earliest time that a hint names, and at least once per interval."""

    def __init__(self, settings: Settings, store: Store, wakeups: Wakeups) -> None:
        self._store = store
        self._wakeups = wakeups
        self._interval = settings.maintenance_interval_seconds
        self._receipt_seconds = settings.receipt_retention_seconds
        self._due = asyncio.Event()
        self._stopping = asyncio.Event()
        self._prune_at = 0.0
        wakeups.on_due = self._due.set

    async def run(self) -> None:
        """Sweep until `stop`. A fault is logged and tried again later; it never ends the loop."""
        faults = 0
        while not self._stopping.is_set():
            self._due.clear()
            try:
                await self._sweep_all()
                faults = 0
            except Exception:
                faults += 1
                _log.error("maintenance_failed", consecutive=faults, exc_info=True)
            await self._rest(faults)

    def stop(self) -> None:
        """Let the loop end after the sweep that it is in."""
        self._stopping.set()
        self._due.set()

    async def _sweep_all(self) -> None:
        await self._sweep(t.FIRE_DUE_TIMERS, {"batch_size": BATCH_SIZE})
        await self._sweep(t.EXPIRE_LEASES, {"batch_size": BATCH_SIZE})
        await self._sweep(t.ENFORCE_TIMEOUTS, {"batch_size": BATCH_SIZE})
        if time.monotonic() >= self._prune_at:
            self._prune_at = time.monotonic() + PRUNE_INTERVAL_SECONDS
            await self._sweep(
                t.PRUNE_RECEIPTS, {"batch_size": BATCH_SIZE, "receipt_seconds": self._receipt_seconds}
            )

    async def _sweep(self, transition: Transition, arguments: Arguments) -> None:
        more = True
        while more and not self._stopping.is_set():
            [answer] = await run_transition(self._store, self._wakeups, transition, arguments)
            swept = _swept.decode(answer.body)
            more = swept.more
            if swept.count:
                _log.debug("swept", transition=transition.name, count=swept.count)

    async def _rest(self, faults: int) -> None:
        """Wait for the next round. After a fault only `stop` shortens the wait, which doubles each time."""
        if faults:
            await set_within(
                self._stopping, min(LONGEST_BACKOFF_SECONDS, self._interval * 2 ** min(faults, 10))
            )
        elif not await set_within(self._stopping, LEAST_PAUSE_SECONDS):
            await set_within(self._due, self._interval)
