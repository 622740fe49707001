"""The guards of history: what does not come through append_history is refused, whoever tries.

Each attempt runs in a transaction of its own, as the owner of the tables, and must leave no trace.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing

import psycopg
import pymysql
import pytest

from byssus.database_url import Engine, sqlite_path
from byssus.schema.revisions import MysqlConnection
from tests.engines.databases import Database
from tests.engines.mysql_databases import connect
from tests.transitions.commands import schedule
from tests.transitions.conftest import Dump
from tests.transitions.driver import Driver

Refusal = Callable[..., str]

MYSQL_CODES = {31001: "BY001", 31002: "BY002", 31003: "BY003"}
DUPLICATES = ("23505", str(pymysql.constants.ER.DUP_ENTRY))

MOMENT = "2030-01-01T00:00:00.000000Z"


@pytest.fixture
async def run_id(driver: Driver) -> str:
    """A run with two events."""
    return await driver.begin(schedule())


@pytest.fixture
def refusal(database: Database, dump: Dump) -> Refusal:
    """Runs statements in one transaction, which must be refused without a trace. The code and the message."""
    attempts: dict[Engine, Callable[[Database, Sequence[str]], str]] = {
        "sqlite": _attempt_sqlite,
        "postgresql": _attempt_postgresql,
        "mysql": _attempt_mysql,
    }
    attempt = attempts[database.dialect]

    def refused(*statements: str) -> str:
        before = dump()
        message = attempt(database, statements)
        assert dump() == before
        return message

    return refused


def _attempt_postgresql(database: Database, statements: Sequence[str]) -> str:
    with psycopg.connect(database.url_of("test_owner"), autocommit=True) as connection:
        connection.execute("set search_path to byssus")
        with pytest.raises(psycopg.Error) as fault:
            _run_together(connection, statements)
    return f"{fault.value.sqlstate}: {fault.value}"


def _run_together(connection: psycopg.Connection[tuple[object, ...]], statements: Sequence[str]) -> None:
    with connection.transaction():
        for statement in statements:
            connection.execute(statement.encode())


def _attempt_sqlite(database: Database, statements: Sequence[str]) -> str:
    with pytest.raises(sqlite3.Error) as fault:
        _run_in_file(database, statements)
    return str(fault.value)


def _run_in_file(database: Database, statements: Sequence[str]) -> None:
    with closing(sqlite3.connect(sqlite_path(database.url))) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def _attempt_mysql(database: Database, statements: Sequence[str]) -> str:
    with closing(connect(database.url)) as connection:
        with pytest.raises(pymysql.Error) as fault:
            _run_in_transaction(connection, statements)
        connection.rollback()
    number, message, *_ = fault.value.args
    return f"{MYSQL_CODES.get(number, number)}: {message}"


def _run_in_transaction(connection: MysqlConnection, statements: Sequence[str]) -> None:
    connection.begin()
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement.replace(MOMENT, MOMENT.rstrip("Z")))
    connection.commit()


def _names_run(database: Database, message: str, run_id: str) -> bool:
    """SQLite's triggers cannot put a value into their message."""
    return database.dialect == "sqlite" or run_id in message


def _insert(run_id: str, *sequences: int) -> str:
    rows = ", ".join(
        f"('{run_id}', {sequence}, 'SignalReceived', '{MOMENT}', '{{}}')" for sequence in sequences
    )
    return f"insert into history_events (run_id, sequence, event_type, recorded_at, wire) values {rows}"


def _advance(run_id: str, by: int) -> str:
    return f"update runs set last_history_sequence = last_history_sequence + ({by}) where run_id = '{run_id}'"


@pytest.mark.parametrize("sequence", [3, 4, 1000], ids=["next", "gap", "far"])
def test_a_row_that_the_run_was_not_advanced_for_is_refused(
    database: Database, run_id: str, refusal: Refusal, sequence: int
) -> None:
    message = refusal(_insert(run_id, sequence))
    assert message.startswith("BY001")
    assert _names_run(database, message, run_id)


