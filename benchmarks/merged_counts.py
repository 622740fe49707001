"""What a server has been asked for, by its log, and what its database has done, by the database itself."""

from __future__ import annotations

import re
import sqlite3
import struct
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, LiteralString, NamedTuple, Protocol

import msgspec
import psycopg

from benchmarks import machine
from benchmarks.servers import mysql_database, postgresql_database
from byssus.database_url import sqlite_path
from byssus.store import transitions as t
from tests.engines.databases import Database, SqliteDatabases
from tests.engines.mysql_databases import tables

NOTIFICATION = "pg_notify"
LOOPS = frozenset(
    transition.name
    for transition in (
        t.FIRE_DUE_TIMERS,
        t.EXPIRE_LEASES,
        t.ENFORCE_TIMEOUTS,
        t.PRUNE_RECEIPTS,
        t.PROBE_WAKEUPS,
        t.RECORD_POLLS,
    )
)
"""What the server calls of itself."""

_NAMES = frozenset(transition.name for transition in t.TRANSITIONS)
_ENDED: LiteralString = (
    "select count(*), min(started_at), max(closed_at) from {}"
    " where workflow_id like %s and status = 'completed'"
)


class Ended(NamedTuple):
    """How many workflows have come to a good end, and the time from the first start to the last end."""

    workflows: int
    seconds: float


class Counted(Protocol):
    """A database that counts."""

    @property
    def database(self) -> Database:
        """The database, upgraded and empty."""

    def settle(self) -> None:
        """Let the planner know what has been written, and write out what is still to be written."""

    def ended(self, prefix: str) -> Ended:
        """The workflows whose ids have a prefix."""

    def statements(self) -> Counter[str] | None:
        """Statements that the server has sent: calls by transition, and notifications. None: not counted."""

    def commits(self) -> int:
        """Commits so far, but for those of loops and notifications where these are known."""


@contextmanager
def counted(engine: str, facts: machine.Facts, directory: Path) -> Iterator[Counted]:
    """A database on a server of its own, which `facts` are told of."""
    with ExitStack() as stack:
        if engine == "postgresql":
            preload = {"shared_preload_libraries": "pg_stat_statements"}
            server, database = stack.enter_context(postgresql_database(facts, **preload))
            yield stack.enter_context(closing(_Postgres(database, server.url())))
        elif engine == "sqlite":
            yield stack.enter_context(
                closing(_Sqlite(stack.enter_context(SqliteDatabases(directory).upgraded())))
            )
        else:
            watched = {"performance_schema": "ON"}
            mysql, database = stack.enter_context(mysql_database(engine, facts, **watched))
            yield stack.enter_context(closing(_Mysql(database, mysql.connect(database.name))))


class Request(msgspec.Struct):
    """A line of the server's log."""

    event: str
    transition: str | None = None
    outcome: str = ""


def requests(log: Path, begin: int = 0) -> Counter[tuple[str, str]]:
    """The requests in a log from an offset on: how often each transition had each outcome."""
    lines = log.read_bytes()[begin:].splitlines()
    said = [msgspec.json.decode(line, type=Request) for line in lines if line.startswith(b"{")]
    return Counter((each.transition or "", each.outcome) for each in said if each.event == "request")


