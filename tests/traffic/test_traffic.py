"""Random traffic on two servers, one of which is killed: whatever was acknowledged has happened, once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engines.databases import Database
from tests.traffic.traffic import bounded

pytestmark = pytest.mark.engines("sqlite", "postgresql15", "mariadb", "mysql")

OPERATIONS = 350


async def test_what_was_acknowledged_has_happened_once(database: Database, tmp_path: Path) -> None:
    outcome = await bounded(database, tmp_path, "traffic", OPERATIONS)
    assert not outcome.faults, "\n".join(outcome.faults)
    assert outcome.kills == 1
    assert outcome.ledger.claims["activity", "carried"]
    assert outcome.ledger.continuations["applied"]
