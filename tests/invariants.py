"""An independent reader: what must hold for every run at every commit, read by SQL of its own.

It knows the tables and the wire form of events, and nothing of the store.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import psycopg
import pymysql
from psycopg import sql
from psycopg.rows import dict_row
from psycopg.types.string import TextLoader

from byssus.database_url import Engine, mysql_options, sqlite_path
from tests.engines.databases import Database

Row = Mapping[str, Any]
Tables = dict[str, list[Row]]
_Read = Callable[[], Iterator[tuple[str, list[Row]]]]

_SCHEMA_TABLES = ("alembic_version", "schema_progress", "schema_routines", "test_clock")
_TABLES_OF_RUNS = (
    "run_payloads",
    "history_events",
    "workflow_tasks",
    "affinities",
    "activities",
    "timers",
    "inbox",
    "receipts",
)

OPENINGS = {"ActivityScheduled", "TimerScheduled", "ConditionWaitOpened", "SideEffectRecorded"}
"""Events that stand for a command of workflow code, each at an authored position of its own."""

ACTIVITY_ENDS = {
    "ActivityCompleted": "completed",
    "ActivityFailed": "failed",
    "ActivityTimedOut": "timed_out",
    "ActivityCancelled": "cancelled",
}
RUN_ENDS = {
    "WorkflowCompleted": "completed",
    "WorkflowFailed": "failed",
    "WorkflowContinuedAsNew": "completed",
    "WorkflowCancelled": "cancelled",
    "WorkflowTerminated": "terminated",
    "WorkflowTimedOut": "failed",
}
WORKER_ENDS = {"WorkflowCompleted", "WorkflowFailed", "WorkflowContinuedAsNew"}
LATE_RESULTS = {
    "ActivityCompleted",
    "ActivityFailed",
    "ActivityTimedOut",
    "ActivityRetryScheduled",
    "TimerFired",
}
"""What was held while a worker's last commands were on their way, and so comes behind the terminal event."""


@contextmanager
def reader(database: Database) -> Iterator[Callable[[], Tables]]:
    """A function that reads every row of every table but those of the schema itself.

    It has a connection of its own.
    """
    with _READERS[database.dialect](database.url) as read:
        yield lambda: {name: sorted(rows, key=repr) for name, rows in read()}


@contextmanager
def _postgresql_reader(url: str) -> Iterator[_Read]:
    with psycopg.connect(url, autocommit=True, row_factory=dict_row) as connection:
        connection.adapters.register_loader("json", TextLoader)

        def read() -> Iterator[tuple[str, list[Row]]]:
            for table in connection.execute(
                "select relname from pg_class where relnamespace = 'byssus'::regnamespace and relkind = 'r'"
            ).fetchall():
                name = table["relname"]
                if name not in _SCHEMA_TABLES:
                    rows = connection.execute(sql.SQL("select * from byssus.{}").format(sql.Identifier(name)))
                    yield name, list(rows.fetchall())

        yield read


@contextmanager
def _sqlite_reader(url: str) -> Iterator[_Read]:
    with closing(sqlite3.connect(sqlite_path(url), isolation_level=None)) as connection:
        connection.row_factory = sqlite3.Row

        def read() -> Iterator[tuple[str, list[Row]]]:
            for (name,) in connection.execute(
                "select name from sqlite_schema where type = 'table'"
            ).fetchall():
                if name not in _SCHEMA_TABLES and not name.startswith("sqlite_"):
                    yield name, [dict(row) for row in connection.execute(f'select * from "{name}"')]

        yield read


@contextmanager
def _mysql_reader(url: str) -> Iterator[_Read]:
    options = mysql_options(url)
    connection = pymysql.connect(
        **options, charset="utf8mb4", autocommit=True, cursorclass=pymysql.cursors.DictCursor
    )
    with closing(connection), connection.cursor() as cursor:

        def read() -> Iterator[tuple[str, list[Row]]]:
            cursor.execute("SHOW FULL TABLES WHERE table_type = 'BASE TABLE'")
            for table in cursor.fetchall():
                name = next(iter(table.values()))
                if name not in _SCHEMA_TABLES:
                    cursor.execute(f"SELECT * FROM `{name}`")
                    yield name, list(cursor.fetchall())

        yield read


