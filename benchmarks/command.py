"""The command line: runs the comparisons and prints them."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from benchmarks import machine
from benchmarks.comparison import Column, compare
from benchmarks.leased_tasks import LeasedTasks, MysqlTasks, PostgresTasks, SqliteTasks, lease_template
from benchmarks.mysql_ways import BareCommits
from benchmarks.mysql_ways import Statements as MysqlStatements
from benchmarks.postgresql_ways import Pgbench, Statements
from benchmarks.servers import ENGINES, mysql_database, open_store, postgresql_database
from benchmarks.sqlite_ways import OneCommitEach
from benchmarks.ways import Http, StoreCalls, Way
from byssus.database_url import sqlite_path
from tests.engines.databases import SqliteDatabases
from tests.engines.mysql_databases import connect as connect_to_mysql

_LOGIN = "test_app"


def main() -> None:
    """Measure, then print a table or JSON."""
    options = _options()
    facts, columns = machine.machine(), []
    for engine in ENGINES if options.engine == "all" else [options.engine]:
        if engine == "postgresql":
            columns += _on_postgresql(options, facts)
        elif engine == "sqlite":
            columns += _on_sqlite(options)
        else:
            columns += _on_mysql(engine, options, facts)
    for clients in options.clients:
        facts[f"load generator alone, {clients} clients"] = (
            f"{machine.generator_alone(clients):,.0f} per second"
        )
    if options.json:
        print(json.dumps({"machine": facts, "measured": _measured(columns)}, indent=2))
    else:
        _print(facts, columns)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="What one transition costs on its way to the database.")
    parser.add_argument("--engine", choices=(*ENGINES, "all"), default="all")
    parser.add_argument("--seconds", type=float, default=3, help="of each way in each round (default 3)")
    parser.add_argument("--rounds", type=int, default=5, help="turns of all ways (default 5)")
    parser.add_argument("--clients", type=_counts, default=(1, 8, 32), help="default 1,8,32")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    return parser.parse_args()


def _counts(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


def _on_postgresql(options: argparse.Namespace, facts: machine.Facts) -> list[Column]:
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server, database = stack.enter_context(postgresql_database(facts))
        runner, store = stack.enter_context(open_store(database.app_url, max(options.clients)))
        tasks = PostgresTasks(database.url, runner.run(lease_template(store)))
        stack.callback(tasks.close)
        http = Http(database.app_url, directory)
        stack.callback(http.close)
        statements = Statements(runner, database.url_of("test_owner"))
        stack.callback(statements.close)
        ways: list[Way] = [
            Pgbench(server.binaries / "pgbench", server.directory, database.name, _LOGIN),
            StoreCalls("store", runner, store),
            http,
            statements,
        ]
        return _compare_all("postgresql", ways, tasks, options)


def _on_mysql(engine: str, options: argparse.Namespace, facts: machine.Facts) -> list[Column]:
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server, database = stack.enter_context(mysql_database(engine, facts))
        runner, store = stack.enter_context(open_store(database.app_url, max(options.clients)))
        tasks = MysqlTasks(server.connect(database.name), runner.run(lease_template(store)))
        stack.callback(tasks.close)
        owner = stack.enter_context(closing(connect_to_mysql(database.url)))
        bare = BareCommits(runner, database.url, owner)
        stack.callback(bare.close)
        http = Http(database.app_url, directory)
        stack.callback(http.close)
        statements = MysqlStatements(runner, database.url)
        stack.callback(statements.close)
        ways: list[Way] = [bare, StoreCalls("store", runner, store), http, statements]
        return _compare_all(engine, ways, tasks, options)


def _on_sqlite(options: argparse.Namespace) -> list[Column]:
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        database = stack.enter_context(SqliteDatabases(directory).upgraded())
        runner, store = stack.enter_context(open_store(database.url, 1))
        path = sqlite_path(database.url)
        tasks = SqliteTasks(path, runner.run(lease_template(store)))
        stack.callback(tasks.close)
        one_each = OneCommitEach(runner, path)
        stack.callback(one_each.close)
        http = Http(database.url, directory)
        stack.callback(http.close)
        ways: list[Way] = [one_each, StoreCalls("store with group commit", runner, store), http]
        return _compare_all("sqlite", ways, tasks, options)


def _compare_all(
    engine: str, ways: Sequence[Way], tasks: LeasedTasks, options: argparse.Namespace
) -> list[Column]:
    columns = []
    for clients in options.clients:
        print(f"{engine}, {clients} clients ...", file=sys.stderr)
        columns += compare(engine, ways, tasks, clients, rounds=options.rounds, seconds=options.seconds)
    return columns


def _measured(columns: list[Column]) -> list[dict[str, object]]:
    """As JSON: each column with its ratio to the first way of its engine and number of clients."""
    return [
        {
            "engine": column.engine,
            "way": column.way,
            "clients": column.clients,
            "rates": [round(rate, 1) for rate in column.rates],
            "rate": round(column.rate, 1),
            "ratio": round(column.ratio_to(_ceiling_of(column, columns)), 3),
            "cpu_microseconds": round(column.cpu_microseconds),
            "cpu_ratio": round(column.cpu_ratio_to(_ceiling_of(column, columns)), 3),
            "generator_share": column.generator_share,
        }
        for column in columns
    ]


def _ceiling_of(column: Column, columns: list[Column]) -> Column:
    return next(c for c in columns if (c.engine, c.clients) == (column.engine, column.clients))


def _print(facts: machine.Facts, columns: list[Column]) -> None:
    for name, value in facts.items():
        print(f"{name:42} {value}")
    titles = ("per second", "lowest", "highest", "ratio", "CPU us", "ratio", "generator")
    print("\n" + " " * 44 + "".join(f"{title:>11}" for title in titles))
    for column in columns:
        ceiling, share = _ceiling_of(column, columns), column.generator_share
        print(
            f"{column.engine:11}{column.clients:3} clients  {column.way:22}"
            f"{column.rate:11,.0f}{min(column.rates):11,.0f}{max(column.rates):11,.0f}"
            f"{column.ratio_to(ceiling):11.2f}"
            f"{column.cpu_microseconds:11,.0f}{column.cpu_ratio_to(ceiling):11.2f}"
            f"{'' if share is None else f'{share:.0%}':>11}"
        )
