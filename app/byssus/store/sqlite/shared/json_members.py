"""The members of a JSON object, to be spliced behind others.

Byte for byte, so that payloads stay what they were.

text    a JSON object without white space around its braces, or None.
Result  its members with a leading comma; empty for None and for an object without members.
"""

from __future__ import annotations


def json_members(text: str | None) -> str:
    """The members of a JSON object as text with a leading comma."""
    return "" if text is None or text == "{}" else "," + text[1:-1]
