"""Leased workflow tasks for the timed calls: one is made by the store, the others are copies of its rows.

Tasks have numbers, and everything about a task follows from its number, so that any client can make its own
calls. Each call completes a task of its own with one `schedule_activity`.
"""

from __future__ import annotations

import json
import sqlite3
import time
from pathlib import Path
from typing import Any, Protocol

import msgspec
import psycopg
from psycopg import sql

from byssus.http.commands import normalise
from byssus.http.documents import digest
from byssus.schema.revisions import MysqlConnection
from byssus.store import Arguments, Store
from byssus.store import transitions as t

NAMESPACE = "default"
TASK_QUEUE = "benchmark"
WORKER = "benchmark-worker"
ATTEMPT = 1
PAYLOAD = {"codec": "avro", "blob": "AkZhIHBheWxvYWQgb2YgYSBkb3plbiB3b3JkcyBvciBzbwA="}
COMMAND = {
    "type": "schedule_activity",
    "activity_type": "charge_card",
    "queue": TASK_QUEUE,
    "arguments": PAYLOAD,
}
COMMANDS = normalise([msgspec.Raw(msgspec.json.encode(COMMAND))])
DIGEST = digest(COMMANDS)

RUN_ID_BEGIN = "01900000-0000-7000-8000-"
TASK_ID_END = ":k1"

_TABLES = ("workflows", "runs", "run_payloads", "history_events", "workflow_tasks")
_LEASE_SECONDS = 86_400
_SETTLING_SECONDS = 60
_FEW_PAGES = 50
_WORKFLOW_ID = "benchmark-template"


def run_id(number: int) -> str:
    """The run of a task."""
    return f"{RUN_ID_BEGIN}{number:012d}"


def task_id(number: int) -> str:
    """The id of a task."""
    return f"{run_id(number)}{TASK_ID_END}"


def completion(number: int) -> Arguments:
    """The arguments of the transition that is measured."""
    return {
        "namespace": NAMESPACE,
        "task_id": task_id(number),
        "lease_owner": WORKER,
        "attempt": ATTEMPT,
        "commands": COMMANDS,
        "digest": DIGEST,
        "sticky": None,
        "carried": None,
    }


class LeasedTasks(Protocol):
    """A supply of leased tasks in one database."""

    def prepare(self, count: int) -> int:
        """Make that many, with consecutive numbers; the first number."""

    def completed(self) -> int:
        """How many have been completed so far, by what the database says."""


async def lease_template(store: Store) -> str:
    """Register the worker, start a run and lease its task; the run's id."""
    await store.call(
        t.REGISTER_WORKER,
        {
            "namespace": NAMESPACE,
            "worker_id": WORKER,
            "task_queue": TASK_QUEUE,
            "registration": json.dumps(_REGISTRATION),
        },
    )
    await store.call(
        t.START_RUN,
        {
            "namespace": NAMESPACE,
            "workflow_id": _WORKFLOW_ID,
            "workflow_type": "benchmark",
            "task_queue": TASK_QUEUE,
            "duplicate_policy": "fail",
            "request_id": None,
            "digest": DIGEST,
            "start": json.dumps({"input": json.dumps(PAYLOAD), "priority": 5, "fairness_weight": 1}),
        },
    )
    poll = {
        "namespace": NAMESPACE,
        "worker_id": WORKER,
        "task_queue": TASK_QUEUE,
        "poll_request_id": "benchmark-poll",
        "page_size": 100,
        "lease_seconds": _LEASE_SECONDS,
        "sticky_execution": True,
        "hold_seconds": 5,
        "polling_seconds": 10,
    }
    [answer] = await store.call(t.CLAIM_WORKFLOW_TASK, {"polls": json.dumps([poll])})
    claimed: str = json.loads(answer.body)["task"]["task_id"]
    return claimed.removesuffix(TASK_ID_END)


class PostgresTasks:
    """Copies the template's rows with COPY, as a superuser."""

    def __init__(self, url: str, template: str) -> None:
        self._connection = psycopg.connect(url, autocommit=True)
        self._template = template.encode()
        self._rows = {table: self._row(table) for table in _TABLES}
        self._next = 1

    def close(self) -> None:
        """Disconnect."""
        self._connection.close()

    def prepare(self, count: int) -> int:
        first, self._next = self._next, self._next + count
        with self._connection.transaction():
            for table in _TABLES:
                if row := self._rows[table]:
                    self._copy(table, row, range(first, self._next))
        # Every measured stretch begins with tables, statistics and write-ahead log in the same state.
        self._connection.execute("vacuum analyze")
        self._connection.execute("checkpoint")
        return first

    def completed(self) -> int:
        [count] = self._connection.execute("select count(*) from byssus.receipts").fetchone() or (0,)
        return int(count)

    def _row(self, table: str) -> bytes:
        statement = sql.SQL("copy byssus.{} to stdout").format(sql.Identifier(table))
        with self._connection.cursor().copy(statement) as copy:
            return b"".join(bytes(chunk) for chunk in copy)

    def _copy(self, table: str, row: bytes, numbers: range) -> None:
        statement = sql.SQL("copy byssus.{} from stdin").format(sql.Identifier(table))
        with self._connection.cursor().copy(statement) as copy:
            for number in numbers:
                new = run_id(number).encode()
                copy.write(row.replace(self._template, new).replace(_WORKFLOW_ID.encode(), b"w-" + new))


