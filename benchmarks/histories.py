"""Long histories: rows of a run that has really gone on are repeated in others, with the guards on."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from benchmarks.leased_tasks import write_out_pages
from byssus.schema.revisions import MysqlConnection


class Event(NamedTuple):
    """A row of history, but for its run and sequence."""

    event_type: str
    recorded_at: Any
    wire: str


class Histories:
    """Histories in one database."""

    _place = "%s"

    def __init__(self, cursor: Any) -> None:
        self._cursor = cursor

    def read(self, run_id: str, first: int, last: int) -> list[Event]:
        """Events of a run, to be a pattern for others."""
        self._cursor.execute(
            f"select event_type, recorded_at, wire from history_events where run_id = {self._place}"
            f" and sequence between {self._place} and {self._place} order by sequence",
            [run_id, first, last],
        )
        return [Event(*row) for row in self._cursor.fetchall()]

    def prolong(self, run_id: str, last: int, pattern: list[Event]) -> None:
        """Append the events of one activity to a run that has one event, again and again, up to `last`."""
        self._cursor.execute("begin")
        # As append_history does: the run is advanced, then its events are inserted.
        self._cursor.execute(
            f"update runs set last_history_sequence = {self._place}, last_authored_position = {self._place}"
            f" where run_id = {self._place}",
            [last, _position(last), run_id],
        )
        self._insert(list(_rows(run_id, last, pattern)))
        self._cursor.execute("commit")

    def settle(self) -> None:
        """Bring the tables into the state that every round begins with."""
        raise NotImplementedError

    def _insert(self, rows: list[tuple[Any, ...]]) -> None:
        places = ", ".join([self._place] * 5)
        self._cursor.executemany(
            f"insert into history_events (run_id, sequence, event_type, recorded_at, wire) values ({places})",
            rows,
        )


class PostgresHistories(Histories):
    """Written with COPY, as a superuser."""

    def __init__(self, url: str) -> None:
        self._connection = psycopg.connect(url, autocommit=True, options="-c search_path=byssus")
        super().__init__(self._connection.cursor())

    def close(self) -> None:
        """Disconnect."""
        self._connection.close()

    def settle(self) -> None:
        self._cursor.execute("vacuum analyze")
        self._cursor.execute("checkpoint")

    def _insert(self, rows: list[tuple[Any, ...]]) -> None:
        statement = "copy history_events (run_id, sequence, event_type, recorded_at, wire) from stdin"
        with self._cursor.copy(statement) as copy:
            for row in rows:
                copy.write_row(row)


class SqliteHistories(Histories):
    """Written over a connection of its own."""

    _place = "?"

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        super().__init__(self._connection.cursor())

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def settle(self) -> None:
        self._cursor.execute("pragma wal_checkpoint(truncate)")


class MysqlHistories(Histories):
    """Written over a superuser's connection, which it closes."""

    def __init__(self, connection: MysqlConnection) -> None:
        self._connection = connection
        super().__init__(connection.cursor())

    def close(self) -> None:
        """Disconnect."""
        self._connection.close()

    def settle(self) -> None:
        self._cursor.execute("analyze table affinities, history_events, runs, workflow_tasks")
        write_out_pages(self._cursor)


def _rows(run_id: str, last: int, pattern: list[Event]) -> Iterator[tuple[Any, ...]]:
    for sequence in range(2, last + 1):
        event = pattern[sequence % len(pattern)]
        wire = json.loads(event.wire)
        activity_id = wire["payload"]["activity_execution_id"]
        wire |= {"id": f"{run_id}:e{sequence}", "sequence": sequence}
        wire["payload"]["sequence"] = _position(sequence)
        text = json.dumps(wire, separators=(",", ":")).replace(
            activity_id, f"{run_id}:a{_position(sequence)}"
        )
        yield run_id, sequence, event.event_type, event.recorded_at, text


def _position(sequence: int) -> int:
    """The authored position of the activity that an event belongs to; each has two, from the second on."""
    return sequence // 2
