"""A lean load generator that plays the workers of a Byssus server, and the clients that start workflows.

Runs as a process of its own (`python -m benchmarks.five_steps_load`). Its argument is a Load as JSON; it says
`ready`, and then for each number of workflows that it reads it plays them and writes a Played.
"""

from __future__ import annotations

import select
import socket
import sys
import time
from collections.abc import Iterable

import msgspec

from benchmarks.five_steps import WAYS, Part, Play

_CHUNK = 262_144


class Load(msgspec.Struct):
    """`slots` of each kind that there is, and `starters` that start workflows meanwhile."""

    host: str
    port: int
    tokens: dict[str, str]
    way: str
    slots: int
    starters: int


class Played(msgspec.Struct):
    """Seconds from the first start to the last end that was acknowledged, and the requests until then."""

    seconds: float
    requests: int = 0
    refusals: dict[str, int] = {}


class Exchange:
    """The parts, each on a connection that is open, with one request under way."""

    def __init__(self, host: str, port: int, parts: Iterable[Part]) -> None:
        self.requests = 0
        self._poller = select.epoll()
        self._by_number: dict[int, tuple[socket.socket, Part]] = {}
        self._partial: dict[int, bytes] = {}
        for part in parts:
            connection = socket.create_connection((host, port))
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._poller.register(connection, select.EPOLLIN)
            self._by_number[connection.fileno()] = (connection, part)

    def begin(self) -> None:
        """Send the first request of each part."""
        for number, (connection, part) in list(self._by_number.items()):
            self._send(number, connection, next(part, None))

    def turn(self) -> None:
        """Wait for answers, and send what they lead to."""
        for number, _ in self._poller.poll():
            connection, part = self._by_number[number]
            answer = self._partial.pop(number, b"") + connection.recv(_CHUNK)
            body = _body(answer)
            if body is None:
                self._partial[number] = answer
                continue
            self.requests += 1
            try:
                request = part.send(body)
            except StopIteration:
                request = None
            self._send(number, connection, request)

    def close(self) -> None:
        for connection, _ in self._by_number.values():
            connection.close()
        self._poller.close()

    def _send(self, number: int, connection: socket.socket, request: bytes | None) -> None:
        if request is None:
            self._poller.unregister(number)
            del self._by_number[number]
            connection.close()
        else:
            connection.send(request)


def run(load: Load, name: str, workflows: int) -> Played:
    """Play that many workflows. Raises RuntimeError when a request is refused."""
    play = Play(f"{load.host}:{load.port}", load.tokens, name)
    _register(load, play)
    numbers = iter(range(workflows))
    starters = [play.starter(numbers) for _ in range(load.starters)]
    exchange = Exchange(load.host, load.port, [*WAYS[load.way](play, load.slots), *starters])
    began = time.perf_counter()
    exchange.begin()
    while play.finished < workflows:
        exchange.turn()
    played = Played(time.perf_counter() - began, exchange.requests, dict(play.refusals))
    exchange.close()
    return played


def _register(load: Load, play: Play) -> None:
    def part() -> Part:
        yield play.registration(merges=load.way != "unmerged")

    exchange = Exchange(load.host, load.port, [part()])
    exchange.begin()
    exchange.turn()
    exchange.close()


def _body(answer: bytes) -> bytes | None:
    """The body of an answer, or None while it is not whole."""
    head, _, body = answer.partition(b"\r\n\r\n")
    _, found, rest = head.partition(b"content-length: ")
    if not answer or (found and not answer.startswith(b"HTTP/1.1 20")):
        raise RuntimeError(f"the server answered {answer!r}")
    return body if found and len(body) == int(rest.partition(b"\r\n")[0]) else None


if __name__ == "__main__":
    load = msgspec.json.decode(sys.argv[1], type=Load)
    print("ready", flush=True)
    for number, line in enumerate(sys.stdin):
        played = run(load, f"play-{number}", int(line))
        print(msgspec.json.encode(played).decode(), flush=True)
