"""The rows of the Python path have the columns of their tables, in order."""

from __future__ import annotations

import dataclasses
import sqlite3

import pytest

from byssus.store.sqlite import rows

pytestmark = pytest.mark.engines("sqlite")


@pytest.mark.parametrize(
    ("row", "table"),
    [
        (rows.Registration, "worker_registrations"),
        (rows.Incarnation, "worker_incarnations"),
        (rows.Workflow, "workflows"),
        (rows.Run, "runs"),
        (rows.RunPayloads, "run_payloads"),
        (rows.WorkflowTask, "workflow_tasks"),
        (rows.Affinity, "affinities"),
        (rows.Activity, "activities"),
        (rows.Timer, "timers"),
        (rows.Receipt, "receipts"),
    ],
)
def test_a_row_has_the_columns_of_its_table(row: type, table: str, stranger: sqlite3.Connection) -> None:
    columns = [name for _, name, *_ in stranger.execute(f"pragma table_xinfo({table})")]
    assert [field.name for field in dataclasses.fields(row)] == columns
