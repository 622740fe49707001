"""A server's login that falls into wrong hands reaches nothing but the transitions, on MySQL and MariaDB."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import pymysql
import pytest
from pymysql.constants import ER

from byssus.database_url import mysql_options
from byssus.schema.revisions import MysqlConnection
from byssus.store.transitions import TRANSITIONS
from tests.engines.databases import Database
from tests.engines.mysql_databases import LOGINS, connect
from tests.engines.running import Engines

pytestmark = pytest.mark.engines("mariadb", "mysql")

MOMENT = "'2030-01-01 00:00:00'"
START = """CALL start_run(
    'default', 'wf', 'order', 'q', 'fail', NULL, 'd', '{"priority":5,"fairness_weight":1}'
)"""

FORBIDDEN = {
    "write history": f"INSERT INTO history_events VALUES ('r', 1, 'X', {MOMENT}, '{{}}')",
    "read payloads": "SELECT input FROM run_payloads",
    "read an audit view": "SELECT run_id FROM audit_runs",
    "append to a history": "CALL append_history('r', 0, NOW(), 'X', '{}')",
    "call a shared routine": "SELECT wire_time(NOW())",
    "take the auditors' role": "SET ROLE byssus_audit",
    "write while the server only reads": "SET GLOBAL read_only = OFF",
    "hide from the binary log": "SET SESSION sql_log_bin = OFF",
    "drop a guard": "DROP TRIGGER guard_history_insert",
    "empty a table past the guards": "TRUNCATE history_events",
    "add to the schema": "CREATE FUNCTION mine() RETURNS INT NO SQL RETURN 1",
    "add an event": "CREATE EVENT mine ON SCHEDULE EVERY 1 DAY DO SELECT 1",
    "add a view": "CREATE VIEW mine AS SELECT 1",
    "put a table in the place of another": "CREATE TEMPORARY TABLE runs (run_id INT)",
    "replace a routine": "DROP PROCEDURE read_schema_state",
    "change a routine": "ALTER PROCEDURE read_schema_state SQL SECURITY INVOKER",
    "grant itself more": "GRANT SELECT ON runs TO test_app@localhost",
    "lock a table": "LOCK TABLES runs READ",
    "write a file of the server": "SELECT 1 INTO OUTFILE '/nonexistent'",
    "read the logins": "SELECT user FROM mysql.user",
    "change the owner's password": "SET PASSWORD FOR test_owner@localhost = 'mine'",
}
DENIED = {
    ER.DBACCESS_DENIED_ERROR,
    ER.TABLEACCESS_DENIED_ERROR,
    ER.SPECIFIC_ACCESS_DENIED_ERROR,
    ER.PROCACCESS_DENIED_ERROR,
    1959,  # MariaDB: a role that is not granted
    3530,  # MySQL: likewise
}


@pytest.fixture(scope="module")
def installed(engines: Engines, engine: str) -> Iterator[Database]:
    """An upgraded database with the real clock."""
    with engines.databases(engine).upgraded() as database:
        yield database


@contextmanager
def _session(database: Database, login: str) -> Iterator[MysqlConnection]:
    """A session of a login that has taken its only role."""
    options = mysql_options(database.url_of(login))
    name = options.pop("database")
    connection: MysqlConnection = pymysql.connect(**options, charset="utf8mb4", autocommit=True)
    with closing(connection), connection.cursor() as cursor:
        cursor.execute(f"SET ROLE {LOGINS[login]}")
        cursor.execute(f"USE {name}")
        yield connection


@pytest.fixture
def server(installed: Database) -> Iterator[MysqlConnection]:
    """A session such as a server has."""
    with _session(installed, "test_app") as connection:
        yield connection


@pytest.fixture
def names(installed: Database) -> Iterator[Callable[[str], list[str]]]:
    """What the owner finds in the catalog, by the first column of a query."""
    with closing(connect(installed.url)) as connection, connection.cursor() as cursor:

        def found(query: str) -> list[str]:
            cursor.execute(query)
            return [row[0] for row in cursor.fetchall()]

        yield found


def _error(connection: MysqlConnection, statement: str) -> int | None:
    with connection.cursor() as cursor:
        try:
            cursor.execute(statement)
            while cursor.nextset():
                pass
        except pymysql.Error as error:
            number: int = error.args[0]
            return number
    return None


@pytest.mark.parametrize("statement", FORBIDDEN.values(), ids=FORBIDDEN.keys())
def test_a_server_login_cannot(server: MysqlConnection, statement: str) -> None:
    assert _error(server, statement) in DENIED


def test_a_server_login_has_no_rights_before_it_takes_its_role(installed: Database) -> None:
    with pytest.raises(pymysql.Error) as fault:
        connect(installed.app_url)
    assert fault.value.args[0] == ER.DBACCESS_DENIED_ERROR


def test_a_server_login_may_execute_every_transition(server: MysqlConnection) -> None:
    for transition in TRANSITIONS:
        arguments = ", ".join(["NULL"] * len(transition.parameters))
        assert _error(server, f"CALL {transition.name}({arguments})") not in DENIED, transition.name


def test_a_server_login_may_execute_no_other_routine(
    server: MysqlConnection, names: Callable[[str], list[str]]
) -> None:
    routines = names(
        "SELECT CONCAT(IF(routine_type = 'FUNCTION', 'SELECT ', 'CALL '), routine_name, '()')"
        " FROM information_schema.routines WHERE routine_schema = DATABASE()"
    )
    others = set(routines) - {f"CALL {transition.name}()" for transition in TRANSITIONS}
    assert len(others) == len(routines) - len(TRANSITIONS) > 0
    for call in others:
        assert _error(server, call) == ER.PROCACCESS_DENIED_ERROR, call


def test_a_server_login_may_touch_no_table_and_no_view(
    server: MysqlConnection, names: Callable[[str], list[str]]
) -> None:
    tables = names("SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()")
    assert {"runs", "history_events", "audit_runs"} <= set(tables)
    for table in tables:
        assert _error(server, f"SELECT 1 FROM {table}") == ER.TABLEACCESS_DENIED_ERROR, table
        assert _error(server, f"DELETE FROM {table}") == ER.TABLEACCESS_DENIED_ERROR, table


def test_no_transition_leaves_a_table_that_the_session_could_rename(
    server: MysqlConnection, names: Callable[[str], list[str]]
) -> None:
    """With whosever rights it was made: MariaDB lets it be called like a table, which it then hides."""
    poll = {"namespace": "default", "worker_id": "w", "task_queue": "q", "page_size": 1, "lease_seconds": 1}
    sticky = {"sticky_execution": True, "hold_seconds": 5, "polling_seconds": 10}
    polls = json.dumps([{**poll, **sticky, "poll_request_id": request} for request in "ab"])
    for routine in ("claim_workflow_task", "claim_activity_task"):
        assert _error(server, f"CALL {routine}('{polls}')") is None
    bodies = names(
        "SELECT routine_definition FROM information_schema.routines WHERE routine_schema = DATABASE()"
    )
    assert [body for body in bodies if "TEMPORARY" in body] == []


def test_settings_of_a_session_do_not_change_what_is_recorded(
    installed: Database, server: MysqlConnection
) -> None:
    for setting in (
        "SET SESSION time_zone = '+09:00', sql_mode = 'ANSI,NO_BACKSLASH_ESCAPES'",
        "SET SESSION group_concat_max_len = 4, lc_time_names = 'de_DE', collation_connection = utf8mb4_bin",
        "SET NAMES latin1",
        START,
    ):
        assert _error(server, setting) is None
    with closing(connect(installed.url)) as owner, owner.cursor() as cursor:
        cursor.execute("SELECT wire, recorded_at, UTC_TIMESTAMP(6) FROM history_events")
        ((wire, recorded_at, now),) = cursor.fetchall()
    event = json.loads(wire)
    assert event["recorded_at"] == recorded_at.isoformat(timespec="microseconds") + "Z"
    assert 0 <= (now - recorded_at).total_seconds() < 60


def test_an_auditor_may_read_the_views_and_nothing_else(
    installed: Database, names: Callable[[str], list[str]]
) -> None:
    views = names("SELECT table_name FROM information_schema.views WHERE table_schema = DATABASE()")
    tables = names(
        "SELECT table_name FROM information_schema.tables"
        " WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'"
    )
    assert views
    with _session(installed, "test_audit") as auditor:
        for view in views:
            assert _error(auditor, f"SELECT * FROM {view}") is None, view
            assert _error(auditor, f"DELETE FROM {view}") == ER.TABLEACCESS_DENIED_ERROR, view
        for table in tables:
            assert _error(auditor, f"SELECT 1 FROM {table}") == ER.TABLEACCESS_DENIED_ERROR, table
        for transition in TRANSITIONS:
            arguments = ", ".join(["NULL"] * len(transition.parameters))
            assert _error(auditor, f"CALL {transition.name}({arguments})") == ER.PROCACCESS_DENIED_ERROR
