"""One request on its way, as the endpoints see it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from byssus.errors import invalid
from byssus.settings import Settings

Receive = Callable[[], Awaitable[Any]]
Body = TypeVar("Body")

_PAGE_RULE = "must be a whole number from {least} to {most}"


@dataclass(slots=True, frozen=True)
class Call(Generic[Body]):
    """A request that has passed every check but those of its own body's meaning."""

    settings: Settings
    namespace: str
    path: Mapping[str, str]
    query: Mapping[str, str]
    body: Body
    protocol_version: str
    receive: Receive

    def integer(self, name: str, default: int, least: int, most: int) -> int:
        """A whole number from the query string."""
        text = self.query.get(name)
        if text is None:
            return default
        if not (text.isascii() and text.isdigit() and len(text) <= 9 and least <= int(text) <= most):
            raise invalid(name, _PAGE_RULE.format(least=least, most=most))
        return int(text)

    def flag(self, name: str) -> bool:
        """A boolean from the query string, false when absent."""
        text = self.query.get(name, "false").lower()
        if text not in ("true", "false", "1", "0"):
            raise invalid(name, "must be true or false")
        return text in ("true", "1")


class ClientGone(Exception):
    """The client has hung up: there is nobody to answer."""
