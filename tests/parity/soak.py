"""Compares engines for long, on sequences of calls that nobody has tried. See scripts/soak."""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from byssus.store.transitions import TRANSITIONS
from tests.engines.running import Engines
from tests.engines.selection import wanted
from tests.parity import machine
from tests.parity.comparison import Comparison, Difference, comparison
from tests.parity.selection import compared_engines

_SEQUENCES = 25
_STEPS = 100


@dataclass
class Tally:
    """What one process has done, and whether a difference made it stop."""

    count: int = 0
    sequences: int = 0
    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)
    has_difference: bool = False


def main() -> int:
    """Soak, and say what was compared. 1 when there was a difference."""
    options = _options()
    engines = compared_engines(wanted())
    began = time.monotonic()
    with ProcessPoolExecutor(options.processes, multiprocessing.get_context("spawn")) as pool:
        numbers = [
            range(options.seed + first, sys.maxsize, options.processes) for first in range(options.processes)
        ]
        tallies = list(pool.map(_soak, [engines] * len(numbers), numbers, [options.minutes] * len(numbers)))
    _report(tallies, engines, options.seed, time.monotonic() - began)
    return 1 if any(tally.has_difference for tally in tallies) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/soak parity", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="how long (10)")
    parser.add_argument("--processes", type=int, default=1, help="each with engines of its own (1)")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="the first number (the time)")
    return parser.parse_args()


def _soak(engines: list[str], numbers: range, minutes: float) -> Tally:
    end = time.monotonic() + minutes * 60
    tally = Tally()
    with tempfile.TemporaryDirectory() as directory:
        running = Engines(Path(directory))
        try:
            with comparison({name: running.databases(name) for name in engines}) as compared:
                for number in numbers:
                    if tally.has_difference or time.monotonic() > end:
                        break
                    _compare(compared, number, tally)
        finally:
            running.stop()
    return tally


def _compare(compared: Comparison, number: int, tally: Tally) -> None:
    try:
        machine.run(compared, number=number, sequences=_SEQUENCES, steps=_STEPS)
    except Difference as difference:
        tally.has_difference = True
        print(f"With --seed {number}: {difference}", flush=True)
    tally.count = compared.count
    tally.sequences += _SEQUENCES
    tally.outcomes = compared.outcomes
    tally.events = compared.events
    print(f"{number}: {tally.count} operations", file=sys.stderr, flush=True)


def _report(tallies: list[Tally], engines: list[str], seed: int, seconds: float) -> None:
    outcomes = sum((tally.outcomes for tally in tallies), Counter[tuple[str, str]]())
    for transition in TRANSITIONS:
        print(transition.name)
        of_it = {outcome: count for (name, outcome), count in outcomes.items() if name == transition.name}
        for outcome, count in sorted(of_it.items()):
            print(f"    {count:8} {outcome}")
        if not of_it:
            print("           - never called")
    events = sum((tally.events for tally in tallies), Counter[str]())
    print("events of histories")
    for event_type, count in sorted(events.items()):
        print(f"    {count:8} {event_type}")
    count, sequences = sum(t.count for t in tallies), sum(t.sequences for t in tallies)
    print(
        f"{count} operations in {sequences} sequences on {', '.join(engines)}: {seconds:.0f} s, seed {seed}"
    )


if __name__ == "__main__":
    sys.exit(main())
