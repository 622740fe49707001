"""A server's login that falls into wrong hands reaches nothing but the transitions."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.engines.databases import Database

pytestmark = pytest.mark.engines("postgresql")

Connection = psycopg.Connection[tuple[object, ...]]

START = """select outcome from byssus.start_run(
    'default', 'wf', 'order', 'q', 'fail', null, 'd', '{"priority":5,"fairness_weight":1}'
)"""

FORBIDDEN = {
    "write history": "insert into byssus.history_events values ('r', 1, 'X', now(), '{}')",
    "read payloads": "select input from byssus.run_payloads",
    "read an audit view": "select run_id from byssus.audit_runs",
    "append to a history": "select byssus.append_history('r', 0, now(), array['X'], array['{}'])",
    "call a shared routine": "select byssus.wire_time(now())",
    "become the owner": "set role byssus_owner",
    "turn triggers off": "set session_replication_role = replica",
    "drop a guard": "alter table byssus.history_events disable trigger guard_history_insert",
    "add to the schema": "create function byssus.mine() returns integer language sql as 'select 1'",
    "replace a routine": "create or replace function byssus.current_instant() returns timestamptz"
    " language sql as 'select now()'",
    "change a routine": "alter function byssus.read_schema_state() security invoker",
    "grant itself more": "grant select on byssus.runs to test_app",
    "lock a table": "do $$ begin lock table byssus.runs; end $$",
    "read a file of the server": "select pg_read_file('PG_VERSION')",
}


@pytest.fixture
def server(database: Database) -> Iterator[Connection]:
    with psycopg.connect(database.app_url, autocommit=True) as connection:
        yield connection


@pytest.mark.parametrize("statement", FORBIDDEN.values(), ids=FORBIDDEN.keys())
def test_a_server_login_cannot(server: Connection, statement: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        server.execute(statement.encode())


def test_names_that_a_session_makes_for_itself_do_not_reach_into_a_routine(server: Connection) -> None:
    server.execute("create temporary table runs (run_id text)")
    server.execute("create temporary table namespaces (name text)")
    server.execute(
        "create function pg_temp.to_json(text) returns json language sql as 'select null::json';"
        "create function pg_temp.concat(text, text) returns text language sql as 'select null'"
    )
    server.execute("set search_path = pg_temp, byssus, pg_catalog")
    assert server.execute(START.encode()).fetchone() == ("started_new",)
    assert server.execute("select count(*) from runs").fetchone() == (0,)


def test_settings_of_a_session_do_not_change_what_is_recorded(database: Database, server: Connection) -> None:
    server.execute(
        "set timezone = 'Asia/Tokyo'; set datestyle = 'SQL, DMY'; set intervalstyle = 'sql_standard'"
    )
    server.execute(
        "set extra_float_digits = -15; set bytea_output = 'escape'; set quote_all_identifiers = on"
    )
    assert server.execute(START.encode()).fetchone() == ("started_new",)
    with psycopg.connect(database.url) as owner:
        row = owner.execute(
            "select e.wire::json ->> 'recorded_at',"
            " to_char(e.recorded_at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
            " from byssus.history_events as e"
        ).fetchone()
    assert row is not None
    assert row[0] == row[1]


def test_not_even_the_owner_writes_history_past_the_guards(database: Database, server: Connection) -> None:
    server.execute(START.encode())
    with psycopg.connect(database.url_of("test_owner"), autocommit=True) as owner:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            owner.execute("set session_replication_role = replica")
        for statement, state in (
            (
                "insert into byssus.history_events select run_id, 2, 'X', now(), '{}' from byssus.runs",
                "BY001",
            ),
            ("update byssus.history_events set wire = '{}'", "BY002"),
            ("delete from byssus.history_events", "BY002"),
            ("truncate byssus.history_events", "BY002"),
            ("update byssus.runs set last_history_sequence = 2", "BY003"),
            ("delete from byssus.runs", "BY003"),
        ):
            with pytest.raises(psycopg.errors.DatabaseError) as refused:
                owner.execute(statement.encode())
            assert refused.value.sqlstate == state
