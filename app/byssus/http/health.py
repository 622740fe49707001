"""Liveness and readiness."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import msgspec

from byssus.http.responses import Response
from byssus.settings import Settings
from byssus.store import Store
from byssus.store.errors import SchemaNotReady, StoreError
from byssus.store.transitions import READ_SCHEMA_STATE

SchemaVerdict = Callable[[str | None], str | None]
"""From the body of read_schema_state (None: it could not be called) to what is wrong, if anything."""

_OK = {"status": "ok"}


async def health(store: Store) -> Response:
    """Whether the process serves and its database answers, whatever its schema."""
    try:
        await store.call(READ_SCHEMA_STATE, {})
    except SchemaNotReady:
        pass
    except StoreError:
        return _response(503, "degraded", {"database": "unavailable"})
    return _response(200, "serving", {"database": "ok"})


async def ready(settings: Settings, store: Store, verdict: SchemaVerdict) -> Response:
    """Whether requests can be served: the database answers, and its schema fits this release."""
    auth: dict[str, object] = {"status": "ok", "driver": settings.auth_driver}
    try:
        [answer] = await store.call(READ_SCHEMA_STATE, {})
        problem = verdict(answer.body)
    except SchemaNotReady as fault:
        problem = verdict(None) or str(fault)
    except StoreError:
        unreachable = {"status": "unavailable", "message": "The database cannot be reached."}
        return _response(503, "not_ready", {"database": unreachable, "auth": auth})
    if problem is not None:
        migrations = {"status": "invalid", "message": problem, "remediation": problem}
        return _response(503, "not_ready", {"database": _OK, "migrations": migrations, "auth": auth})
    return _response(200, "ready", {"database": _OK, "migrations": _OK, "auth": auth})


def _response(status: int, state: str, checks: dict[str, object]) -> Response:
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    body = {"status": state, "timestamp": now, "checks": checks}
    return Response(status, msgspec.json.encode(body), state)
