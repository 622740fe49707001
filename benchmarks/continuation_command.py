"""The command line: runs the workflows in each mode and prints what they brought."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks import machine
from benchmarks.continuation_runs import MODES, Measured, Workload, is_offered, measure
from tests.engines.databases import SqliteDatabases
from tests.engines.server import Server

_SHOWN_TASKS = (2, 10, 100)


def main() -> None:
    """Measure, then print tables."""
    options = _options()
    for name, value in machine.machine().items():
        print(f"{name:42} {value}")
    with _server(options.database) as server:
        for workload in _workloads(options):
            _compare(server, workload)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="What a workflow task brings of the run's history.")
    parser.add_argument("--database", help="URL of an upgraded database (default: an SQLite file of its own)")
    parser.add_argument(
        "--timers", type=int, default=25, help="of one second (default 25; 0 leaves them out)"
    )
    parser.add_argument("--activities", type=int, default=332, help="default 332; 0 leaves them out")
    return parser.parse_args()


def _workloads(options: argparse.Namespace) -> list[Workload]:
    workloads = [
        Workload("one-second timers", timers=options.timers),
        Workload("activities", activities=options.activities),
    ]
    return [workload for workload in workloads if workload.continuations]


@contextmanager
def _server(database_url: str | None) -> Iterator[Server]:
    """A `byssus serve` process with stock settings."""
    with tempfile.TemporaryDirectory() as folder:
        directory = Path(folder)
        if database_url is not None:
            server = Server(database_url, directory)
            yield server
            server.stop()
        else:
            with SqliteDatabases(directory).upgraded() as database:
                server = Server(database.app_url, directory)
                yield server
                server.stop()


def _compare(server: Server, workload: Workload) -> None:
    print(f"\n{workload.continuations} sequential {workload.name}")
    titles = (
        "tasks",
        "events",
        "hits",
        "suffixes",
        "forced",
        "refetches",
        "history B",
        "per task",
        "on wire B",
    )
    shown = [*(f"task {number}" for number in _SHOWN_TASKS), "last task", "requests", "seconds"]
    print(" " * 28 + "".join(f"{title:>11}" for title in (*titles, *shown)))
    for mode in MODES:
        if asyncio.run(is_offered(server, mode)):
            print(f"{mode.name:22} ...", file=sys.stderr)
            _print(mode.name, asyncio.run(measure(server, workload, mode)))
        else:
            print(f"{mode.name:28}this server does not offer it")
    for line in workload.references():
        print(line)


def _print(name: str, measured: Measured) -> None:
    sizes = measured.history_bytes
    counts = (
        len(sizes),
        measured.events,
        measured.hits,
        measured.suffixes,
        measured.forced_cold_replays,
        measured.refetches,
        sum(sizes),
        round(sum(sizes) / len(sizes)),
        measured.wire_bytes,
    )
    shown = [f"{sizes[number - 1]:,}" if number < len(sizes) else "" for number in _SHOWN_TASKS]
    figures = [*(f"{count:,}" for count in counts), *shown, f"{sizes[-1]:,}", f"{measured.requests:,}"]
    print(f"{name:28}" + "".join(f"{figure:>11}" for figure in [*figures, f"{measured.seconds:.1f}"]))