_READERS: dict[Engine, Callable[[str], AbstractContextManager[_Read]]] = {
    "sqlite": _sqlite_reader,
    "postgresql": _postgresql_reader,
    "mysql": _mysql_reader,
}


@dataclass(frozen=True)
class Event:
    """A history row, its wire form parsed."""

    sequence: int
    type: str
    payload: dict[str, Any]
    payload_bytes: int

    @property
    def position(self) -> Any:
        """The authored position that it belongs to, or None."""
        return self.payload.get("sequence")


@dataclass(frozen=True)
class RunView:
    """A run with everything that belongs to it."""

    row: Row
    events: list[Event]
    task: Row | None
    affinity: Row | None
    activities: list[Row]
    timers: list[Row]
    inbox: list[Row]

    @property
    def is_open(self) -> bool:
        """Whether it can still grow."""
        return self.row["closed_at"] is None

    def of_type(self, *types: str) -> list[Event]:
        """Its events of these types."""
        return [event for event in self.events if event.type in types]

    def held(self, *types: str) -> list[dict[str, Any]]:
        """The payloads of its held events of these types."""
        return [json.loads(row["payload"]) for row in self.inbox if row["event_type"] in types]

    @property
    def local_positions(self) -> set[Any]:
        """The authored positions of activities that a worker has run itself, with a workflow task."""
        scheduled = self.of_type("ActivityScheduled")
        return {event.position for event in scheduled if event.payload.get("execution_mode") == "local"}

    def ended_positions(self, *types: str) -> list[int]:
        """The authored positions that events of these types, recorded or held, have ended."""
        payloads = [event.payload for event in self.of_type(*types)] + self.held(*types)
        return [payload["sequence"] for payload in payloads]


def check(tables: Tables) -> None:
    """Raise AssertionError, naming the run, for the first invariant that does not hold."""
    runs = {row["run_id"]: row for row in tables["runs"]}
    for table in _TABLES_OF_RUNS:
        strays = {row["run_id"] for row in tables[table]} - runs.keys()
        assert not strays, f"{table} has rows of no run: {strays}"
    for run_id, row in runs.items():
        view = _view(tables, run_id, row)
        for law in _LAWS:
            law(view)
    for workflow in tables["workflows"]:
        _check_chain(workflow, list(runs.values()))


def _view(tables: Tables, run_id: str, row: Row) -> RunView:
    def own(table: str) -> list[Row]:
        return [candidate for candidate in tables[table] if candidate["run_id"] == run_id]

    tasks = own("workflow_tasks")
    assert len(tasks) <= 1, f"run {run_id} has {len(tasks)} open workflow tasks"
    affinities = own("affinities")
    assert len(affinities) <= 1, f"run {run_id} has {len(affinities)} affinities"
    events = [_event(stored) for stored in sorted(own("history_events"), key=lambda event: event["sequence"])]
    inbox = sorted(own("inbox"), key=lambda held: held["arrival"])
    return RunView(
        row,
        events,
        tasks[0] if tasks else None,
        affinities[0] if affinities else None,
        own("activities"),
        own("timers"),
        inbox,
    )


def _event(stored: Row) -> Event:
    """Parse a row, checking that its columns and its wire form say the same."""
    wire = stored["wire"]
    event = json.loads(wire)
    head = json.dumps(
        {
            "id": f"{stored['run_id']}:e{stored['sequence']}",
            "sequence": stored["sequence"],
            "event_type": stored["event_type"],
        },
        separators=(",", ":"),
    )
    tail = f',"recorded_at":"{event["recorded_at"]}"}}'
    assert wire.startswith(head[:-1] + ',"payload":{'), wire
    assert wire.endswith("}" + tail), wire
    assert list(event) == ["id", "sequence", "event_type", "payload", "recorded_at"], wire
    assert event["recorded_at"] == _wire_time(stored["recorded_at"]), wire
    size = len(wire.encode()) - len(head[:-1] + ',"payload":') - len(tail)
    return Event(event["sequence"], event["event_type"], event["payload"], size)


