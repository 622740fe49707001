"""HTTP connections that send an answer in one piece.

Uvicorn writes the head and the body of an answer one after the other: two system calls, two packets, and a
client that is woken twice. Here what is written in one step of the event loop leaves together.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class JoiningProtocol(HttpToolsProtocol):
    """Uvicorn's protocol on a JoiningTransport."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the connection."""
        super().connection_made(cast(asyncio.Transport, JoiningTransport(transport)))


class JoiningTransport:
    """A transport that keeps what is written until the event loop's next step."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self._kept: list[bytes] = []

    def write(self, data: bytes) -> None:
        """Send soon, together with what else is written until then."""
        if not self._kept:
            self._loop.call_soon(self._send)
        self._kept.append(data)

    def close(self) -> None:
        """Send what is kept and close."""
        self._send()
        self._transport.close()

    def _send(self) -> None:
        data = b"".join(self._kept)
        self._kept.clear()
        # The client may have gone since the write.
        if data and not self._transport.is_closing():
            self._transport.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)
