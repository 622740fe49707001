"""A new run id: a UUID of version 7, which sorts by the moment it was made.

now     the transition's moment.
Result  36 characters.
"""

from __future__ import annotations

import uuid
from datetime import datetime


def new_run_id(now: str) -> str:
    """A UUIDv7 as text: ids sort by creation time."""
    milliseconds = round(datetime.fromisoformat(now).timestamp() * 1000)
    content = bytearray(uuid.uuid4().bytes)
    content[:6] = milliseconds.to_bytes(6)
    content[6] = content[6] & 15 | 112
    return str(uuid.UUID(bytes=bytes(content)))
