"""Workflows of five steps on DBOS Transact, as its documentation writes them: decorated functions.

Runs as a process of its own: `dbos_program.py <database URL> direct|queue <threads>`. It says `ready`, and
then for each number of workflows that it reads it runs them and writes the seconds that they took, as JSON.
"""

from __future__ import annotations

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import psycopg
from dbos import DBOS

_QUEUE = "five_steps"
_STEPS = 5
_LOOK_SECONDS = 0.02


@DBOS.step()
def step(number: int) -> int:
    return number


@DBOS.workflow()
def five_steps(number: int) -> int:
    return sum(step(number) for _ in range(_STEPS))


class Runner:
    """Starts workflows from threads, and looks from one connection how far they are."""

    def __init__(self, url: str, threads: int) -> None:
        self._watch = psycopg.connect(url, autocommit=True)
        self._threads = threads
        self._started = 0

    def direct(self, workflows: int) -> None:
        """Call them as functions; a call is over when the workflow's end is recorded."""
        with ThreadPoolExecutor(self._threads) as executor:
            list(executor.map(five_steps, range(workflows)))

    def queue(self, workflows: int) -> None:
        """Enqueue all, and wait for their ends. The queue has no limits, as by default."""
        self._started += workflows
        with ThreadPoolExecutor(self._threads) as executor:
            list(executor.map(partial(DBOS.enqueue_workflow, _QUEUE, five_steps), range(workflows)))
        while self._ended() < self._started:
            time.sleep(_LOOK_SECONDS)

    def _ended(self) -> int:
        row = self._watch.execute(
            "select count(*) from dbos.workflow_status where status = 'SUCCESS'"
        ).fetchone()
        return int(row[0]) if row else 0


if __name__ == "__main__":
    url, way, threads = sys.argv[1:]
    DBOS(config={"name": "five-steps", "system_database_url": url, "log_level": "ERROR"})
    DBOS.launch()
    DBOS.register_queue(_QUEUE)
    runner = Runner(url, int(threads))
    run = {"direct": runner.direct, "queue": runner.queue}[way]
    print("ready", flush=True)
    for line in sys.stdin:
        began = time.perf_counter()
        run(int(line))
        print(json.dumps({"seconds": time.perf_counter() - began}), flush=True)
    DBOS.destroy()
