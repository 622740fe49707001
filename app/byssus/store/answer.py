"""What a transition answers, whichever engine ran it."""

from __future__ import annotations

from typing import NamedTuple


class Answer(NamedTuple):
    """The result of one transition.

    `outcome` is a success code or a refusal reason (docs/errors.md lists both).
    `body` is a JSON object as text, ready for the socket.
    `hints` is a JSON array of wake-up hints as text, or None: what became possible through this commit.
    """

    outcome: str
    body: str
    hints: str | None
