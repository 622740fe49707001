"""Random ids of one engine, called by the order in which they appear."""

from __future__ import annotations

import base64
import binascii
import re

_RANDOM = re.compile(
    r"(?P<run>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|(?<![0-9a-f])(?P<token>[0-9a-f]{32})(?![0-9a-f])"
)
_PAGE_TOKEN = re.compile('"([A-Za-z0-9+/]{48})"')
SYMBOL = re.compile("<(?:run|token) [0-9]+>")


class Names:
    """Run ids become `<run 1>`, `<run 2>`, ...; registration tokens and ends of signal ids `<token 1>`."""

    def __init__(self) -> None:
        self._symbols: dict[str, str] = {}
        self._ids: dict[str, str] = {}
        self._counts = {"run": 0, "token": 0}

    @property
    def symbols(self) -> list[str]:
        """All that were given, in order."""
        return list(self._ids)

    def symbolic(self, text: str) -> str:
        """The text with ids as symbols; an id that was never seen gets the next one."""
        return _RANDOM.sub(self._symbol, _PAGE_TOKEN.sub(_decoded, text))

    def real(self, text: str) -> str:
        """The text with symbols as ids. Raises KeyError for one that no answer has shown yet."""
        return SYMBOL.sub(lambda match: self._ids[match[0]], text)

    def _symbol(self, match: re.Match[str]) -> str:
        found = match[0]
        if found not in self._symbols:
            kind = match.lastgroup or ""
            self._counts[kind] += 1
            self._symbols[found] = f"<{kind} {self._counts[kind]}>"
            self._ids[self._symbols[found]] = found
        return self._symbols[found]


def _decoded(match: re.Match[str]) -> str:
    """A page token that stands for a run id, in clear."""
    try:
        text = base64.b64decode(match[1], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return match[0]
    return f'"base64 of {text}"' if _RANDOM.fullmatch(text) else match[0]
