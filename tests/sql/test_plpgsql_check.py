"""plpgsql_check has nothing to say about any PL/pgSQL routine."""

from __future__ import annotations

import psycopg
import pytest

pytestmark = pytest.mark.engines("postgresql15")

Connection = psycopg.Connection[tuple[object, ...]]

# A trigger function is checked for each of its triggers, with its table and transition table.
CHECK = """
select format('%s line %s: %s: %s %s', p.proname, c.lineno, c.level, c.message, c.detail)
from pg_proc as p
inner join pg_language as l on p.prolang = l.oid
left join pg_trigger as t on p.oid = t.tgfoid
cross join lateral plpgsql_check_function_tb(
    p.oid, coalesce(t.tgrelid, 0)::regclass, newtable => t.tgnewtable, oldtable => t.tgoldtable,
    all_warnings => true
) as c
where p.pronamespace = 'byssus'::regnamespace and l.lanname = 'plpgsql'
order by p.proname, c.lineno
"""


@pytest.fixture(scope="module")
def checked(owner: Connection) -> Connection:
    owner.execute("create extension if not exists plpgsql_check schema pgtap")
    return owner


def test_plpgsql_check_finds_nothing(checked: Connection) -> None:
    assert [line for (line,) in checked.execute(CHECK)] == []


def test_plpgsql_check_would_find_something(checked: Connection) -> None:
    with checked.transaction(force_rollback=True):
        checked.execute(
            "create function byssus.careless() returns integer language plpgsql as"
            " 'declare v_unused integer; begin return (select no_such_column from byssus.runs); end'"
        )
        lines = " ".join(str(line) for (line,) in checked.execute(CHECK))
    assert "careless" in lines
    assert "no_such_column" in lines
