"""One member of a JSON object, left out when it has no value: on the wire, null is not the same as absent.

name    the member's name.
value   its value as JSON text, or None.
Result  the member with a leading comma, or nothing.
"""

from __future__ import annotations


def json_member(name: str, value: str | int | None) -> str:
    """A JSON member with a leading comma, or nothing for None."""
    return "" if value is None else f',"{name}":{value}'
