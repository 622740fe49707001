"""A lean load generator: blocking-free sockets, one request in flight on each, no parser to speak of.

Runs as a process of its own (`python -m benchmarks.http_load`): reads a Load as JSON from standard input,
writes a LoadResult to standard output. The time begins with the first request, when all are connected.
"""

from __future__ import annotations

import select
import socket
import subprocess
import sys
import time
from pathlib import Path

import msgspec

from benchmarks.leased_tasks import ATTEMPT, COMMAND, WORKER, task_id

_CHUNK = 65_536


class Load(msgspec.Struct):
    """Complete the tasks with numbers from `first` on, over `clients` connections."""

    host: str
    port: int
    token: str
    first: int
    calls: int
    clients: int


class LoadResult(msgspec.Struct):
    """`seconds` on the clock, and of them `cpu_seconds` during which the generator itself worked."""

    seconds: float
    cpu_seconds: float


def generate(load: Load) -> LoadResult:
    """Run the generator as a process and wait for it. Raises CalledProcessError when a call is refused."""
    process = subprocess.run(
        [sys.executable, "-m", "benchmarks.http_load"],
        input=msgspec.json.encode(load),
        stdout=subprocess.PIPE,
        check=True,
        cwd=Path(__file__).parents[1],
    )
    return msgspec.json.decode(process.stdout, type=LoadResult)


def run(load: Load) -> LoadResult:
    """Send every request once. Raises RuntimeError when an answer is not a 200."""
    connections = [socket.create_connection((load.host, load.port)) for _ in range(load.clients)]
    poller = select.epoll()
    for connection in connections:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        poller.register(connection, select.EPOLLIN)
    by_number = {connection.fileno(): connection for connection in connections}
    requests = iter(_requests(load))
    partial: dict[int, bytes] = {}

    began, cpu_began = time.perf_counter(), time.process_time()
    for connection in connections:
        connection.send(next(requests))
    answered = 0
    while answered < load.calls:
        for number, _ in poller.poll():
            connection = by_number[number]
            answer = partial.pop(number, b"") + connection.recv(_CHUNK)
            if not _is_whole(answer):
                partial[number] = answer
                continue
            answered += 1
            if (request := next(requests, None)) is not None:
                connection.send(request)
    result = LoadResult(time.perf_counter() - began, time.process_time() - cpu_began)
    for connection in connections:
        connection.close()
    return result


def _is_whole(answer: bytes) -> bool:
    head, _, body = answer.partition(b"\r\n\r\n")
    _, found, rest = head.partition(b"content-length: ")
    if not answer or (found and not answer.startswith(b"HTTP/1.1 200 ")):
        raise RuntimeError(f"the server answered {answer!r}")
    return bool(found) and len(body) == int(rest.partition(b"\r\n")[0])


def _requests(load: Load) -> list[bytes]:
    body = msgspec.json.encode(
        {"lease_owner": WORKER, "workflow_task_attempt": ATTEMPT, "commands": [COMMAND]}
    )
    head = (
        f" HTTP/1.1\r\nhost: {load.host}:{load.port}\r\nauthorization: Bearer {load.token}\r\n"
        "x-durable-workflow-protocol-version: 1.20\r\ncontent-type: application/json\r\n"
        f"content-length: {len(body)}\r\n\r\n"
    ).encode()
    return [
        b"POST /api/worker/workflow-tasks/%s/complete" % task_id(number).encode() + head + body
        for number in range(load.first, load.first + load.calls)
    ]


if __name__ == "__main__":
    result = run(msgspec.json.decode(sys.stdin.buffer.read(), type=Load))
    sys.stdout.buffer.write(msgspec.json.encode(result))
