"""Waiting for something to become true, for so long and no longer."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable

LONGEST_SECONDS = 30.0
PAUSE_SECONDS = 0.02


async def until(
    condition: Callable[[], bool | Awaitable[bool]],
    what: str,
    seconds: float = LONGEST_SECONDS,
    pause: float = PAUSE_SECONDS,
) -> None:
    """Return as soon as `condition` holds. Raises TimeoutError, saying `what`, when it does not in time."""
    deadline = time.monotonic() + seconds
    while True:
        holds = condition()
        if inspect.isawaitable(holds):
            holds = await holds
        if holds:
            return
        if time.monotonic() > deadline:
            raise TimeoutError(f"after {seconds} seconds: {what}")
        await asyncio.sleep(pause)