def _wire_time(moment: Any) -> str:
    """A stored moment in wire form; SQLite stores that form itself."""
    if isinstance(moment, str):
        return moment
    text: str = moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return text


def _sequence_is_dense(run: RunView) -> None:
    numbers = [event.sequence for event in run.events]
    assert numbers == list(range(1, len(numbers) + 1)), f"{_name(run)}: events {numbers}"
    assert run.row["last_history_sequence"] == len(numbers), f"{_name(run)}: last is not {len(numbers)}"


def _size_is_true(run: RunView) -> None:
    size = sum(len(event.type.encode()) + event.payload_bytes for event in run.events)
    assert run.row["history_size_bytes"] == size, f"{_name(run)}: its size is {size}"


def _positions_are_dense(run: RunView) -> None:
    openings = [event for event in run.events if event.type in OPENINGS and not _is_timeout(event.payload)]
    positions = [event.position for event in openings]
    wanted = list(range(1, run.row["last_authored_position"] + 1))
    assert positions == wanted, f"{_name(run)}: positions {positions}, not {wanted}"


def _everything_ends_once(run: RunView) -> None:
    timers = [e.payload for e in run.of_type("TimerFired", "TimerCancelled")] + run.held("TimerFired")
    ends = {
        "activity": run.ended_positions(*ACTIVITY_ENDS),
        "timer": [payload["sequence"] for payload in timers if not _is_timeout(payload)],
        "wait": _resolved_waits(run),
        "signal": [e.payload["signal_id"] for e in run.of_type("SignalRejected")],
        "receiver": [e.payload["signal_id"] for e in run.of_type("SignalReceived")],
    }
    for kind, ended in ends.items():
        twice = [name for name, times in Counter(ended).items() if times > 1]
        assert not twice, f"{_name(run)}: {kind} {twice} ended more than once"


def _resolved_waits(run: RunView) -> list[int]:
    recorded = run.of_type("ConditionWaitSatisfied", "ConditionWaitTimedOut")
    fired = [e for e in run.of_type("TimerFired") if _is_timeout(e.payload)]
    return [event.position for event in recorded + fired]


def _run_ends_once(run: RunView) -> None:
    assert run.events, f"{_name(run)}: no history"
    assert run.events[0].type == "WorkflowStarted", f"{_name(run)}: begins with {run.events[0].type}"
    assert len(run.of_type("WorkflowStarted")) == 1, f"{_name(run)}: started twice"
    ends = run.of_type(*RUN_ENDS)
    assert len(ends) == (0 if run.is_open else 1), f"{_name(run)}: ends {[end.type for end in ends]}"
    for end in ends:
        assert run.row["status"] == RUN_ENDS[end.type], f"{_name(run)}: ended by {end.type}"
        allowed = {"SignalRejected"} | (LATE_RESULTS if end.type in WORKER_ENDS else set())
        late = {event.type for event in run.events[end.sequence :]} - allowed
        assert not late, f"{_name(run)}: {late} behind {end.type}"


def _closed_runs_have_no_open_work(run: RunView) -> None:
    if not run.is_open:
        assert run.task is None, f"{_name(run)}: closed, with an open task"
        assert run.affinity is None, f"{_name(run)}: closed, with an affinity"
        assert not run.timers, f"{_name(run)}: closed, with timers"
        assert not run.inbox, f"{_name(run)}: closed, with held events"
        assert not _open_activities(run), f"{_name(run)}: closed, with open activities"
        assert run.row["open_wait_position"] is None, f"{_name(run)}: closed, with an open wait"


