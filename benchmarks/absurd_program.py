"""Workflows of five steps on Absurd, as its documentation writes them: a task with steps.

Runs as a process of its own and says `ready`:
`absurd_program.py <database URL> worker <concurrency>` works until it is ended;
`absurd_program.py <database URL> client <threads>` spawns, for each number of workflows that it reads, that
many, waits until all have ended, and writes the seconds that it took, as JSON.
"""

from __future__ import annotations

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
from absurd_sdk import Absurd

_QUEUE = "five_steps"
_STEPS = 5
_LOOK_SECONDS = 0.02


def work(url: str, concurrency: int) -> None:
    """Be a worker."""
    app = Absurd(url, queue_name=_QUEUE)

    @app.register_task("five-steps")
    def five_steps(params: dict[str, int], ctx: Any) -> int:
        return sum(ctx.step(f"step-{number}", lambda: params["number"]) for number in range(_STEPS))

    print("ready", flush=True)
    app.start_worker(concurrency=concurrency)


class Clients:
    """Clients that spawn, each with a connection of its own, and one that looks how far the tasks are."""

    def __init__(self, url: str, threads: int) -> None:
        self._clients = [Absurd(url, queue_name=_QUEUE) for _ in range(threads)]
        self._watch = psycopg.connect(url, autocommit=True)
        self._spawned = 0

    def run(self, workflows: int) -> None:
        """Spawn that many, and return when all have ended."""
        self._spawned += workflows
        numbers = iter(range(workflows))

        def spawn_all(client: Absurd) -> None:
            for number in numbers:
                client.spawn("five-steps", {"number": number}, queue=_QUEUE)

        with ThreadPoolExecutor(len(self._clients)) as executor:
            list(executor.map(spawn_all, self._clients))
        while self._ended() < self._spawned:
            time.sleep(_LOOK_SECONDS)

    def _ended(self) -> int:
        row = self._watch.execute(
            f"select count(*) from absurd.t_{_QUEUE} where state = 'completed'"
        ).fetchone()
        return int(row[0]) if row else 0


if __name__ == "__main__":
    url, role, count = sys.argv[1:]
    if role == "worker":
        work(url, int(count))
    clients = Clients(url, int(count))
    print("ready", flush=True)
    for line in sys.stdin:
        began = time.perf_counter()
        clients.run(int(line))
        print(json.dumps({"seconds": time.perf_counter() - began}), flush=True)
