"""What may come in: bounded identifiers, numbers and documents, with errors that name the field."""

from __future__ import annotations

import re
from functools import cache
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import inspect

from byssus.errors import Refused, invalid

MAX_IDENTIFIER_BYTES = 255
MAX_NESTING = 64
"""How deeply request documents may nest: as much as any engine's JSON can hold, wrapped once more."""

# `$` alone would also match before a final line feed.
_PRINTABLE = r"^[^\x00-\x1f\x7f]*(?!\n)$"
_IDENTIFIER = {"byssus": "identifier"}

Identifier = Annotated[
    str, msgspec.Meta(min_length=1, max_length=MAX_IDENTIFIER_BYTES, pattern=_PRINTABLE, extra=_IDENTIFIER)
]
"""1 to 255 bytes without control characters; compared by bytes, so case and blanks count."""

WorkflowId = Annotated[str, msgspec.Meta(pattern=r"^[a-zA-Z0-9._:-]{1,128}(?!\n)$")]
Text = Annotated[str, msgspec.Meta(max_length=1000, pattern=r"^[^\x00]*$")]
Seconds = Annotated[int, msgspec.Meta(ge=1, le=2_147_483_647)]
SecondsFromZero = Annotated[int, msgspec.Meta(ge=0, le=2_147_483_647)]
Count = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Attempt = Annotated[int, msgspec.Meta(ge=1, le=2_147_483_647)]

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
# Possessive, and without a need for the closing quote: no document makes this go back over what it has read.
_STRINGS = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_SQUARE = bytes.maketrans(b"{}", b"[]")
_LOCATION = re.compile(r" - at (`key` in )?`\$?(?P<path>.*)`$")
_MISSING = re.compile(r"missing required field `(?P<name>[^`]*)`")
_PATTERN = re.compile(r"Expected `str` matching regex .*", re.DOTALL)

S = TypeVar("S", bound=msgspec.Struct)


def identifier_fault(value: str) -> str | None:
    """What is wrong with an identifier, or None."""
    if not value:
        return "must not be empty"
    if _CONTROL.search(value):
        return "must not contain control characters"
    if len(value) > MAX_IDENTIFIER_BYTES or len(value.encode()) > MAX_IDENTIFIER_BYTES:
        return f"must not be longer than {MAX_IDENTIFIER_BYTES} bytes"
    return None


def check_nesting(document: bytes) -> None:
    """Refuse a document that nests deeper than MAX_NESTING, before any parser recurses into it."""
    if document.count(b"[") + document.count(b"{") <= MAX_NESTING:
        return
    brackets = _STRINGS.sub(b"", document).translate(None, _NOT_BRACKETS).translate(_SQUARE)
    for _ in range(MAX_NESTING):
        inner_pairs_removed = brackets.replace(b"[]", b"")
        if len(inner_pairs_removed) == len(brackets):
            break
        brackets = inner_pairs_removed
    if brackets:
        raise Refused(
            "malformed_json", f"The request body is not JSON, or nests deeper than {MAX_NESTING} levels."
        )


def check_bytes(struct: msgspec.Struct, prefix: str = "") -> None:
    """Refuse identifiers of more than 255 bytes: the structs themselves count characters."""
    for name in _identifier_fields(type(struct)):
        value = getattr(struct, name)
        if isinstance(value, str) and not value.isascii() and len(value.encode()) > MAX_IDENTIFIER_BYTES:
            raise invalid(prefix + name, f"must not be longer than {MAX_IDENTIFIER_BYTES} bytes")


def refusal_of(fault: msgspec.ValidationError, prefix: str = "") -> Refused:
    """The refusal that names the field a validation error is about.

    `prefix` is put before the field's name.
    """
    text = str(fault)
    path = ""
    if (location := _LOCATION.search(text)) is not None:
        path = location["path"].replace("[...]", "").replace("[", ".").replace("]", "").lstrip(".")
        text = text[: location.start()]
    if (missing := _MISSING.search(text)) is not None:
        path = f"{path}.{missing['name']}" if path else missing["name"]
        text = "is required"
    field = (prefix + path).rstrip(".") or "body"
    return invalid(field, _PATTERN.sub("contains characters that are not allowed, or is too long", text))


def decode(decoder: msgspec.json.Decoder[S], document: bytes | msgspec.Raw, prefix: str = "") -> S:
    """A struct out of a document that is known to be JSON. `prefix` is put before field names in errors."""
    try:
        struct = decoder.decode(document)
    except msgspec.ValidationError as fault:
        raise refusal_of(fault, prefix) from None
    check_bytes(struct, prefix)
    return struct


@cache
def _identifier_fields(struct_type: type[msgspec.Struct]) -> tuple[str, ...]:
    info = inspect.type_info(struct_type)
    assert isinstance(info, inspect.StructType)
    return tuple(field.name for field in info.fields if _is_identifier(field.type))


def _is_identifier(kind: Any) -> bool:
    if isinstance(kind, inspect.UnionType):
        return any(_is_identifier(member) for member in kind.types)
    return isinstance(kind, inspect.Metadata) and kind.extra == _IDENTIFIER
