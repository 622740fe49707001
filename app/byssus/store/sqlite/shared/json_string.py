"""A text as a JSON string.

text    any text, or None.
Result  the text quoted and escaped, or None.
"""

from __future__ import annotations

from typing import overload

import msgspec

_encode = msgspec.json.Encoder().encode


@overload
def json_string(text: str) -> str: ...
@overload
def json_string(text: None) -> None: ...
def json_string(text: str | None) -> str | None:
    """A text as a JSON string; None stays None."""
    return None if text is None else _encode(text).decode()
