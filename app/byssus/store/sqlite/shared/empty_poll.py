"""The answer to a poll for which there is nothing.

Result  outcome empty, a null task.
"""

from __future__ import annotations

from byssus.store.answer import Answer


def empty_poll() -> Answer:
    """The answer of an empty poll."""
    return Answer("empty", '{"task":null,"poll_status":"empty"}', None)
