"""Trying a call again that met others in the database."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

import structlog

from byssus.store.answer import Answer
from byssus.store.errors import BackendLockPressure

_log = structlog.get_logger()
_PAUSES_SECONDS = (0.01, 0.02, 0.04, 0.08)


async def retry_contention(
    name: str, run: Callable[[], Awaitable[list[Answer]]], is_contention: Callable[[Exception], bool]
) -> list[Answer]:
    """Run a transition until it does not meet contention, with growing, jittered pauses.

    Raises BackendLockPressure when it still does at the last try, and at once whatever else `run` raises.
    """
    pauses = iter(_PAUSES_SECONDS)
    while True:
        try:
            return await run()
        except Exception as error:
            if not is_contention(error):
                raise
            if (pause := next(pauses, None)) is None:
                raise BackendLockPressure(f"{name} kept meeting contention") from error
            _log.info("contention_met", transition=name, error=type(error).__name__)
        await asyncio.sleep(pause * random.uniform(0.5, 1.5))
