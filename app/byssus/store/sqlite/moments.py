"""Reckoning with moments, which are texts in wire form."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import overload

from byssus.store.sqlite.shared.wire_time import wire_time


@overload
def later(moment: str, seconds: float) -> str: ...
@overload
def later(moment: str, seconds: None) -> None: ...
def later(moment: str, seconds: float | None) -> str | None:
    """The moment so many seconds later; None for None seconds."""
    if seconds is None:
        return None
    return wire_time(datetime.fromisoformat(moment) + timedelta(seconds=seconds))


def earliest(*moments: str | None) -> str | None:
    """The earliest of those that are given, or None."""
    return min((moment for moment in moments if moment is not None), default=None)
