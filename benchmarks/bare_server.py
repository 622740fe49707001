"""A server that answers everything at once with the same bytes: how fast the load generator is by itself.

Runs as a process of its own (`python -m benchmarks.bare_server`) and writes its port to standard output.
"""

from __future__ import annotations

import select
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_ANSWER = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 160\r\n\r\n" + b"x" * 160


@contextmanager
def bare_server() -> Iterator[int]:
    """The port of a running one."""
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.bare_server"],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[1],
    )
    assert process.stdout is not None
    try:
        yield int(process.stdout.readline())
    finally:
        process.kill()
        process.wait()


def _serve(listening: socket.socket) -> None:
    poller = select.epoll()
    poller.register(listening, select.EPOLLIN)
    connections: dict[int, socket.socket] = {}
    while True:
        for number, _ in poller.poll():
            if number == listening.fileno():
                connection, _ = listening.accept()
                connections[connection.fileno()] = connection
                poller.register(connection, select.EPOLLIN)
            elif connections[number].recv(65_536):
                connections[number].send(_ANSWER)
            else:
                poller.unregister(number)
                connections.pop(number).close()


if __name__ == "__main__":
    listening = socket.create_server(("127.0.0.1", 0))
    print(listening.getsockname()[1], flush=True)
    _serve(listening)