def _open_work_is_in_history(run: RunView) -> None:
    if not run.is_open:
        return
    scheduled = {event.position for event in run.of_type("ActivityScheduled")}
    ended = set(run.ended_positions(*ACTIVITY_ENDS))
    assert set(_open_activities(run)) == scheduled - ended, f"{_name(run)}: open activities"
    timers = {event.position for event in run.of_type("TimerScheduled")}
    fired = set(run.ended_positions("TimerFired", "TimerCancelled", "ConditionWaitSatisfied"))
    assert {timer["position"] for timer in run.timers} == timers - fired, f"{_name(run)}: pending timers"
    waits = {event.position for event in run.of_type("ConditionWaitOpened")} - set(_resolved_waits(run))
    position = run.row["open_wait_position"]
    assert waits == ({position} - {None}), f"{_name(run)}: waits {waits} are open in history, not {position}"


def _activities_agree_with_history(run: RunView) -> None:
    for event_type, status in ACTIVITY_ENDS.items():
        for position in set(run.ended_positions(event_type)) - run.local_positions:
            (row,) = [activity for activity in run.activities if activity["position"] == position]
            assert row["status"] == status, f"{_name(run)}: activity {position} is {row['status']}"


def _local_activities_are_recorded_whole(run: RunView) -> None:
    """Such an activity begins and ends in one breath, under one identity, and leaves no row."""
    rows = {activity["position"] for activity in run.activities}
    assert not rows & run.local_positions, (
        f"{_name(run)}: rows of local activities {rows & run.local_positions}"
    )
    for position in run.local_positions:
        of_it = [e for e in run.events if e.position == position]
        types = [event.type for event in of_it]
        assert len(types) == 2, f"{_name(run)}: local activity {position} is {types}"
        scheduled, ended = of_it
        assert types[0] == "ActivityScheduled", f"{_name(run)}: local activity {position} is {types}"
        assert types[1] in ACTIVITY_ENDS, f"{_name(run)}: local activity {position} is {types}"
        assert ended.sequence == scheduled.sequence + 1, f"{_name(run)}: local activity {position} is apart"
        for member in ("activity_execution_id", "activity_type", "execution_mode"):
            of_both = (scheduled.payload[member], ended.payload[member])
            assert of_both[0] == of_both[1], f"{_name(run)}: local activity {position}: {member} {of_both}"
        assert scheduled.payload["activity_execution_id"] == f"{run.row['run_id']}:a{position}"


def _news_is_true(run: RunView) -> None:
    position = run.row["open_wait_position"]
    if position is not None:
        (opened,) = [e for e in run.of_type("ConditionWaitOpened") if e.position == position]
        news = any(event.type == "SignalReceived" for event in run.events[opened.sequence :])
        assert bool(run.row["open_wait_has_news"]) == news, f"{_name(run)}: news for wait {position}"


def _held_events_have_a_reason(run: RunView) -> None:
    leased = run.task is not None and run.task["status"] == "leased"
    for held in run.inbox:
        early_signal = held["kind"] == "signal" and not run.row["has_answered_task"]
        assert leased or early_signal, f"{_name(run)}: {held['event_type']} is held without a lease"


def _task_agrees_with_run(run: RunView) -> None:
    task = run.task
    if run.row["status"] == "pending":
        assert task is not None, f"{_name(run)}: pending without a task"
        assert not run.row["has_answered_task"], f"{_name(run)}: pending, though it has answered"
    if task is None:
        return
    assert task["task_number"] <= run.row["last_history_sequence"], f"{_name(run)}: task from the future"
    for member in ("namespace", "task_queue", "workflow_type", "build_id", "priority"):
        assert task[member] == run.row[member], f"{_name(run)}: its task has another {member}"
    if task["status"] == "leased":
        last = run.row["last_history_sequence"]
        assert task["claimed_sequence"] == last, f"{_name(run)}: history moved under a lease"
        assert task["attempt"] >= 1, f"{_name(run)}: leased at attempt {task['attempt']}"


