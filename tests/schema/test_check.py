"""`byssus db check` names every way in which a database differs from the release."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from byssus import schema
from byssus.database_url import sqlite_path
from tests.engines.databases import Database, Databases
from tests.engines.mysql_databases import connect

POSTGRESQL_ALTERATIONS = {
    "drop index byssus.runs_deadline": ["index runs_deadline is missing"],
    "alter table byssus.timers add note text": ["column timers.note is not part of this release"],
    "alter table byssus.timers alter fire_at drop not null": ["column timers.fire_at is not as shipped"],
    'alter table byssus.timers drop constraint "kind is valid"': [
        "constraint timers.kind is valid is missing"
    ],
    "alter table byssus.runs disable trigger guard_run_sequence_updated": [
        "trigger runs.guard_run_sequence_updated is not as shipped"
    ],
    "alter table byssus.runs owner to postgres": ["table runs is not as shipped"],
    "create table byssus.notes ()": ["table notes is not part of this release"],
    "create or replace view byssus.audit_timers as select run_id, position, kind, now() as fire_at"
    " from byssus.timers": ["view audit_timers is not as shipped"],
    "create or replace function byssus.json_string(p_text text) returns text language sql immutable"
    " as 'select p_text'": ["routine json_string(p_text text) is not as shipped"],
    "drop function byssus.signal_rejection": ["routine signal_rejection"],
    "create function byssus.extra() returns void language sql as ''": [
        "routine extra() is not part of this release",
        "grant execute on routine extra() to public is not part of this release",
    ],
    "grant select on byssus.runs to byssus_app": [
        "grant select on table runs to byssus_app is not part of this release"
    ],
    "grant select (run_id) on byssus.runs to public": [
        "grant select on column runs.run_id to public is not part of this release"
    ],
    "revoke execute on function byssus.read_schema_state from byssus_app": [
        "grant execute on routine read_schema_state() to byssus_app is missing"
    ],
    "update byssus.schema_routines set checksum = '' where name = 'wire_time'": [
        "recorded checksum wire_time is not as shipped"
    ],
    "alter domain byssus.identifier set default ''": ["type identifier is not as shipped"],
    "comment on table byssus.runs is null": ["table runs is not as shipped"],
}


@pytest.mark.engines("postgresql")
def test_each_alteration_of_a_postgresql_schema_is_named(database: Database) -> None:
    with psycopg.connect(database.url, autocommit=True) as connection:
        for alteration in POSTGRESQL_ALTERATIONS:
            connection.execute(alteration.encode())
    drift = schema.check(database.url)
    for alteration, sentences in POSTGRESQL_ALTERATIONS.items():
        for sentence in sentences:
            assert any(line.startswith(sentence) for line in drift), (alteration, drift)


@pytest.mark.engines("postgresql")
def test_a_check_leaves_a_postgresql_database_as_it_was(database: Database) -> None:
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute("drop index byssus.runs_deadline")
    assert schema.check(database.url) == schema.check(database.url) == ["index runs_deadline is missing"]


@pytest.mark.engines("postgresql")
def test_an_upgrade_puts_routines_and_grants_back(database: Database) -> None:
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute("drop function byssus.wire_time cascade")
        connection.execute("revoke execute on function byssus.read_schema_state from byssus_app")
        connection.execute("grant execute on function byssus.start_run to public")
    assert schema.check(database.url) != []
    schema.upgrade(database.url)
    assert schema.check(database.url) == []


MYSQL_ALTERATIONS = {
    "DROP INDEX runs_deadline ON runs": "index runs.runs_deadline is missing",
    "ALTER TABLE timers ADD note TEXT": "column timers.note is not part of this release",
    "ALTER TABLE timers MODIFY fire_at DATETIME(6)": "column timers.fire_at is not as shipped",
    "ALTER TABLE worker_incarnations DROP CONSTRAINT `incarnation status is valid`": (
        "constraint worker_incarnations.incarnation status is valid is missing"
    ),
    "ALTER TABLE inbox COMMENT ''": "table inbox is not as shipped",
    "ALTER TABLE workflows MODIFY workflow_id VARCHAR(255) CHARACTER SET ascii NOT NULL": (
        "column workflows.workflow_id is not as shipped"
    ),
    "DROP TRIGGER guard_run_sequence_updated": "trigger guard_run_sequence_updated is missing",
    "CREATE TABLE notes (id INTEGER)": "table notes is not part of this release",
    "CREATE OR REPLACE VIEW audit_timers AS SELECT run_id FROM timers": "view audit_timers is not as shipped",
    "DROP FUNCTION wire_time": "routine function wire_time is missing",
    "ALTER PROCEDURE start_run SQL SECURITY INVOKER": "routine procedure start_run is not as shipped",
    "CREATE PROCEDURE extra() SELECT 1": "routine procedure extra is not part of this release",
    "GRANT SELECT ON runs TO byssus_app": (
        "grant select on table runs to byssus_app is not part of this release"
    ),
    "REVOKE EXECUTE ON PROCEDURE list_runs FROM byssus_app": (
        "grant execute on procedure list_runs to byssus_app is missing"
    ),
    "UPDATE schema_routines SET checksum = '' WHERE name = 'refuse'": (
        "recorded checksum refuse is not as shipped"
    ),
}


@pytest.mark.engines("mariadb", "mysql")
def test_each_alteration_of_a_mysql_schema_is_named(database: Database) -> None:
    with closing(connect(database.url)) as connection, connection.cursor() as cursor:
        for alteration in MYSQL_ALTERATIONS:
            cursor.execute(alteration)
    drift = schema.check(database.url)
    for alteration, sentence in MYSQL_ALTERATIONS.items():
        assert sentence in drift, (alteration, drift)
    assert schema.check(database.url) == drift


@pytest.mark.engines("mariadb", "mysql")
def test_an_upgrade_puts_mysql_routines_and_grants_back(database: Database) -> None:
    with closing(connect(database.url)) as connection, connection.cursor() as cursor:
        cursor.execute("DROP FUNCTION wire_time")
        cursor.execute("DROP PROCEDURE start_run")
        cursor.execute("CREATE PROCEDURE start_run() SELECT 1")
        cursor.execute("REVOKE EXECUTE ON PROCEDURE list_runs FROM byssus_app")
    assert len(schema.check(database.url)) > 3
    schema.upgrade(database.url)
    assert schema.check(database.url) == []


@pytest.mark.engines("sqlite")
def test_each_alteration_of_an_sqlite_schema_is_named(database: Database) -> None:
    connection = sqlite3.connect(sqlite_path(database.url))
    (index,) = connection.execute(
        "select name from sqlite_master where type = 'index' and sql is not null limit 1"
    ).fetchone()
    connection.execute(f"drop index {index}")
    connection.execute("create table notes (note text)")
    connection.execute("alter table timers add column note text")
    connection.close()
    assert schema.check(database.url) == [
        f"index {index} is missing",
        "table notes is not part of this release",
        "table timers is not as shipped",
    ]


@pytest.mark.engines("postgresql", "mariadb", "mysql")
def test_an_empty_database_is_told_what_to_run(databases: Databases) -> None:
    with databases.empty() as database:
        (message,) = schema.check(database.url)
        assert message.endswith(f"byssus db upgrade --database '{database.url}'")


def test_a_file_that_does_not_exist_is_not_made_by_looking_at_it(tmp_path: Path) -> None:
    with pytest.raises(schema.SchemaFault, match="There is no file"):
        schema.check(f"sqlite:///{tmp_path / 'byssus.db'}")
    assert not (tmp_path / "byssus.db").exists()
