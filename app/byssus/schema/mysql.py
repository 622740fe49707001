"""The MySQL and MariaDB schema: owned by the account that upgrades it, one at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pymysql
from pymysql.constants import ER
from sqlalchemy.exc import DBAPIError

from byssus.database_url import mysql_options
from byssus.schema import revisions
from byssus.schema.drift import differences
from byssus.schema.fault import SchemaFault
from byssus.schema.mysql_catalog import (
    GRANT_TABLES,
    Objects,
    granted,
    routine_bodies,
    snapshot,
    without_comments,
)
from byssus.schema.revisions import MysqlConnection
from byssus.schema.shipped import (
    RoutineFile,
    grants_text,
    progress_text,
    roles_text,
    routine_files,
    schema_files,
    session_text,
)
from byssus.schema.state import SchemaState, combined_checksum, compare, expected_state
from byssus.schema.statements import run_file

LOCK = "SELECT GET_LOCK(CONCAT('byssus.', LEFT(SHA2(DATABASE(), 256), 32)), 86400)"
UNLOCK = "SELECT RELEASE_LOCK(CONCAT('byssus.', LEFT(SHA2(DATABASE(), 256), 32)))"

_BODY = re.compile(r"^(?:\w+: )?BEGIN\n.*^END(?=//$)", re.MULTILINE | re.DOTALL)
_DENIED = {
    ER.DBACCESS_DENIED_ERROR,
    ER.TABLEACCESS_DENIED_ERROR,
    ER.SPECIFIC_ACCESS_DENIED_ERROR,
    ER.PROCACCESS_DENIED_ERROR,
    ER.BINLOG_CREATE_ROUTINE_NEED_SUPER,
    ER.CANNOT_USER,
    ER.CANT_CREATE_USER_WITH_GRANT,
}


def upgrade(url: str) -> SchemaState:
    """See byssus.schema.upgrade. The login owns the database: routines act with its rights."""
    with _connected(url) as connection, _explained(connection):
        connection.query(LOCK)
        _refuse_if_ahead(connection, url)
        run_file(connection, session_text())
        run_file(connection, progress_text())
        _make_roles(connection)
        revisions.upgrade_to_head(connection, "mysql")
        # Alembic's own connecting changed the session.
        run_file(connection, session_text())
        load_routines(connection)
        return read_state(connection)


def check(url: str) -> list[str]:
    """See byssus.schema.check.

    Builds this release's schema in a database of its own, which is named like the one to check with
    `_byssus_check` behind, and removed at the end.
    """
    with _connected(url) as connection, _explained(connection):
        connection.query(LOCK)
        state = read_state(connection)
        if state.revision != expected_state("mysql").revision:
            return [unfit] if (unfit := compare(state, url)) else []
        if not all(routine_bodies(connection).values()):
            raise SchemaFault("Some routines belong to another account. Check as the account that upgrades.")
        installed = snapshot(connection) | granted(connection) | _recorded_checksums(connection)
        return differences(_shipped(connection), installed)


def read_state(connection: MysqlConnection) -> SchemaState:
    """The state that the installer left, read from its tables; an empty database has none."""
    if not _exists(connection, "alembic_version"):
        return SchemaState(None, None)
    revision = _scalar(connection, "SELECT MAX(version_num) FROM alembic_version")
    if not _exists(connection, "schema_routines"):
        return SchemaState(None if revision is None else str(revision), None)
    return SchemaState(None if revision is None else str(revision), combined_checksum(_recorded(connection)))


def load_routines(connection: MysqlConnection) -> None:
    """Replace the routines that are not as shipped, record their checksums and grant again.

    A routine is missing for a moment while it is replaced, so the others are left alone.
    """
    files = routine_files("mysql")
    recorded, bodies = _recorded(connection), routine_bodies(connection)
    for name in recorded.keys() - {file.name for file in files}:
        _drop(connection, name)
    for file in files:
        if recorded.get(file.name) != file.checksum or bodies.get(file.name) != _body(file):
            _replace(connection, file)
    run_file(connection, grants_text("mysql"))


def _body(file: RoutineFile) -> str:
    """What the server keeps of a routine's file."""
    found = _BODY.search(file.text)
    assert found is not None
    return without_comments(found[0])


def _replace(connection: MysqlConnection, file: RoutineFile) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM schema_routines WHERE name = %s", [file.name])
        run_file(connection, file.text)
        cursor.execute(
            "INSERT INTO schema_routines (name, checksum) VALUES (%s, %s)", [file.name, file.checksum]
        )


def _drop(connection: MysqlConnection, name: str) -> None:
    with connection.cursor() as cursor:
        for kind in ("PROCEDURE", "FUNCTION"):
            cursor.execute(f"DROP {kind} IF EXISTS {quoted(name)}")
        cursor.execute("DELETE FROM schema_routines WHERE name = %s", [name])