def _affinity_agrees_with_run(run: RunView) -> None:
    affinity = run.affinity
    if affinity is None:
        return
    last, size = run.row["last_history_sequence"], run.row["history_size_bytes"]
    reported = affinity["reported_sequence"]
    assert affinity["namespace"] == run.row["namespace"], f"{_name(run)}: its affinity is elsewhere"
    assert run.row["has_answered_task"], f"{_name(run)}: an affinity before the first answer"
    assert 1 <= affinity["delivered_sequence"] <= last, f"{_name(run)}: {affinity} of {last} events"
    assert reported is None or reported >= 1, f"{_name(run)}: {affinity}"
    assert 0 < affinity["history_size_bytes"] <= size, f"{_name(run)}: {affinity} of {size} bytes"


def _task_waits_for_nobody_but_its_affinity(run: RunView) -> None:
    task = run.task
    if task is None:
        return
    assert task["held_until"] >= task["available_at"], f"{_name(run)}: open to all before it is ready"
    if task["sticky_worker_id"] is None:
        assert task["held_until"] == task["available_at"], f"{_name(run)}: held for nobody"
    else:
        assert run.affinity is not None, f"{_name(run)}: its task has an affinity, it has none"
        for member, of_task in (
            ("sticky_worker_id", "sticky_worker_id"),
            ("registration_token", "sticky_registration_token"),
            ("sticky_until", "sticky_until"),
        ):
            assert task[of_task] == run.affinity[member], f"{_name(run)}: its task has another {member}"


def _lease_has_what_was_delivered(run: RunView) -> None:
    task, affinity = run.task, run.affinity
    if task is None or task["status"] != "leased":
        return
    after, delivered = task["after_sequence"], task["delivered_sequence"]
    assert 0 <= after <= delivered <= task["claimed_sequence"], f"{_name(run)}: {task}"
    assert task["sticky_claimed_at"] >= task["available_at"], f"{_name(run)}: claimed before it was ready"
    if task["sticky_replay_mode"] != "sticky_hit_expected":
        assert after == 0, f"{_name(run)}: a suffix for {task['sticky_replay_mode']}"
        return
    assert affinity is not None, f"{_name(run)}: a hit without an affinity"
    assert affinity["sticky_worker_id"] == task["lease_owner"], f"{_name(run)}: a hit of another worker"
    assert affinity["registration_token"] == task["registration_token"], f"{_name(run)}: of another process"
    assert affinity["sticky_until"] > task["sticky_claimed_at"], f"{_name(run)}: a hit too late"
    assert after in (0, affinity["reported_sequence"]), f"{_name(run)}: a suffix that was not reported"
    assert after <= affinity["delivered_sequence"], f"{_name(run)}: a suffix behind what was delivered"


def _check_chain(workflow: Row, runs: list[Row]) -> None:
    name = workflow["workflow_id"]
    own = [r for r in runs if (r["namespace"], r["workflow_id"]) == (workflow["namespace"], name)]
    chain = sorted(own, key=lambda run: int(run["run_number"]))
    assert [run["run_number"] for run in chain] == list(range(1, workflow["run_count"] + 1)), name
    assert workflow["first_run_id"] == chain[0]["run_id"], name
    assert workflow["current_run_id"] == chain[-1]["run_id"], name
    for older, newer in pairwise(chain):
        assert older["closed_at"] is not None, name
        assert older["continued_to_run_id"] == newer["run_id"], name
        assert newer["continued_from_run_id"] == older["run_id"], name


def _open_activities(run: RunView) -> list[int]:
    return [row["position"] for row in run.activities if row["status"] in ("pending", "running")]


def _is_timeout(payload: dict[str, Any]) -> bool:
    return payload.get("timer_kind") == "condition_timeout"


def _name(run: RunView) -> str:
    return f"run {run.row['run_id']}"


_LAWS: tuple[Callable[[RunView], None], ...] = (
    _sequence_is_dense,
    _size_is_true,
    _positions_are_dense,
    _everything_ends_once,
    _run_ends_once,
    _closed_runs_have_no_open_work,
    _open_work_is_in_history,
    _activities_agree_with_history,
    _local_activities_are_recorded_whole,
    _news_is_true,
    _held_events_have_a_reason,
    _task_agrees_with_run,
    _affinity_agrees_with_run,
    _task_waits_for_nobody_but_its_affinity,
    _lease_has_what_was_delivered,
)
