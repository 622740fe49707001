"""What the members of commands have in common: their kinds, their payloads, and how they are decoded."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

import msgspec

from byssus.errors import invalid
from byssus.http.documents import text_of
from byssus.payloads import PayloadError, check_envelope, is_absent

ABSENT: Any = msgspec.field(default_factory=msgspec.Raw)
# Bounded so that the sum of two of them is still a 32-bit integer.
Sequence = Annotated[int, msgspec.Meta(ge=1, le=1_000_000_000)]
Index = Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)]
Line = Annotated[str, msgspec.Meta(max_length=255)]
Document = dict[str, object]
C = TypeVar("C", bound=msgspec.Struct)


def envelope(value: msgspec.Raw, field: str) -> msgspec.Raw:
    """A payload as it came, or nothing; refuses one that is no payload, naming the field."""
    if not is_absent(value):
        try:
            check_envelope(value)
        except PayloadError as fault:
            raise invalid(field, str(fault)) from None
    return value


def part(value: msgspec.Raw) -> str | None:
    """A payload as text for the transition, or None for nothing."""
    return None if is_absent(value) else text_of(value)


def without_nul(text: str) -> str:
    """A text for people, without the one character that not every engine can hold."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


def decoder(kind: type[C]) -> msgspec.json.Decoder[C]:
    """Decodes commands of one kind."""
    return msgspec.json.Decoder(kind)
