"""A way to a MySQL server on which sessions break: behind the first writing statement that is new.

The server has carried the statement out by then, and its client never learns of it: what is left is what a
client leaves that was killed there. Broken again and again, an upgrade has been interrupted behind each of
its statements.
"""

from __future__ import annotations

import re
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_QUERY = 3
_TLS = 0x0800
_COMMENTS = re.compile(rb"\A(?:--[^\n]*\n|\s+)*")
_READING = (b"SELECT", b"SHOW", b"SET", b"USE", b"ROLLBACK")

Step = tuple[bytes, bytes]
"""A statement and the writing one before it."""


class Interruption:
    """Forwards sessions to a server's socket. `reached` are the steps behind which one was broken."""

    def __init__(self, listening: socket.socket, server: Path) -> None:
        self.reached: set[Step] = set()
        self._listening = listening
        self._server = server
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            with client, socket.socket(socket.AF_UNIX) as server:
                server.connect(str(self._server))
                self._forward(client, server)

    def _forward(self, client: socket.socket, server: socket.socket) -> None:
        """Until either side hangs up, or the server has answered a statement that is new."""
        client.sendall(_without_tls(server.recv(65536)))
        waiting, last, is_new = b"", b"", False
        while True:
            readable, _, _ = select.select([client, server], [], [])
            if server in readable:
                answer = server.recv(65536)
                if is_new or not answer:
                    return
                client.sendall(answer)
            if client in readable:
                sent = client.recv(65536)
                if not sent:
                    return
                server.sendall(sent)
                waiting += sent
                *statements, waiting = _statements(waiting)
                for statement in statements:
                    if not _COMMENTS.sub(b"", statement).startswith(_READING):
                        is_new = (last, statement) not in self.reached
                        self.reached.add((last, statement))
                        last = statement


def _without_tls(greeting: bytes) -> bytes:
    """A server's greeting that offers no TLS: what clients send is to be read here."""
    # A packet's head, the protocol's version, the server's and its zero, a session id, a salt and its zero.
    flags = 4 + 1 + greeting[5:].index(0) + 1 + 4 + 8 + 1 + 1
    return greeting[:flags] + bytes([greeting[flags] & ~(_TLS >> 8)]) + greeting[flags + 1 :]


def _statements(sent: bytes) -> Iterator[bytes]:
    """The statements in what a client has sent; last what is not yet a whole packet."""
    while len(sent) >= 4 and len(sent) >= 4 + (length := int.from_bytes(sent[:3], "little")):
        number, packet, sent = sent[3], sent[4 : 4 + length], sent[4 + length :]
        if number == 0 and packet[:1] == bytes([_QUERY]):
            yield packet[1:]
    yield sent


@contextmanager
def interrupted(server: Path, directory: Path) -> Iterator[tuple[Path, Interruption]]:
    """A socket to connect to instead of the server's."""
    path = directory / "breaking"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()
        yield path, Interruption(listening, server)
        listening.shutdown(socket.SHUT_RDWR)
