"""Which schema a database says it has, against the one that this release needs."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache

import msgspec

from byssus.database_url import Engine, engine_of, masked
from byssus.schema import revisions
from byssus.schema.shipped import routine_files


@dataclass(frozen=True, slots=True)
class SchemaState:
    """What `read_schema_state` answers.

    `revision` is the Alembic revision, None before the first upgrade. `routines` is one checksum over all
    routines of the release, None where there are none.
    """

    revision: str | None
    routines: str | None


@cache
def expected_state(engine: Engine) -> SchemaState:
    """The state of a database that this release has upgraded."""
    return SchemaState(
        revisions.head(), combined_checksum({f.name: f.checksum for f in routine_files(engine)})
    )


def combined_checksum(checksums: dict[str, str]) -> str | None:
    """One checksum over those of all routines, as read_schema_state makes it; None for no routines."""
    if not checksums:
        return None
    listed = ",".join(f"{name} {checksums[name]}" for name in sorted(checksums))
    return hashlib.sha256(listed.encode()).hexdigest()


def verdict(actual: str | None, url: str) -> str | None:
    """None when the database fits this release; otherwise a sentence that names the command to run.

    `actual` is the body of `read_schema_state`, or None when that routine could not be called.
    """
    state = SchemaState(None, None) if actual is None else msgspec.json.decode(actual, type=SchemaState)
    return compare(state, url)


def compare(state: SchemaState, url: str) -> str | None:
    """None when a state fits this release; otherwise a sentence that names the command to run."""
    expected = expected_state(engine_of(url))
    command = f"byssus db upgrade --database '{masked(url)}'"
    if state.revision is None:
        return f"The database has no Byssus schema. Run: {command}"
    if state.revision != expected.revision:
        if revisions.is_known(state.revision):
            return (
                f"The schema is behind: it is at revision {state.revision}, this release needs "
                f"{expected.revision}. Run: {command}"
            )
        return (
            f"The schema is ahead: its revision {state.revision} comes from a later release than this one, "
            f"which knows revisions up to {expected.revision}. Start that release's server instead."
        )
    if state.routines != expected.routines:
        return f"The schema's routines are not those of this release. Run: {command}"
    return None
