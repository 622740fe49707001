"""What a MySQL or MariaDB server tells of a database: the objects in it by kind and name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from byssus.schema.revisions import MysqlConnection

Objects = dict[tuple[str, str], str]
"""Definitions by kind and name."""

GRANT_TABLES = ("db", "procs_priv", "tables_priv")
"""Where rights are looked up, in the database `mysql`."""

_ALEMBIC_TABLE = "alembic_version"

_TRIGGERS = """
SELECT trigger_name, CONCAT_WS(
    ' ', action_timing, event_manipulation, event_object_table, sql_mode, collation_connection,
    action_statement
)
FROM information_schema.triggers
WHERE trigger_schema = DATABASE()
"""
_VIEWS = """
SELECT table_name, CONCAT_WS(
    ' ', security_type, collation_connection, REPLACE(view_definition, CONCAT('`', DATABASE(), '`.'), '')
)
FROM information_schema.views
WHERE table_schema = DATABASE()
"""
_ROUTINES = """
SELECT
    CONCAT(LOWER(r.routine_type), ' ', r.routine_name),
    CONCAT_WS(
        ' ', r.sql_data_access, r.security_type, r.is_deterministic, r.sql_mode, r.database_collation,
        r.collation_connection, r.routine_comment, r.routine_definition
    )
FROM information_schema.routines AS r
WHERE r.routine_schema = DATABASE()
"""
_PARAMETERS = """
SELECT
    CONCAT(LOWER(p.routine_type), ' ', p.specific_name, ' ', COALESCE(p.parameter_name, 'result')),
    CONCAT_WS(
        ' ', p.ordinal_position, p.parameter_mode, p.dtd_identifier, p.character_set_name, p.collation_name
    )
FROM information_schema.parameters AS p
WHERE p.specific_schema = DATABASE()
"""
_GRANTS = """
SELECT CONCAT(LOWER(g.proc_priv), ' on ', LOWER(g.routine_type), ' ', g.routine_name, ' to ', g.user)
FROM mysql.procs_priv AS g
WHERE g.db = DATABASE() AND g.user IN ('byssus_app', 'byssus_audit')
UNION ALL
SELECT CONCAT(LOWER(CONCAT(g.table_priv, g.column_priv)), ' on table ', g.table_name, ' to ', g.user)
FROM mysql.tables_priv AS g
WHERE g.db = DATABASE() AND g.user IN ('byssus_app', 'byssus_audit')
UNION ALL
SELECT CONCAT('rights on the whole database to ', g.user)
FROM mysql.db AS g
WHERE DATABASE() LIKE g.db AND g.user IN ('byssus_app', 'byssus_audit')
"""
_BODIES = """
SELECT routine_name, routine_definition FROM information_schema.routines WHERE routine_schema = DATABASE()
"""

_PART_OF_TABLE = re.compile(r"(?:(?P<kind>PRIMARY KEY|UNIQUE KEY|KEY|CONSTRAINT) ?)?(?:`(?P<name>[^`]*)`)?")
_KINDS = {
    None: "column",
    "PRIMARY KEY": "primary key",
    "UNIQUE KEY": "index",
    "KEY": "index",
    "CONSTRAINT": "constraint",
}


def snapshot(connection: MysqlConnection) -> Objects:
    """The objects of the session's database. The order of columns does not count."""
    found = dict(_tables(connection))
    for kind, query in (
        ("trigger", _TRIGGERS),
        ("view", _VIEWS),
        ("routine", _ROUTINES),
        ("parameter", _PARAMETERS),
    ):
        found |= {(kind, name): without_comments(text) for name, text in _rows(connection, query)}
    found["database", "collation"] = _rows(connection, "SELECT @@collation_database, ''")[0][0]
    return found


def routine_bodies(connection: MysqlConnection) -> dict[str, str]:
    """The body of every routine of the session's database, without comments; empty if another owns it."""
    return {name: without_comments(body or "") for name, body in _rows(connection, _BODIES)}


def without_comments(code: str) -> str:
    """Code without lines that are blank or a comment: the mysql client may have taken those away."""
    lines = (line.rstrip() for line in code.splitlines())
    return "\n".join(line for line in lines if line and not line.lstrip().startswith("--"))


def granted(connection: MysqlConnection) -> Objects:
    """The rights of Byssus' roles in the session's database."""
    return {("grant", name): "" for name in _column(connection, _GRANTS)}


def _tables(connection: MysqlConnection) -> Iterator[tuple[tuple[str, str], str]]:
    for table in _column(connection, "SHOW FULL TABLES WHERE table_type = 'BASE TABLE'"):
        if table != _ALEMBIC_TABLE:
            with connection.cursor() as cursor:
                cursor.execute(f"SHOW CREATE TABLE `{table}`")
                row = cursor.fetchone()
            assert row is not None
            yield from _parts(table, row[1])


def _parts(table: str, definition: str) -> Iterator[tuple[tuple[str, str], str]]:
    """The columns, indexes and constraints of a table, a line each, and what it says of the table itself."""
    _, *lines, end = definition.splitlines()
    yield ("table", table), end
    for line in lines:
        text = line.strip().removesuffix(",")
        part = _PART_OF_TABLE.match(text)
        assert part is not None
        name = table if part["kind"] == "PRIMARY KEY" else f"{table}.{part['name']}"
        yield (_KINDS[part["kind"]], name), text


def _rows(connection: MysqlConnection, query: str) -> tuple[tuple[str, str], ...]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return cursor.fetchall()


def _column(connection: MysqlConnection, query: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return [row[0] for row in cursor.fetchall()]