def test_a_row_behind_a_gap_is_refused_also_when_the_run_was_advanced(
    database: Database, run_id: str, refusal: Refusal
) -> None:
    message = refusal(_advance(run_id, 2), _insert(run_id, 4))
    assert message.startswith("BY001")
    assert _names_run(database, message, run_id)


def test_rows_with_a_gap_between_them_are_refused(database: Database, run_id: str, refusal: Refusal) -> None:
    message = refusal(_advance(run_id, 3), _insert(run_id, 3, 5))
    assert message.startswith("BY001")
    assert _names_run(database, message, run_id)


def test_more_rows_than_the_run_was_advanced_by_are_refused(
    database: Database, run_id: str, refusal: Refusal
) -> None:
    message = refusal(_advance(run_id, 1), _insert(run_id, 3, 4))
    assert message.startswith("BY001")
    assert _names_run(database, message, run_id)


@pytest.mark.parametrize("sequence", [1, 2], ids=["old", "last"])
def test_a_number_that_is_taken_is_refused(run_id: str, refusal: Refusal, sequence: int) -> None:
    message = refusal(_insert(run_id, sequence))
    assert message.startswith(("BY001", *DUPLICATES))


@pytest.mark.parametrize("sequence", [0, -1])
def test_a_number_before_the_first_is_refused(run_id: str, refusal: Refusal, sequence: int) -> None:
    refusal(_insert(run_id, sequence))


def test_a_row_of_no_run_is_refused(database: Database, refusal: Refusal) -> None:
    stranger = "00000000-0000-7000-8000-000000000000"
    message = refusal(_insert(stranger, 1))
    assert message.startswith("BY001")
    assert _names_run(database, message, stranger)


@pytest.mark.parametrize(
    "change", ["wire = '{}'", "sequence = 7", "event_type = 'Other'", f"recorded_at = '{MOMENT}'"]
)
def test_no_row_is_updated(database: Database, run_id: str, refusal: Refusal, change: str) -> None:
    message = refusal(f"update history_events set {change} where run_id = '{run_id}' and sequence = 2")
    assert message.startswith("BY002")
    assert _names_run(database, message, run_id)


def test_no_row_of_a_run_is_deleted(database: Database, run_id: str, refusal: Refusal) -> None:
    message = refusal(f"delete from history_events where run_id = '{run_id}' and sequence = 2")
    assert message.startswith("BY002")
    assert _names_run(database, message, run_id)


def test_history_is_not_rewound_together_with_its_run(run_id: str, refusal: Refusal) -> None:
    refusal(_advance(run_id, -1), f"delete from history_events where run_id = '{run_id}' and sequence = 2")


def test_a_run_is_not_set_back(database: Database, run_id: str, refusal: Refusal) -> None:
    message = refusal(_advance(run_id, -1))
    assert message.startswith("BY003")
    assert _names_run(database, message, run_id)


def test_a_run_does_not_begin_with_a_history_that_it_does_not_have(
    database: Database, run_id: str, refusal: Refusal
) -> None:
    """A copy of a run under another id; its history is not copied."""
    copied = run_id[:-1] + ("0" if run_id[-1] != "0" else "1")
    message = refusal(
        "insert into runs (run_id, namespace, workflow_id, run_number, first_run_id, workflow_type,"
        " task_queue, priority, fairness_weight, status, last_history_sequence, started_at, last_progress_at)"
        f" select '{copied}', namespace, workflow_id, 2, first_run_id, workflow_type, task_queue, priority,"
        f" fairness_weight, status, 2, started_at, last_progress_at from runs where run_id = '{run_id}'"
    )
    assert message.startswith("BY003")
    assert _names_run(database, message, copied)


def test_history_goes_after_its_run(
    run_id: str, execute: Callable[[str], None], database: Database, dump: Dump
) -> None:
    """Retention deletes the run and then what belongs to it, in one transaction."""
    tables = (
        "runs",
        "workflows",
        "run_payloads",
        "history_events",
        "workflow_tasks",
        "activities",
        "receipts",
    )
    statements = tuple(f"delete from {table}" for table in tables)
    if database.dialect == "postgresql":
        execute(";".join(statements))
    elif database.dialect == "sqlite":
        _run_in_file(database, statements)
    else:
        with closing(connect(database.url)) as connection:
            _run_in_transaction(connection, statements)
    assert dump()["history_events"] == []
    assert run_id


