"""Says which schema this is, so that a server can tell whether it fits.

Outcomes  schema_state: the migration's revision; no checksum of routines, since SQLite has none.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.json_string import json_string


def read_schema_state(session: Session) -> Answer:
    """The schema revision of the database."""
    row = session.execute("select version_num from alembic_version").fetchone()
    revision = None if row is None else json_string(row[0])
    return Answer("schema_state", f'{{"revision":{revision or "null"},"routines":null}}', None)
