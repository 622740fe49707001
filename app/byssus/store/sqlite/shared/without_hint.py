"""Takes away a hint whose cause the same transition has taken up, so that nobody is woken for nothing.

answer  the answer.
hint    the element of its hints, which is not the first; only its first occurrence goes, since each stands
        for one cause.
Result  the answer with the others.
"""

from __future__ import annotations

from byssus.store.answer import Answer


def without_hint(answer: Answer, hint: str) -> Answer:
    """An answer whose wake-up hints lack the first occurrence of one of them."""
    assert answer.hints is not None
    return answer._replace(hints=answer.hints.replace(f",{hint}", "", 1))
