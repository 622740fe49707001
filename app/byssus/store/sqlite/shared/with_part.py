"""A completion's answer with what one of its carried parts got.

answer  the answer.
name    the part, which names the member.
body    what it got, a JSON object.
Result  the answer with the member at its end.
"""

from __future__ import annotations

from byssus.store.answer import Answer


def with_part(answer: Answer, name: str, body: str) -> Answer:
    """An answer with the member of a carried part."""
    return answer._replace(body=f'{answer.body[:-1]},"{name}":{body}}}')
