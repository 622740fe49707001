"""Whole SQL files reach the database as they are."""

from __future__ import annotations

import sqlite3

import psycopg
import pytest

from byssus.schema.statements import run_file, split, split_for_client
from tests.engines.databases import Databases

ROUTINE = """
-- A comment with :name, %s and '.
create function pg_temp.tricky() returns text language plpgsql as $$
begin
    return '{"a":true} :bar %s %(x)s 100%'; -- :also;
end;
$$;
comment on function pg_temp.tricky() is 'Ten % of :all.';
"""


@pytest.mark.engines("postgresql")
def test_colons_and_percent_signs_survive(databases: Databases) -> None:
    with databases.empty() as database, psycopg.connect(database.url) as connection:
        run_file(connection, ROUTINE)
        (text,) = connection.execute("select pg_temp.tricky()").fetchone() or ()
        assert text == '{"a":true} :bar %s %(x)s 100%'


def test_an_sqlite_file_is_split_at_the_ends_of_its_statements() -> None:
    table = "-- One; two.\ncreate table t (a text default ';');"
    trigger = "create trigger g before update on t\nbegin\n    select raise(abort, 'no;');\nend;"
    assert list(split(f"{table}\n\n{trigger}\n")) == [table, trigger]


def test_a_file_for_the_mysql_client_is_split_at_its_delimiters() -> None:
    table = "-- One; two;\nCREATE TABLE t (\n    -- A;\n    a TEXT\n)"
    routine = "CREATE PROCEDURE p()\nBEGIN\n    SELECT ';//' AS a;\nEND"
    text = f"{table};\n\nDELIMITER //\n\n{routine}//\n\nDELIMITER ;\nSELECT 1;\n"
    assert list(split_for_client(text)) == [table, routine, "SELECT 1"]


def test_an_sqlite_file_runs_in_the_transaction_of_its_caller() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute("begin")
    run_file(connection, "create table t (a);\ninsert into t values (':name');\n")
    assert connection.in_transaction
    connection.rollback()
    assert connection.execute("select count(*) from sqlite_master").fetchone() == (0,)
    connection.close()
