"""The schema of the first release."""

from __future__ import annotations

from byssus.schema.statements import run_frozen_files

revision = "0001"
down_revision = None


def upgrade() -> None:
    run_frozen_files(revision)
