"""The answer that says no.

reason   a code of docs/errors.md.
members  more members of the body: text that begins with a comma, or nothing.
Result   the refusal.
"""

from __future__ import annotations

from byssus.store.answer import Answer


def refuse(reason: str, members: str = "") -> Answer:
    """A refusal: its reason as outcome, and a body that names it."""
    return Answer(reason, f'{{"reason":"{reason}"{members}}}', None)
