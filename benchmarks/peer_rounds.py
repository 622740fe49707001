"""Engines measured in turns on one PostgreSQL server, each time in a new database and in new processes."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, LiteralString

import psycopg

from benchmarks.cpu_time import cpu_seconds
from benchmarks.peer_engines import Engine, Running
from tests.engines.databases import Database, PostgresDatabases
from tests.engines.postgresql import PostgresServer

Connection = psycopg.Connection[Any]

_WARM_UP_SHARE = 4


@dataclass
class Stretch:
    """What one engine did in one round; CPU times, requests, commits and bytes are those of one workflow.

    `transactions` are all that ended well; `commits` are those that wrote something, so that they had to be
    flushed; `wal_bytes` is what was flushed.
    """

    rate: float
    postgres_cpu: float
    engine_cpu: float
    load_cpu: float | None
    load_share: float | None
    requests: float | None
    transactions: float
    commits: float
    wal_bytes: float


@dataclass
class Line:
    """The stretches of an engine, one per round, and the refused continuations of all."""

    engine: str
    stretches: list[Stretch] = field(default_factory=list)
    refusals: Counter[str] = field(default_factory=Counter)

    def of(self, figure: str) -> list[float]:
        """A figure of all rounds; empty if the engine does not have it."""
        values = [getattr(stretch, figure) for stretch in self.stretches]
        return [value for value in values if value is not None]

    def ratio_to(self, other: Line) -> float:
        """The median of the ratios of the rates within each round."""
        return median(mine / its for mine, its in zip(self.of("rate"), other.of("rate"), strict=True))


class Rounds:
    """Measures on a server; the connection is to a database that no engine uses."""

    def __init__(self, server: PostgresServer, databases: PostgresDatabases, directory: Path) -> None:
        self._databases = databases
        self._directory = directory
        self._postmaster = int((server.directory / "data" / "postmaster.pid").read_text().split()[0])
        self._watch: Connection = psycopg.connect(server.url(), autocommit=True)
        self._watch.execute("create extension pg_walinspect")

    def close(self) -> None:
        """Disconnect."""
        self._watch.close()

    def run(self, engines: Sequence[Engine], workflows: int, rounds: int) -> list[Line]:
        """Each engine plays that many workflows in each round."""
        lines = [Line(engine.name) for engine in engines]
        for number in range(rounds):
            for engine, line in zip(engines, lines, strict=True):
                print(f"round {number + 1}, {engine.name} ...", file=sys.stderr)
                self._measure(engine, line, workflows)
        return lines

    def _measure(self, engine: Engine, line: Line, workflows: int) -> None:
        """A warm-up, then the stretch that counts. Raises RuntimeError if a workflow did not end well."""
        warm_up = workflows // _WARM_UP_SHARE
        with engine.database(self._databases) as database:
            began = self._transactions(database)
            with engine.running(database, self._directory) as running:
                running.player.play(warm_up)
                _settle(database)
                stretch = self._play(running, workflows, line)
                finished = _number(database.url, engine.finished)
                if finished != warm_up + workflows:
                    raise RuntimeError(f"{engine.name}: {finished} of {warm_up + workflows} workflows ended")
            stretch.transactions = (self._transactions(database) - began) / (warm_up + workflows)
        line.stretches.append(stretch)

    def _play(self, running: Running, workflows: int, line: Line) -> Stretch:
        self._watch.execute("checkpoint")
        postgres, engine, load = self._postmaster, running.engine, running.player.pid
        before = cpu_seconds(postgres), sum(map(cpu_seconds, engine)), cpu_seconds(load)
        begin = self._flushed()
        played = running.player.play(workflows)
        end = self._flushed()
        after = cpu_seconds(postgres), sum(map(cpu_seconds, engine)), cpu_seconds(load)
        cpu = [(late - early) / workflows for early, late in zip(before, after, strict=True)]
        commits, wal_bytes = self._written(begin, end)
        line.refusals.update(played.refusals)
        return Stretch(
            rate=workflows / played.seconds,
            postgres_cpu=cpu[0],
            engine_cpu=cpu[1],
            load_cpu=cpu[2] if running.has_load else None,
            load_share=cpu[2] * workflows / played.seconds if running.has_load else None,
            requests=played.requests / workflows if played.requests else None,
            transactions=0,
            commits=commits / workflows,
            wal_bytes=wal_bytes / workflows,
        )

    def _flushed(self) -> str:
        row = self._watch.execute("select pg_current_wal_flush_lsn()::text").fetchone()
        assert row is not None
        return str(row[0])

    def _written(self, begin: str, end: str) -> tuple[int, int]:
        """The commits in a piece of the log, and its size."""
        row = self._watch.execute(
            'select coalesce(sum(count) filter (where "resource_manager/record_type" = %s), 0)::bigint,'
            " pg_wal_lsn_diff(%s, %s)::bigint from pg_get_wal_stats(%s, %s, true)",
            ("Transaction/COMMIT", end, begin, begin, end),
        ).fetchone()
        assert row is not None
        return row[0], row[1]

    def _transactions(self, database: Database) -> int:
        """How many transactions have been committed in a database, as far as its sessions have ended."""
        row = self._watch.execute(
            "select xact_commit from pg_stat_database where datname = %s", [database.name]
        ).fetchone()
        assert row is not None
        return int(row[0])


def _settle(database: Database) -> None:
    """Tell the planner of the warm-up's rows."""
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute("vacuum analyze")


def _number(url: str, query: LiteralString) -> int:
    with psycopg.connect(url) as connection:
        row = connection.execute(query).fetchone()
    assert row is not None
    return int(row[0])
