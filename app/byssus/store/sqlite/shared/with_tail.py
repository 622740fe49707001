"""The answer of an activity poll with the rest of its run's history.

body    the answer, a JSON object.
tail    the rest (history_tail), or None.
Result  the answer with the member history_tail, or as it was.
"""

from __future__ import annotations


def with_tail(body: str, tail: str | None) -> str:
    """An answer with the rest of a history, if there is one."""
    return body if tail is None else f'{body[:-1]},"history_tail":{tail}}}'
