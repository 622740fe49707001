"""Adds the note that a carried part has failed to the hints of a completion, for the server's log.

answer    the completion's answer.
part      the part.
sqlstate  why: the kind of the error.
Result    the answer with ["failed",part,sqlstate] at the end of its hints.
"""

from __future__ import annotations

from byssus.store.answer import Answer


def failure_hint(answer: Answer, part: str, sqlstate: str) -> Answer:
    """An answer whose wake-up hints tell of the failure of a carried part."""
    assert answer.hints is not None
    comma = "" if answer.hints == "[]" else ","
    return answer._replace(hints=f'{answer.hints[:-1]}{comma}["failed","{part}","{sqlstate}"]]')
