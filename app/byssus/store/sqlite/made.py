"""What the function of a command makes."""

from __future__ import annotations

from typing import NamedTuple


class Made(NamedTuple):
    """A command's events, a wake-up hint or None, and whether the run needs a workflow task at once."""

    types: list[str]
    payloads: list[str]
    hint: str | None
    wakes: bool
