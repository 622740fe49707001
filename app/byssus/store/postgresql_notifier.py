"""Wake-ups across processes by LISTEN and NOTIFY, each on a connection of its own, outside every transaction.

A NOTIFY inside a transition would make commits wait for each other. What is lost costs latency, never work.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator

import psycopg
import structlog

CHANNEL = "byssus"
PAYLOAD_BYTES = 7900
LONGEST_PAUSE_SECONDS = 30.0

_log = structlog.get_logger()


class PostgresNotifier:
    """Publishes keys to the other processes that listen on the same database."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._sender = os.urandom(8).hex()
        self._callback: Callable[[str], None] = lambda _: None
        self._listener: asyncio.Task[None] | None = None
        self._publishing: psycopg.AsyncConnection[object] | None = None

    def subscribe(self, callback: Callable[[str], None]) -> None:
        """Call `callback` with each key that another process publishes."""
        self._callback = callback

    def start(self) -> None:
        """Begin to listen."""
        self._listener = asyncio.get_running_loop().create_task(self._listen_for_ever())

    async def stop(self) -> None:
        """Stop listening and disconnect."""
        if self._listener is not None:
            self._listener.cancel()
            await asyncio.gather(self._listener, return_exceptions=True)
        if self._publishing is not None:
            await self._publishing.close()

    async def publish(self, keys: list[str]) -> None:
        """Send the keys in as few notifications as they fit in, in one transaction."""
        payloads = list(self._payloads(keys))
        if not payloads:
            return
        if self._publishing is None or self._publishing.closed:
            self._publishing = await psycopg.AsyncConnection.connect(self._url, autocommit=True)
            # A notification is not worth waiting for the disk: it may be lost.
            await self._publishing.execute("set synchronous_commit = off")
        try:
            await self._publishing.execute(
                "select pg_notify(%s, payload) from unnest(%s::text[]) as payload", (CHANNEL, payloads)
            )
        except psycopg.OperationalError:
            await self._publishing.close()
            raise

    def _payloads(self, keys: list[str]) -> Iterator[str]:
        """The sender, then keys, a line each. A key too long for a notification is dropped."""
        lines, size = [self._sender], len(self._sender)
        for key in keys:
            length = len(key.encode()) + 1
            if length + len(self._sender) > PAYLOAD_BYTES:
                continue
            if size + length > PAYLOAD_BYTES:
                yield "\n".join(lines)
                lines, size = [self._sender], len(self._sender)
            lines.append(key)
            size += length
        if len(lines) > 1:
            yield "\n".join(lines)

    async def _listen_for_ever(self) -> None:
        pause = 0.1
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(self._url, autocommit=True) as connection:
                    await connection.execute(f"listen {CHANNEL}")
                    pause = 0.1
                    async for notification in connection.notifies():
                        self._heard(notification.payload)
            except psycopg.OperationalError as error:
                _log.warning("listener_disconnected", error=type(error).__name__, retry_seconds=pause)
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE_SECONDS)

    def _heard(self, payload: str) -> None:
        sender, *keys = payload.split("\n")
        if sender != self._sender:
            for key in keys:
                self._callback(key)