@pytest.mark.engines("sqlite")
def test_replacing_a_row_is_refused_on_sqlite(run_id: str, refusal: Refusal) -> None:
    message = refusal(_insert(run_id, 2).replace("insert into", "insert or replace into"))
    assert message.startswith("BY001")


@pytest.mark.engines("mariadb", "mysql")
def test_replacing_a_row_is_refused_on_mysql(run_id: str, refusal: Refusal) -> None:
    message = refusal(_insert(run_id, 2).replace("insert into", "replace into"))
    assert message.startswith("BY002")


@pytest.mark.engines("sqlite", "mariadb", "mysql")
def test_a_run_advanced_without_rows_is_refused_when_it_is_next_advanced(
    run_id: str, refusal: Refusal
) -> None:
    message = refusal(_advance(run_id, 1), _advance(run_id, 1))
    assert message.startswith("BY003")


@pytest.mark.engines("postgresql")
def test_a_run_advanced_without_rows_is_refused_at_commit(run_id: str, refusal: Refusal) -> None:
    message = refusal(_advance(run_id, 1), "select 1")
    assert message.startswith("BY003")
    assert run_id in message


@pytest.mark.engines("postgresql")
def test_fewer_rows_than_the_run_was_advanced_by_are_refused(run_id: str, refusal: Refusal) -> None:
    message = refusal(_advance(run_id, 2), _insert(run_id, 3))
    assert message.startswith("BY001")
    assert run_id in message


@pytest.mark.engines("postgresql")
def test_a_routine_that_appends_and_then_does_not_advance_the_run_is_refused(
    run_id: str, refusal: Refusal
) -> None:
    """append_history advances the run; this caller takes that back."""
    message = refusal(
        f"""do $$
        begin
            perform byssus.append_history('{run_id}', 2, now(), array['SignalReceived'], array['{{}}']);
            update byssus.runs set last_history_sequence = 2 where run_id = '{run_id}';
        end $$"""
    )
    assert message.startswith("BY003")
    assert run_id in message


@pytest.mark.engines("postgresql")
def test_append_history_refuses_a_sequence_that_is_not_the_runs(run_id: str, refusal: Refusal) -> None:
    for remembered in (0, 1, 3):
        message = refusal(
            f"select append_history('{run_id}', {remembered}, now(), array['SignalReceived'], array['{{}}'])"
        )
        assert message.startswith("BY003")
        assert run_id in message


@pytest.mark.engines("postgresql")
def test_history_is_not_truncated_while_there_are_runs(run_id: str, refusal: Refusal) -> None:
    assert run_id
    assert refusal("truncate history_events").startswith("BY002")
    assert refusal("truncate history_events cascade").startswith("BY002")


@pytest.mark.engines("postgresql")
def test_a_run_is_not_deleted_without_its_history(run_id: str, refusal: Refusal) -> None:
    message = refusal(f"delete from runs where run_id = '{run_id}'")
    assert message.startswith("BY003")
    assert run_id in message


@pytest.mark.engines("postgresql")
async def test_the_application_may_not_touch_history_nor_call_its_writer(
    run_id: str, database: Database
) -> None:
    statements = [
        _insert(run_id, 3),
        f"update history_events set wire = '{{}}' where run_id = '{run_id}'",
        f"delete from history_events where run_id = '{run_id}'",
        "truncate history_events",
        "select * from history_events",
        _advance(run_id, 1),
        f"select byssus.append_history('{run_id}', 2, now(), array['SignalReceived'], array['{{}}'])",
        "alter table history_events disable trigger all",
        "set session_replication_role = replica",
    ]
    with psycopg.connect(database.app_url, autocommit=True) as connection:
        connection.execute("set search_path to byssus")
        for statement in statements:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement.encode())
