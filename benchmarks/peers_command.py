"""The command line: measures Byssus and its peers in turns, and prints a table."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import asdict
from pathlib import Path
from statistics import median

from benchmarks import machine
from benchmarks.peer_engines import Absurd, Byssus, Dbos, Engine
from benchmarks.peer_rounds import Line, Rounds
from benchmarks.servers import postgresql_server
from tests.engines.databases import PostgresDatabases

_PACKAGES = ("dbos", "absurd-sdk", "absurdctl")
_MILLISECONDS = 1000.0

_COLUMNS: tuple[tuple[str, str, Callable[[float], str]], ...] = (
    ("CPU ms PG", "postgres_cpu", lambda value: f"{value * _MILLISECONDS:.1f}"),
    ("engine", "engine_cpu", lambda value: f"{value * _MILLISECONDS:.1f}"),
    ("load", "load_cpu", lambda value: f"{value * _MILLISECONDS:.1f}"),
    ("load busy", "load_share", lambda value: f"{value:.0%}"),
    ("requests", "requests", lambda value: f"{value:.1f}"),
    ("transact.", "transactions", lambda value: f"{value:.1f}"),
    ("commits", "commits", lambda value: f"{value:.1f}"),
    ("WAL kB", "wal_bytes", lambda value: f"{value / 1000:.1f}"),
)


def main() -> None:
    """Measure, then print a table or JSON."""
    options = _options()
    facts = machine.machine() | _peers(options.peers_python)
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = stack.enter_context(postgresql_server(facts, _SETTINGS))
        databases = stack.enter_context(closing(PostgresDatabases(server)))
        rounds = stack.enter_context(closing(Rounds(server, databases, directory)))
        lines = rounds.run(_engines(options), options.workflows, options.rounds)
    if options.json:
        print(json.dumps({"machine": facts, "measured": [asdict(line) for line in lines]}, indent=2))
    else:
        _print(facts, lines)


_SETTINGS = {
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    # As PostgreSQL is out of the box, and not as it is for tests.
    "shared_buffers": "128MB",
    "max_connections": "100",
    "autovacuum_naptime": "1min",
    "log_lock_waits": "off",
}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Workflows of five steps, on Byssus and on its peers.")
    parser.add_argument("--workflows", type=int, default=400, help="of each stretch (default 400)")
    parser.add_argument("--rounds", type=int, default=3, help="turns of all engines (default 3)")
    parser.add_argument("--slots", type=int, default=8, help="tasks that are worked on at once (default 8)")
    parser.add_argument("--only", default="", help="measure the lines whose names contain this")
    parser.add_argument(
        "--peers-python",
        type=Path,
        default=Path(sys.executable),
        help="the Python that has the extra `peers` (default: this one)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return parser.parse_args()


def _engines(options: argparse.Namespace) -> list[Engine]:
    python, slots = options.peers_python, options.slots
    engines: list[Engine] = [
        Byssus("Byssus", "unmerged", slots),
        Byssus("Byssus, merged", "merged", slots),
        Byssus("Byssus, merged, local steps", "local", slots),
        Dbos("DBOS, called", python, "direct", slots),
        Dbos("DBOS, queue", python, "queue", slots),
        Absurd("Absurd, 1 worker", python, 1, 1),
        Absurd("Absurd, 1 worker of 4 threads", python, 1, 4),
        Absurd("Absurd, 4 workers", python, 4, 1),
    ]
    return [engine for engine in engines if options.only in engine.name]


def _peers(python: Path) -> machine.Facts:
    """The versions of the peers. Ends the program when they are not there."""
    script = "import sys; from importlib.metadata import version; print(*(version(n) for n in sys.argv[1:]))"
    found = subprocess.run([str(python), "-c", script, *_PACKAGES], capture_output=True, text=True)
    if found.returncode != 0:
        sys.exit("The peers are not installed: pip install -e '.[peers]', or name a --peers-python.")
    return dict(zip(_PACKAGES, found.stdout.split(), strict=True))


def _print(facts: machine.Facts, lines: list[Line]) -> None:
    for name, value in facts.items():
        print(f"{name:42} {value}")
    titles = ("per second", "lowest", "highest", "ratio", *(title for title, _, _ in _COLUMNS))
    print("\n" + " " * 31 + "".join(f"{title:>11}" for title in titles))
    for line in lines:
        rates = line.of("rate")
        shown = [f"{rate:,.1f}" for rate in (median(rates), min(rates), max(rates))]
        shown.append(f"{line.ratio_to(lines[0]):.2f}")
        shown += [show(median(line.of(figure))) if line.of(figure) else "" for _, figure, show in _COLUMNS]
        print(f"{line.engine:31}" + "".join(f"{text:>11}" for text in shown))
    for line in lines:
        if line.refusals:
            print(f"{line.engine}: refused continuations {dict(line.refusals)}")
