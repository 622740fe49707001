"""A moment as it goes over the wire: UTC, six digits, Z.

moment  the moment, aware of its zone.
Result  YYYY-MM-DDTHH:MM:SS.ffffffZ
"""

from __future__ import annotations

from datetime import UTC, datetime


def wire_time(moment: datetime) -> str:
    """A moment in wire form: RFC 3339, UTC, microseconds."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")[:26] + "Z"
