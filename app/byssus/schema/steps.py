"""Revisions on MySQL and MariaDB, where every DDL statement commits by itself.

Each statement is a step, and how many are done is noted beside them. An upgrade that was interrupted goes on
behind the last noted step. The one after that may have been carried out without having been noted; a note
made before it tells, and only then is an object that already is as the step makes it not an error.
"""

from __future__ import annotations

from contextlib import suppress

import pymysql
from pymysql.constants import ER

from byssus.schema.revisions import MysqlConnection

_DUPLICATE_CONSTRAINT_MARIADB = 1826
_DUPLICATE_CONSTRAINT_MYSQL = 3822
_MISSING_CONSTRAINT_MYSQL = 3821

_ALREADY_DONE = {
    ER.TABLE_EXISTS_ERROR,
    ER.BAD_TABLE_ERROR,
    ER.DUP_FIELDNAME,
    ER.DUP_KEYNAME,
    ER.CANT_DROP_FIELD_OR_KEY,
    ER.TRG_ALREADY_EXISTS,
    ER.TRG_DOES_NOT_EXIST,
    _DUPLICATE_CONSTRAINT_MARIADB,
    _DUPLICATE_CONSTRAINT_MYSQL,
    _MISSING_CONSTRAINT_MYSQL,
}

_ENTER = "INSERT IGNORE INTO schema_progress (revision) VALUES (%s)"
_BEGIN = "UPDATE schema_progress SET is_in_step = TRUE WHERE revision = %s"
_END = "UPDATE schema_progress SET steps_done = steps_done + 1, is_in_step = FALSE WHERE revision = %s"
_FAIL = "UPDATE schema_progress SET is_in_step = FALSE WHERE revision = %s"


def run_steps(connection: MysqlConnection, revision: str, steps: list[str]) -> None:
    """Carry out the steps of a revision that are still to be done. The connection is in autocommit mode."""
    with connection.cursor() as cursor:
        cursor.execute(_ENTER, [revision])
        cursor.execute("SELECT steps_done, is_in_step FROM schema_progress WHERE revision = %s", [revision])
        progress = cursor.fetchone()
    assert progress is not None
    done, was_interrupted = progress
    for step in steps[done:]:
        _run_step(connection, revision, step, may_be_done=bool(was_interrupted))
        was_interrupted = False


def steps_text(revision: str, steps: list[str]) -> str:
    """The same for the mysql client: what is interrupted there, an upgrade can finish."""
    name = f"'{revision}'"
    lines = [statement % name for statement in (_ENTER,)]
    for step in steps:
        lines += [_BEGIN % name, "START TRANSACTION", step, _END % name, "COMMIT"]
    return "\n".join(["DELIMITER //", *(f"{line}//" for line in lines), "DELIMITER ;"])


def _run_step(connection: MysqlConnection, revision: str, step: str, *, may_be_done: bool) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_BEGIN, [revision])
        # What does not commit by itself is committed together with its note.
        cursor.execute("START TRANSACTION")
        try:
            cursor.execute(step)
        except pymysql.MySQLError as error:
            if not (may_be_done and error.args[0] in _ALREADY_DONE):
                with suppress(pymysql.MySQLError):
                    cursor.execute("ROLLBACK")
                    cursor.execute(_FAIL, [revision])
                raise
        cursor.execute(_END, [revision])
        cursor.execute("COMMIT")