class _Postgres:
    """Statements by pg_stat_statements; commits by the commit records in the write-ahead log.

    Each notification is a commit of its own. Loops that find nothing to do write nothing.
    """

    _CALL = re.compile(r"byssus\.(\w+)\(")

    def __init__(self, database: Database, watch_url: str) -> None:
        self.database = database
        self._connection: psycopg.Connection[Any] = psycopg.connect(database.url, autocommit=True)
        # What is asked here does not count among the database's own.
        self._watch: psycopg.Connection[Any] = psycopg.connect(watch_url, autocommit=True)
        self._watch.execute("create extension pg_stat_statements")
        self._watch.execute("create extension pg_walinspect")
        self._begin = self._flushed()
        self._commits = 0

    def close(self) -> None:
        self._connection.close()
        self._watch.close()

    def settle(self) -> None:
        self._connection.execute("vacuum analyze")
        self._connection.execute("checkpoint")

    def ended(self, prefix: str) -> Ended:
        row = self._connection.execute(_ENDED.format("byssus.runs"), [f"{prefix}.%"]).fetchone()
        return _ended(row)

    def statements(self) -> Counter[str]:
        rows = self._watch.execute(
            "select query, calls from pg_stat_statements s join pg_database d on d.oid = s.dbid"
            " join pg_roles r on r.oid = s.userid where datname = %s and not rolsuper",
            [self.database.name],
        ).fetchall()
        calls: Counter[str] = Counter()
        for query, number in rows:
            if found := self._CALL.search(query):
                calls[found[1]] += number
            elif NOTIFICATION in query:
                calls[NOTIFICATION] += number
        return calls

    def commits(self) -> int:
        end = self._flushed()
        row = self._watch.execute(
            "select coalesce(sum(count), 0)::bigint from pg_get_wal_stats(%s, %s, true)"
            """ where "resource_manager/record_type" = 'Transaction/COMMIT'""",
            [self._begin, end],
        ).fetchone()
        assert row is not None
        # A checkpoint may take old log away, so no piece is read twice.
        self._begin, self._commits = end, self._commits + int(row[0])
        return self._commits - self.statements()[NOTIFICATION]

    def _flushed(self) -> str:
        row = self._watch.execute("select pg_current_wal_flush_lsn()::text").fetchone()
        assert row is not None
        return str(row[0])


class _Mysql:
    """Statements by the performance schema, as CALLs of each procedure; commits by Com_commit.

    Each call is a commit, whether it has written or not.
    """

    def __init__(self, database: Database, connection: Any) -> None:
        self.database = database
        self._connection = connection

    def close(self) -> None:
        self._connection.close()

    def settle(self) -> None:
        self._rows(f"analyze table {', '.join(tables(self._connection))}")

    def ended(self, prefix: str) -> Ended:
        return _ended(self._rows(_ENDED.format("runs"), f"{prefix}.%")[0])

    def statements(self) -> Counter[str]:
        rows = self._rows(
            "select object_name, count_star from performance_schema.events_statements_summary_by_program"
            " where object_schema = %s",
            self.database.name,
        )
        return Counter({name: number for name, number in rows if name in _NAMES})

    def commits(self) -> int:
        commits = int(self._rows("show global status like 'Com_commit'")[0][1])
        return commits - sum(number for name, number in self.statements().items() if name in LOOPS)

    def _rows(self, query: str, *values: str) -> list[Any]:
        with self._connection.cursor() as cursor:
            cursor.execute(query, values)
            return list(cursor.fetchall())


class _Sqlite:
    """Commits by the counter of transactions that wrote, in the shared memory of the write-ahead log."""

    _COUNTER_OFFSET = 8

    def __init__(self, database: Database) -> None:
        self.database = database
        path = sqlite_path(database.url)
        self._shared = Path(f"{path}-shm")
        self._connection = sqlite3.connect(path)

    def close(self) -> None:
        self._connection.close()

    def settle(self) -> None:
        self._connection.execute("pragma wal_checkpoint(truncate)")

    def ended(self, prefix: str) -> Ended:
        query = _ENDED.format("runs").replace("%s", "?")
        return _ended(self._connection.execute(query, [f"{prefix}.%"]).fetchone())

    def statements(self) -> Counter[str] | None:
        return None

    def commits(self) -> int:
        [number] = struct.unpack_from("=I", self._shared.read_bytes(), self._COUNTER_OFFSET)
        return int(number)


def _ended(row: Any) -> Ended:
    workflows, first, last = row
    if not workflows:
        return Ended(0, 0.0)
    first, last = (_moment(moment) for moment in (first, last))
    return Ended(workflows, (last - first).total_seconds())


def _moment(moment: str | datetime) -> datetime:
    return datetime.fromisoformat(moment) if isinstance(moment, str) else moment
