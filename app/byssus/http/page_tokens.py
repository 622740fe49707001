"""Page tokens: base64 of the last position that was delivered."""

from __future__ import annotations

import base64
import binascii
import re

from byssus.errors import Refused

_SEQUENCE = re.compile(r"[0-9]{1,9}")
_RUN_ID = re.compile(r"[0-9a-f-]{36}")


def sequence_of(token: str | None) -> int:
    """The history sequence after which a page begins; 0 without a token. Refuses what is not a token."""
    if token is None:
        return 0
    text = _decoded(token)
    if text is None or not _SEQUENCE.fullmatch(text):
        raise Refused("invalid_page_token")
    return int(text)


def run_id_of(token: str | None) -> str | None:
    """The run after which a page of a list begins; a token that is none means the first page."""
    text = None if token is None else _decoded(token)
    return text if text is not None and _RUN_ID.fullmatch(text) else None


def _decoded(token: str) -> str | None:
    try:
        return base64.b64decode(token, validate=True).decode("ascii")
    except (binascii.Error, ValueError):
        return None