def quoted(name: str) -> str:
    """A name as an identifier."""
    return "`" + name.replace("`", "``") + "`"


def _shipped(connection: MysqlConnection) -> Objects:
    """What the server shows of this release's schema; the session goes back to its database."""
    database = str(_scalar(connection, "SELECT DATABASE()"))
    beside = quoted(f"{database}_byssus_check")
    with connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE IF EXISTS {beside}")
        cursor.execute(f"CREATE DATABASE {beside}")
        try:
            cursor.execute(f"USE {beside}")
            _install_shipped(connection)
            return snapshot(connection) | _shipped_grants() | _shipped_checksums()
        finally:
            cursor.execute(f"USE {quoted(database)}")
            cursor.execute(f"DROP DATABASE {beside}")


def _install_shipped(connection: MysqlConnection) -> None:
    for path in schema_files("mysql"):
        run_file(connection, path.read_text(encoding="utf-8"))
    for file in routine_files("mysql"):
        run_file(connection, file.text)


def _shipped_grants() -> Objects:
    found = re.findall(r"GRANT (\w+) ON (PROCEDURE )?(\w+) TO (\w+);", grants_text("mysql"))
    return {
        ("grant", f"{right.lower()} on {'procedure' if procedure else 'table'} {name} to {role}"): ""
        for right, procedure, name, role in found
    }


def _shipped_checksums() -> Objects:
    return {("recorded checksum", file.name): file.checksum for file in routine_files("mysql")}


def _recorded_checksums(connection: MysqlConnection) -> Objects:
    return {("recorded checksum", name): checksum for name, checksum in _recorded(connection).items()}


def _recorded(connection: MysqlConnection) -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, checksum FROM schema_routines")
        return dict(cursor.fetchall())


def _make_roles(connection: MysqlConnection) -> None:
    """Make the roles. A login that may not goes on: an administrator may have made them before."""
    try:
        run_file(connection, roles_text("mysql"))
    except pymysql.MySQLError as error:
        if error.args[0] not in _DENIED:
            raise


@contextmanager
def _explained(connection: MysqlConnection) -> Iterator[None]:
    """Say what to do about a lost connection, and about a right that the login lacks."""
    try:
        yield
    except (pymysql.MySQLError, DBAPIError) as error:
        if not connection.open:
            raise SchemaFault(
                "The connection to the database was lost. Run this again: what was done so far is kept."
            ) from error
        if isinstance(error, DBAPIError) or error.args[0] not in _DENIED:
            raise
        raise SchemaFault(_advice(connection, error.args[1])) from error


def _advice(connection: MysqlConnection, message: str) -> str:
    login = str(_scalar(connection, "SELECT CURRENT_USER()"))
    database = str(_scalar(connection, "SELECT DATABASE()"))
    user, _, host = login.rpartition("@")
    account = f"{connection.escape(user)}@{connection.escape(host)}"
    patterns = [_pattern(database), _pattern(f"{database}_byssus_check")]
    steps = [
        roles_text("mysql").strip(),
        *(f"GRANT ALL ON {quoted(pattern)}.* TO {account} WITH GRANT OPTION;" for pattern in patterns),
        *(f"GRANT SELECT ON mysql.{table} TO {account};" for table in GRANT_TABLES),
    ]
    return (
        f"The login {login} may not do this in the database {database}: {message}. With a binary log, "
        "log_bin_trust_function_creators has to be on, or the login needs SUPER. "
        "Let an administrator run this, then try again:\n\n" + "\n".join(steps)
    )


def _pattern(database: str) -> str:
    """A database's name in a grant, where _ and % stand for others."""
    return re.sub(r"([_%\\])", r"\\\1", database)


def _refuse_if_ahead(connection: MysqlConnection, url: str) -> None:
    state = read_state(connection)
    if state.revision is not None and not revisions.is_known(state.revision):
        raise SchemaFault(compare(state, url))


@contextmanager
def _connected(url: str) -> Iterator[MysqlConnection]:
    try:
        options = mysql_options(url)
        connection: MysqlConnection = pymysql.connect(**options, charset="utf8mb4", autocommit=True)
    except (pymysql.MySQLError, ValueError, OSError) as error:
        raise SchemaFault(f"Cannot connect to the database: {error}") from error
    try:
        yield connection
    finally:
        # One that broke is closed already, and closing it again would hide why.
        if connection.open:
            connection.close()


def _exists(connection: MysqlConnection, table: str) -> bool:
    query = (
        "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = %s"
    )
    return bool(_scalar(connection, query, table))


def _scalar(connection: MysqlConnection, query: str, *arguments: object) -> object:
    with connection.cursor() as cursor:
        cursor.execute(query, arguments)
        row = cursor.fetchone()
        return None if row is None else row[0]
