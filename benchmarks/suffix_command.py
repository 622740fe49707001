"""The command line: prepares runs of each length, measures claims of them and prints what they cost."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks import machine
from benchmarks.claim_work import (
    MysqlClaims,
    PostgresClaims,
    SqliteClaims,
    WatchedClaims,
    work_of_suffixes,
)
from benchmarks.histories import Histories, MysqlHistories, PostgresHistories, SqliteHistories
from benchmarks.long_runs import SUFFIX_EVENTS, prepare
from benchmarks.servers import ENGINES, mysql_database, open_store, postgresql_database
from benchmarks.suffix_claims import Claims, measure
from byssus.database_url import sqlite_path
from byssus.store import Store
from tests.engines.databases import SqliteDatabases
from tests.engines.mysql_databases import connect as connect_to_mysql


class Bench(NamedTuple):
    """A database and what is needed to measure in it."""

    runner: asyncio.Runner
    store: Store
    histories: Histories
    watched: WatchedClaims


def main() -> None:
    """Measure, then print tables."""
    options = _options()
    facts = machine.machine()
    for engine in ENGINES if options.engine == "all" else [options.engine]:
        print(f"{engine} ...", file=sys.stderr)
        with _bench(engine, facts) as bench:
            _measure(engine, bench, options)
    print()
    for name, value in facts.items():
        print(f"{name:42} {value}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="What a suffix costs when the history is long.")
    parser.add_argument("--engine", choices=(*ENGINES, "all"), default="all")
    parser.add_argument(
        "--events", type=_counts, default=[100, 1_000, 10_000, 50_000], help="default 100,1000,10000,50000"
    )
    parser.add_argument("--runs", type=int, default=5, help="of each length (default 5)")
    parser.add_argument("--rounds", type=int, default=20, help="default 20")
    parser.add_argument("--turns", type=int, default=20, help="of each length in each round (default 20)")
    return parser.parse_args()


def _counts(text: str) -> list[int]:
    return sorted(int(part) for part in text.split(","))


@contextmanager
def _bench(engine: str, facts: machine.Facts) -> Iterator[Bench]:
    if engine == "postgresql":
        with (
            postgresql_database(facts) as (_, database),
            open_store(database.app_url, 1) as (runner, store),
            closing(PostgresHistories(database.url)) as histories,
            closing(PostgresClaims(database.url)) as watched,
        ):
            yield Bench(runner, store, histories, watched)
    elif engine == "sqlite":
        with (
            tempfile.TemporaryDirectory() as folder,
            SqliteDatabases(Path(folder)).upgraded() as database,
            open_store(database.url, 1) as (runner, store),
            closing(SqliteHistories(sqlite_path(database.url))) as sqlite_histories,
            closing(SqliteClaims(sqlite_path(database.url))) as sqlite_watched,
        ):
            yield Bench(runner, store, sqlite_histories, sqlite_watched)
    else:
        with (
            mysql_database(engine, facts) as (server, database),
            open_store(database.app_url, 1) as (runner, store),
            closing(MysqlHistories(server.connect(database.name))) as mysql_histories,
            closing(MysqlClaims(connect_to_mysql(database.url))) as mysql_watched,
        ):
            yield Bench(runner, store, mysql_histories, mysql_watched)


def _measure(engine: str, bench: Bench, options: argparse.Namespace) -> None:
    prepared = bench.runner.run(prepare(bench.store, bench.histories, options.events, options.runs))
    suffixes, pages = bench.runner.run(
        measure(bench.store, bench.histories, prepared, rounds=options.rounds, turns=options.turns)
    )
    bench.histories.settle()
    works = bench.runner.run(work_of_suffixes(bench.store, bench.watched, prepared))
    title = f"{engine}: a suffix of {SUFFIX_EVENTS} events, ratio to the shortest history"
    _print_times(title, suffixes, [suffixes[0]] * len(suffixes))
    title = f"{engine}: the first page of full history of the same runs, ratio to the suffix"
    _print_times(title, pages, suffixes)
    print(f"\n{engine}: what a claim with a suffix reads\n{_row(options.events)}  events in history")
    _print_counts([work.figures for work in works])
    _print_counts([work.plans for work in works])


def _print_times(title: str, lengths: list[Claims], bases: list[Claims]) -> None:
    titles = ("median us", "lowest", "highest", "ratio", "lowest", "highest", "events", "answer B")
    print(f"\n{title}\n{'events in history':>18}" + "".join(f"{title:>11}" for title in titles))
    for claims, base in zip(lengths, bases, strict=True):
        times = [seconds * 1e6 for seconds in claims.seconds]
        ratios = claims.ratios_to(base)
        print(
            f"{claims.runs.events:18,}"
            + "".join(f"{time:11,.0f}" for time in (median(times), min(times), max(times)))
            + "".join(f"{ratio:11.2f}" for ratio in (median(ratios), min(ratios), max(ratios)))
            + f"{claims.events:11,}{claims.answer_bytes:11,}"
        )


def _print_counts(lengths: list[dict[str, int]]) -> None:
    """One line per thing that is counted, with its numbers for all lengths."""
    for name in dict.fromkeys(name for counts in lengths for name in counts):
        numbers = [counts.get(name, 0) for counts in lengths]
        remark = "" if len({*numbers}) == 1 else "NOT THE SAME: "
        print(f"{_row(numbers)}  {remark}{name}")


def _row(numbers: list[int]) -> str:
    return "".join(f"{number:10,}" for number in numbers)
