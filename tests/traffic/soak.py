"""Traffic for long, on databases of a minute's age each. See scripts/soak."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from tests.engines.databases import Database, Databases
from tests.engines.mysql_databases import MysqlDatabases
from tests.engines.running import Engines
from tests.engines.selection import wanted
from tests.traffic.traffic import Outcome, timed

_ROUND_SECONDS = 60.0


@dataclass
class Tally:
    """What all rounds on one engine have come to. `contention` is what the engine itself has counted."""

    rounds: int = 0
    kills: int = 0
    runs: int = 0
    events: int = 0
    answers: Counter[tuple[str, str]] = field(default_factory=Counter)
    claims: Counter[tuple[str, str]] = field(default_factory=Counter)
    continuations: Counter[str] = field(default_factory=Counter)
    logged: Counter[str] = field(default_factory=Counter)
    contention: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        """Count one more round."""
        self.rounds += 1
        self.kills += outcome.kills
        self.runs += outcome.runs
        self.events += outcome.events
        self.answers += outcome.ledger.answers
        self.claims += outcome.ledger.claims
        self.continuations += outcome.ledger.continuations
        self.logged.update(outcome.logged)
        self.faults += outcome.faults


def main() -> int:
    """Soak one engine after the other, and say what happened. 1 when there was a fault."""
    options = _options()
    if options.engines:
        os.environ["BYSSUS_TEST_ENGINES"] = options.engines
    faults = 0
    for engine in wanted():
        began = time.monotonic()
        tally = _soak(engine, options)
        _report(engine, tally, options.seed, time.monotonic() - began)
        faults += len(tally.faults)
    return 1 if faults else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/soak traffic", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="how long on each engine (10)")
    parser.add_argument("--engines", help="a comma list, or all (BYSSUS_TEST_ENGINES)")
    parser.add_argument("--kill-seconds", type=float, default=5, help="from one kill to the next (5)")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="the first number (the time)")
    return parser.parse_args()


def _soak(engine: str, options: argparse.Namespace) -> Tally:
    """Rounds on fresh databases, until the time is up or one has shown a fault."""
    tally = Tally()
    left = options.minutes * 60
    with tempfile.TemporaryDirectory() as directory:
        engines = Engines(Path(directory))
        try:
            databases = engines.databases(engine)
            while left > 0 and not tally.faults:
                seconds = min(left, _ROUND_SECONDS)
                left -= seconds
                seed = f"{options.seed}-{tally.rounds}"
                folder = Path(directory) / f"round{tally.rounds}"
                with databases.upgraded() as database:
                    before = _contention(databases, database)
                    tally.add(asyncio.run(timed(database, folder, seed, seconds, options.kill_seconds)))
                    tally.contention += _contention(databases, database) - before
                print(f"{engine}: {tally.answers.total()} operations", file=sys.stderr, flush=True)
        finally:
            engines.stop()
    return tally


def _contention(databases: Databases, database: Database) -> Counter[str]:
    if isinstance(databases, MysqlDatabases):
        with databases.server.connect() as connection, connection.cursor() as cursor:
            cursor.execute(
                "SELECT name, count FROM information_schema.innodb_metrics"
                " WHERE name IN ('lock_deadlocks', 'lock_timeouts')"
            )
            return Counter(dict(cursor.fetchall()))
    if database.dialect == "postgresql":
        with psycopg.connect(database.url) as session:
            query = "select deadlocks from pg_stat_database where datname = current_database()"
            row = session.execute(query).fetchone()
            return Counter({"deadlocks": row[0] if row else 0})
    return Counter()


def _report(engine: str, tally: Tally, seed: int, seconds: float) -> None:
    print(
        f"== {engine}: {tally.answers.total()} operations, {tally.kills} kills, {seconds:.0f} s, seed {seed}"
    )
    print(f"{tally.runs} runs with {tally.events} events in {tally.rounds} rounds")
    for operation in sorted({operation for operation, _ in tally.answers}):
        print(operation)
        of_it = {outcome: n for (name, outcome), n in tally.answers.items() if name == operation}
        _print_counts(of_it)
    print("claims")
    _print_counts({" ".join(reversed(kind_and_way)): n for kind_and_way, n in tally.claims.items()})
    print("continuations")
    _print_counts(tally.continuations)
    print("counted by the engine")
    _print_counts(tally.contention)
    print("logged beside requests")
    _print_counts(tally.logged)
    print(f"{len(tally.faults)} faults")
    for fault in tally.faults:
        print(f"    {fault}")


def _print_counts(counts: Mapping[str, int]) -> None:
    for name, count in sorted(counts.items()):
        print(f"    {count:8} {name}")


if __name__ == "__main__":
    sys.exit(main())
