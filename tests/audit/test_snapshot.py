"""An audit and the writers beside it: one moment is read, and nobody waits. What its login needs."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

import psycopg
import pytest

from byssus.audit import AuditFault, audit
from byssus.audit.sessions import snapshot
from byssus.database_url import sqlite_path
from byssus.store import connect
from tests.audit.conftest import Populated
from tests.engines import mysql_databases
from tests.engines.databases import Database
from tests.transitions import commands as c
from tests.transitions.driver import Driver


async def test_writers_go_on_in_the_middle_of_an_audit_which_does_not_see_them(database: Database) -> None:
    store = connect(database.app_url)
    await store.open()
    driver = Driver(store)
    await driver.register()
    first = await driver.begin(c.schedule(), workflow_id="first")
    second = await driver.begin(c.wait("paid"), workflow_id="second")
    with snapshot(database.url) as read:
        rows = read("select e.run_id, e.sequence from audit_history as e order by e.run_id, e.sequence", {})
        seen = [dict(next(rows))]

        await driver.begin(c.complete_workflow(), workflow_id="third")
        await driver.complete_activity(await driver.claimed_activity())
        await driver.advance(c.complete_workflow())
        assert (await driver.cancel("second")).outcome == "cancelled"
        await driver.register()

        seen += map(dict, rows)
        (later,) = read("select count(*) as events from audit_history as e", {})
        (open_runs,) = read("select count(*) as runs from audit_runs as r where r.closed_at is null", {})
    assert {row["run_id"] for row in seen} == {first, second}
    assert later["events"] == len(seen) == 4
    assert open_runs["runs"] == 2
    report = audit(database.url)
    assert (report.count, report.runs) == (0, 3)
    await store.close()


@contextmanager
def _unfinished(database: Database, statement: str) -> Iterator[None]:
    """A writer that has run the statement, and holds its locks until the context ends."""
    if database.dialect == "postgresql":
        with psycopg.connect(database.url) as connection:
            connection.execute("set search_path to byssus")
            connection.execute(statement.encode())
            yield
            connection.rollback()
    elif database.dialect == "mysql":
        with closing(mysql_databases.connect(database.url)) as session, session.cursor() as cursor:
            session.begin()
            cursor.execute(statement)
            yield
            session.rollback()
    else:
        with closing(sqlite3.connect(sqlite_path(database.url), isolation_level=None)) as writer:
            writer.execute("begin immediate")
            writer.execute(statement)
            yield
            writer.rollback()


def test_an_audit_does_not_wait_for_a_writer_nor_sees_what_it_has_not_committed(populated: Populated) -> None:
    with _unfinished(populated.database, "update workflow_tasks set priority = 9"):
        assert audit(populated.database.url).count == 0


@pytest.mark.engines("postgresql", "mariadb", "mysql")
def test_the_auditors_role_is_enough(populated: Populated) -> None:
    auditor = populated.database.url_of("test_audit")
    assert audit(auditor) == audit(populated.database.url)
    with populated.scratch.damaged(("update runs set has_answered_task = not has_answered_task",)):
        by_auditor, by_owner = audit(auditor), audit(populated.database.url)
    counts = [found.count for found in by_auditor.findings]
    assert counts == [found.count for found in by_owner.findings]
    assert sum(counts) > 0


@pytest.mark.engines("postgresql", "mariadb", "mysql")
def test_a_servers_login_may_not_audit(populated: Populated) -> None:
    with pytest.raises(AuditFault, match="byssus_audit"):
        audit(populated.database.app_url)


def test_an_audit_writes_nothing(populated: Populated) -> None:
    with (
        pytest.raises(AuditFault, match=r"read-only|READ ONLY|readonly"),
        snapshot(populated.database.url) as read,
    ):
        list(read("delete from timers", {}))
