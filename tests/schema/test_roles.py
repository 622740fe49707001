"""Who may do what on PostgreSQL: a server only calls transitions, an auditor only reads views."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from byssus.store.transitions import TRANSITIONS
from tests.engines.databases import Database

pytestmark = pytest.mark.engines("postgresql")

Connection = psycopg.Connection[tuple[object, ...]]


@pytest.fixture
def owner(database: Database) -> Iterator[Connection]:
    with psycopg.connect(database.url, autocommit=True) as connection:
        yield connection


def _names(connection: Connection, query: str) -> set[object]:
    return {name for (name,) in connection.execute(query.encode())}


def _routines_where(condition: str) -> str:
    return f"select p.proname from pg_proc as p where p.pronamespace = 'byssus'::regnamespace and {condition}"


def test_the_server_may_execute_the_transitions_and_no_other_routine(owner: Connection) -> None:
    callable_by_app = _routines_where("has_function_privilege('byssus_app', p.oid, 'execute')")
    assert _names(owner, callable_by_app) == {transition.name for transition in TRANSITIONS}


def test_the_auditor_may_execute_nothing(owner: Connection) -> None:
    assert _names(owner, _routines_where("has_function_privilege('byssus_audit', p.oid, 'execute')")) == set()


def test_the_public_has_no_right_to_any_routine_or_table(owner: Connection) -> None:
    granted_to_all = (
        "exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) where grantee = 0)"
    )
    assert _names(owner, _routines_where(granted_to_all)) == set()
    tables = (
        "select c.relname from pg_class as c, aclexplode(c.relacl) as a"
        " where c.relnamespace = 'byssus'::regnamespace and a.grantee = 0"
    )
    assert _names(owner, tables) == set()


def test_every_callable_routine_runs_as_its_owner_on_a_fixed_search_path(owner: Connection) -> None:
    loose = _routines_where(
        "has_function_privilege('byssus_app', p.oid, 'execute')"
        " and not (p.prosecdef and coalesce(p.proconfig, '{}') @> array['search_path=\"\"'])"
    )
    assert _names(owner, loose) == set()


def test_routines_that_are_not_callable_do_not_lend_their_owners_rights(owner: Connection) -> None:
    lenders = _routines_where(
        "p.prosecdef and not has_function_privilege('byssus_app', p.oid, 'execute')"
        " and p.prorettype <> 'trigger'::regtype"
    )
    assert _names(owner, lenders) == set()


def test_everything_belongs_to_byssus_owner(owner: Connection) -> None:
    others = (
        "select relname from pg_class where relnamespace = 'byssus'::regnamespace"
        " and relowner <> 'byssus_owner'::regrole union all "
        + _routines_where("p.proowner <> 'byssus_owner'::regrole")
    )
    assert _names(owner, others) == set()


def _relations(kind: str, role: str) -> str:
    return (
        "select relname from pg_class where relnamespace = 'byssus'::regnamespace"
        f" and relkind = '{kind}'"
        f" and has_table_privilege('{role}', oid, 'select, insert, update, delete, truncate')"
    )


def test_the_server_has_no_right_to_a_table_or_view(owner: Connection) -> None:
    assert _names(owner, _relations("r", "byssus_app")) == set()
    assert _names(owner, _relations("v", "byssus_app")) == set()


def test_the_auditor_may_read_the_views_and_no_table(owner: Connection) -> None:
    assert _names(owner, _relations("r", "byssus_audit")) == set()
    views = "select relname from pg_class where relnamespace = 'byssus'::regnamespace and relkind = 'v'"
    assert _names(owner, _relations("v", "byssus_audit")) == _names(owner, views) != set()


def test_a_server_login_is_refused_at_the_tables(database: Database) -> None:
    with (
        psycopg.connect(database.app_url, autocommit=True) as server,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        server.execute("select from byssus.runs")


def test_an_audit_login_reads_a_view(database: Database) -> None:
    with psycopg.connect(database.url_of("test_audit"), autocommit=True) as auditor:
        assert auditor.execute("select run_id from byssus.audit_runs").fetchall() == []
