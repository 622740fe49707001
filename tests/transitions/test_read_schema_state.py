"""read_schema_state: what a server compares with its own release."""

from __future__ import annotations

from byssus.store.transitions import READ_SCHEMA_STATE
from tests.transitions.driver import Driver


async def test_the_state_names_revision_and_routines(driver: Driver) -> None:
    reply = await driver.call(READ_SCHEMA_STATE)
    assert reply.outcome == "schema_state"
    assert set(reply.body) == {"revision", "routines"}
    assert reply["revision"] == "0001"
