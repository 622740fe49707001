"""Documents and digests that go to the store."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from byssus.errors import invalid
from byssus.payloads import is_absent

_encode = msgspec.json.Encoder().encode
# An escaped NUL: an odd number of backslashes before `u0000`.
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


def document(value: Any, field: str) -> str:
    """A document that SQL reads, as JSON text. `field` is the part of the request it was made from.

    Refuses escaped NUL characters: not every engine can look into a document that has one.
    """
    content = _encode(value)
    if b"\\u0000" in content and _NUL.search(content):
        raise invalid(field, "must not contain NUL characters")
    return content.decode()


def verbatim(members: Mapping[str, object]) -> str:
    """Members that a transition copies and never looks into, as JSON text.

    A document holds such text in a string: so every engine passes it on byte for byte, whatever is in it.
    """
    return _encode(members).decode()


def text_of(value: msgspec.Raw) -> str:
    """A part of the request as it came, byte for byte."""
    return str(value, "utf-8")


def digest(*parts: str | None) -> str:
    """The lower-case hex SHA-256 by which a repeated request is told from a different one."""
    if len(parts) == 1 and parts[0] is not None:
        return hashlib.sha256(parts[0].encode()).hexdigest()
    return hashlib.sha256(_encode(parts)).hexdigest()


def present(members: Mapping[str, object]) -> dict[str, object]:
    """The members that have a value: on the wire, null is not the same as absent."""
    return {
        name: value
        for name, value in members.items()
        if value is not None
        and value is not msgspec.UNSET
        and not (isinstance(value, msgspec.Raw) and is_absent(value))
    }