class _GuardedTasks:
    """Copies the template's rows in the order that the guards ask for."""

    _begin: str
    _place: str

    def __init__(self, cursor: Any, template: str) -> None:
        self._cursor = cursor
        self._template = template
        self._rows = {table: self._row(table) for table in _TABLES}
        self._next = 1

    def prepare(self, count: int) -> int:
        first, self._next = self._next, self._next + count
        self._cursor.execute(self._begin)
        numbers = range(first, self._next)
        # A run without history, its advance, its events.
        self._insert("runs", self._rows["runs"] | {"last_history_sequence": 0}, numbers)
        self._cursor.execute(
            f"update runs set last_history_sequence = {self._place} where last_history_sequence = 0",
            [self._rows["runs"]["last_history_sequence"]],
        )
        for table in _TABLES:
            if table != "runs":
                self._insert(table, self._rows[table], numbers)
        self._cursor.execute("commit")
        self._settle()
        return first

    def completed(self) -> int:
        self._cursor.execute("select count(*) from receipts")
        [count] = self._cursor.fetchone()
        return int(count)

    def _columns(self, table: str) -> list[str]:
        """Those that are not generated."""
        raise NotImplementedError

    def _settle(self) -> None:
        """Bring the tables into the state that every measured stretch begins with."""
        raise NotImplementedError

    def _row(self, table: str) -> dict[str, object]:
        columns = self._columns(table)
        self._cursor.execute(f"select {', '.join(columns)} from {table}")
        return dict(zip(columns, self._cursor.fetchone(), strict=True))

    def _insert(self, table: str, row: dict[str, object], numbers: range) -> None:
        places = ", ".join([self._place] * len(row))
        self._cursor.executemany(
            f"insert into {table} ({', '.join(row)}) values ({places})",
            ([self._renamed(value, number) for value in row.values()] for number in numbers),
        )

    def _renamed(self, value: object, number: int) -> object:
        if not isinstance(value, str):
            return value
        new = run_id(number)
        return value.replace(self._template, new).replace(_WORKFLOW_ID, f"w-{new}")


class SqliteTasks(_GuardedTasks):
    """Copies the template's rows over a connection of its own."""

    _begin = "begin immediate"
    _place = "?"

    def __init__(self, path: Path, template: str) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        super().__init__(self._connection.cursor(), template)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _columns(self, table: str) -> list[str]:
        self._cursor.execute("select name from pragma_table_info(?)", [table])
        return [name for (name,) in self._cursor]

    def _settle(self) -> None:
        self._cursor.execute("pragma wal_checkpoint(truncate)")


class MysqlTasks(_GuardedTasks):
    """Copies the template's rows over a superuser's connection, which it closes."""

    _begin = "begin"
    _place = "%s"

    def __init__(self, connection: MysqlConnection, template: str) -> None:
        self._connection = connection
        super().__init__(connection.cursor(), template)

    def close(self) -> None:
        """Disconnect."""
        self._connection.close()

    def _columns(self, table: str) -> list[str]:
        self._cursor.execute(
            "select column_name from information_schema.columns where table_schema = database()"
            " and table_name = %s and coalesce(generation_expression, '') = ''",
            [table],
        )
        return [name for (name,) in self._cursor]

    def _settle(self) -> None:
        self._cursor.execute(f"analyze table {', '.join(_TABLES)}")
        write_out_pages(self._cursor)


def write_out_pages(cursor: Any) -> None:
    """Let InnoDB write what has changed, as a superuser, so that no stretch writes what came before it."""
    cursor.execute("set global innodb_max_dirty_pages_pct = 0")
    deadline = time.monotonic() + _SETTLING_SECONDS
    while _dirty_pages(cursor) > _FEW_PAGES:
        if time.monotonic() > deadline:
            raise RuntimeError("the server does not come to writing out its pages")
        time.sleep(0.05)
    cursor.execute("set global innodb_max_dirty_pages_pct = 90")


def _dirty_pages(cursor: Any) -> int:
    cursor.execute("show global status like 'Innodb_buffer_pool_pages_dirty'")
    [_, pages] = cursor.fetchone()
    return int(pages)


_REGISTRATION = {
    "runtime": "benchmark",
    "workflow_types": '["benchmark"]',
    "activity_types": '["charge_card"]',
    "workflow_definition_fingerprints": "{}",
    "workflow_command_contracts": "{}",
    "capabilities": "[]",
    "capability_manifest": "{}",
    "sticky_execution": False,
    "sticky_history_suffix": False,
    "merged_transitions": False,
    "max_concurrent_workflow_tasks": 100,
    "max_concurrent_activity_tasks": 100,
    "max_concurrent_worker_sessions": 100,
    "task_slots": "{}",
    "process_metrics": "{}",
    "stale_seconds": 60,
    "protocol_version": "1.20",
}
