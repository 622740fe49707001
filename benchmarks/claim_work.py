"""What a claim makes a database do: the plans of its statements, and what they read, which does not vary."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import psycopg

from benchmarks.long_runs import LongRuns, polls_for
from benchmarks.suffix_claims import check, release
from byssus.schema.revisions import MysqlConnection
from byssus.store import Store
from byssus.store.answer import Answer
from byssus.store.postgresql import SESSION_OPTIONS
from byssus.store.sqlite.connections import connect
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.workflow_tasks.claim_workflow_task import claim_workflow_task

_CLAIMS = 5


class Work(NamedTuple):
    """`figures` by what they count; `plans` say how often rows were looked for in what way."""

    figures: dict[str, int]
    plans: dict[str, int]


class WatchedClaims(Protocol):
    """A session that does what the store's sessions do, and is watched."""

    def claim(self, polls: str) -> tuple[Answer, Work]:
        """Claim for one poll; the answer, and what it took."""


async def work_of_suffixes(store: Store, watched: WatchedClaims, prepared: list[LongRuns]) -> list[Work]:
    """The work of a claim that brings a suffix, for each length."""
    return [await _work(store, watched, runs) for runs in prepared]


async def _work(store: Store, watched: WatchedClaims, runs: LongRuns) -> Work:
    """What most claims take: the first of a second makes the rows that those behind it count in."""
    works = []
    for number in range(_CLAIMS):
        answer, work = watched.claim(polls_for(runs, f"watched-{number}"))
        await release(store, check(answer, runs, is_suffix=True))
        works.append(work)
    return max(works, key=works.count)


class PostgresClaims:
    """Counts index scans and rows; the plans come from auto_explain, which takes a superuser."""

    def __init__(self, url: str) -> None:
        self._connection = psycopg.connect(url, autocommit=True, options=SESSION_OPTIONS)
        self._connection.execute("load 'auto_explain'")

    def close(self) -> None:
        """Disconnect."""
        self._connection.close()

    def claim(self, polls: str) -> tuple[Answer, Work]:
        plans: Counter[str] = Counter()

        def note(diagnostic: psycopg.errors.Diagnostic) -> None:
            _, found, text = (diagnostic.message_primary or "").partition("plan:\n")
            if found:
                plans.update(_scans(json.loads(text)["Plan"]))

        with self._connection.transaction():
            before = self._counted()
            self._connection.execute(
                "set local auto_explain.log_min_duration = 0; set local auto_explain.log_analyze = on;"
                "set local auto_explain.log_nested_statements = on; set local auto_explain.log_timing = off;"
                "set local auto_explain.log_format = json; set local client_min_messages = log"
            )
            self._connection.add_notice_handler(note)
            row = self._connection.execute(
                "select outcome, body, hints from byssus.claim_workflow_task(%s)", [polls]
            ).fetchone()
            self._connection.remove_notice_handler(note)
            self._connection.execute("set local auto_explain.log_min_duration = -1")
            figures = self._counted() - before
        assert row is not None
        return Answer(*row), Work(dict(figures), dict(plans))

    def _counted(self) -> Counter[str]:
        """What this transaction has read so far of each table."""
        counted: Counter[str] = Counter()
        for table, ranges, rows, scans, scanned in self._connection.execute(
            "select relname, idx_scan, idx_tup_fetch, seq_scan, seq_tup_read from pg_stat_xact_user_tables"
            " where schemaname = 'byssus'"
        ):
            counted[f"{table}, index ranges"] = ranges or 0
            counted[f"{table}, rows of them"] = rows or 0
            counted[f"{table}, scans"] = scans
            counted[f"{table}, rows of scans"] = scanned
        return counted


def _scans(node: dict[str, Any]) -> Iterator[str]:
    """One line per time that a plan looked for rows of a table."""
    if "Scan" in node["Node Type"] and "Relation Name" in node:
        condition = node.get("Index Cond", "no condition")
        how = node.get("Index Name", node["Relation Name"])
        yield from [f"{node['Node Type']} {how} {condition}"] * int(node["Actual Loops"])
    for child in node.get("Plans", []):
        yield from _scans(child)


class SqliteClaims:
    """Counts instructions of SQLite's virtual machine; the plans come from EXPLAIN QUERY PLAN."""

    def __init__(self, path: Path) -> None:
        self._connection = connect(path)
        self._session = Session(self._connection, lambda: datetime.now(UTC), may_write=True)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def claim(self, polls: str) -> tuple[Answer, Work]:
        statements: list[str] = []
        instructions = 0

        def count_one() -> int:
            nonlocal instructions
            instructions += 1
            return 0

        self._connection.execute("begin immediate")
        self._connection.set_trace_callback(statements.append)
        self._connection.set_progress_handler(count_one, 1)
        [answer] = claim_workflow_task(self._session, polls)
        self._connection.set_progress_handler(None, 0)
        self._connection.set_trace_callback(None)
        self._connection.execute("commit")
        figures = {"statements": len(statements), "instructions": instructions}
        plans = Counter(
            search for statement in statements for search in _searches(self._connection, statement)
        )
        return answer, Work(figures, dict(plans))


def _searches(connection: sqlite3.Connection, statement: str) -> list[str]:
    plan = [detail for *_, detail in connection.execute(f"explain query plan {statement}")]
    return [detail for detail in plan if detail.startswith(("SEARCH", "SCAN")) and "json_each" not in detail]


class MysqlClaims:
    """Counts rows that the engine was asked for; neither MySQL nor MariaDB explains what a procedure runs."""

    def __init__(self, connection: MysqlConnection) -> None:
        self._connection = connection
        self._cursor = connection.cursor()
        # Rows that the engine would pass over on its own count too.
        self._cursor.execute("set session optimizer_switch = 'index_condition_pushdown=off'")
        self._cursor.execute("set session time_zone = '+00:00'")

    def close(self) -> None:
        """Disconnect."""
        self._connection.close()

    def claim(self, polls: str) -> tuple[Answer, Work]:
        before = self._counted()
        self._cursor.execute("call claim_workflow_task(%s)", [polls])
        row = self._cursor.fetchone()
        while self._cursor.nextset():
            pass
        assert row is not None
        return Answer(*row), Work(dict(self._counted() - before), {})

    def _counted(self) -> Counter[str]:
        self._cursor.execute("show session status where variable_name like 'Handler_read%'")
        counted: Counter[str] = Counter({name: int(value) for name, value in self._cursor.fetchall()})
        self._cursor.execute("show session status like 'Sort_rows'")
        counted.update({name: int(value) for name, value in self._cursor.fetchall()})
        return counted
