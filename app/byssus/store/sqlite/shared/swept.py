"""What a maintenance pass answers.

count   how much it did.
more    whether there may be more to do at once.
hints   wake-up hints, each none, one or several elements joined by commas.
Result  outcome swept.
"""

from __future__ import annotations

from byssus.store.answer import Answer


def swept(count: int, more: bool, hints: list[str | None]) -> Answer:
    """The answer of a maintenance pass."""
    body = f'{{"count":{count},"more":{"true" if more else "false"}}}'
    joined = ",".join(hint for hint in hints if hint)
    return Answer("swept", body, f"[{joined}]" if joined else None)
