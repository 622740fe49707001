"""Reading a request: the few headers that matter, the query string and the body."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

import msgspec

from byssus.errors import Refused, invalid
from byssus.http.call import ClientGone, Receive
from byssus.http.validation import check_nesting
from byssus.http.versions import CONTROL_PLANE_HEADER, WORKER_PROTOCOL_HEADER
from byssus.namespaces import namespace_name

ACCEPTED_MEDIA_TYPES = ["application/json", "application/*+json"]

_anything: msgspec.json.Decoder[Any] = msgspec.json.Decoder()


@dataclass(slots=True)
class Headers:
    """The headers that this server reads; empty when absent."""

    accept_encoding: bytes = b""
    authorization: bytes = b""
    content_length: bytes = b""
    content_type: bytes = b""
    control_plane_version: str = ""
    namespace: str | None = None
    worker_protocol: str = ""


def read_headers(headers: Iterable[tuple[bytes, bytes]]) -> Headers:
    """Pick out the headers that matter; their names are in lower case already."""
    read = Headers()
    for name, value in headers:
        if name == b"authorization":
            read.authorization = value
        elif name == b"content-type":
            read.content_type = value
        elif name == b"content-length":
            read.content_length = value
        elif name == b"accept-encoding":
            read.accept_encoding = value
        elif name == b"x-namespace":
            read.namespace = value.decode("latin-1")
        elif name == WORKER_PROTOCOL_HEADER:
            read.worker_protocol = value.decode("latin-1").strip()
        elif name == CONTROL_PLANE_HEADER:
            read.control_plane_version = value.decode("latin-1").strip()
    return read


def read_query(query_string: bytes) -> dict[str, str]:
    """The query string. Refuses bytes that are not UTF-8 and NUL characters."""
    if not query_string:
        return {}
    try:
        text = query_string.decode("ascii")
        pairs = parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=100)
    except ValueError:
        raise invalid("query", "must be a URL-encoded UTF-8 query string of at most 100 fields") from None
    for name, value in pairs:
        if "\0" in value or "\0" in name:
            raise invalid(name.replace("\0", ""), "must not contain NUL characters")
    return dict(pairs)


def namespace_of(headers: Headers, query: dict[str, str], default: str) -> str:
    """The namespace of a request: from its header, its query string, or the default."""
    if "namespace[]" in query:
        raise Refused("invalid_namespace")
    given = headers.namespace if headers.namespace is not None else query.get("namespace")
    if given is None or not given.strip():
        return default
    name = namespace_name(given)
    if name is None:
        raise Refused("invalid_namespace")
    return name


async def read_body(headers: Headers, receive: Receive, limit: int) -> bytes:
    """The whole body. Refuses one of more than `limit` bytes."""
    if headers.content_length.isdigit() and int(headers.content_length) > limit:
        raise _too_large(limit)
    message = await receive()
    chunk: bytes = message.get("body", b"")
    if message["type"] == "http.request" and not message.get("more_body"):
        if len(chunk) > limit:
            raise _too_large(limit)
        return chunk
    chunks = bytearray()
    while True:
        if message["type"] == "http.disconnect":
            raise ClientGone
        chunks += message.get("body", b"")
        if len(chunks) > limit:
            raise _too_large(limit)
        if not message.get("more_body"):
            return bytes(chunks)
        message = await receive()


def check_document(headers: Headers, body: bytes) -> None:
    """Refuse a body of another media type (415), or one that is not JSON in its outline (400)."""
    if not is_json(headers.content_type):
        raise Refused("unsupported_media_type", accepted_content_types=ACCEPTED_MEDIA_TYPES)
    if not body.isascii():
        try:
            body.decode()
        except UnicodeDecodeError as fault:
            raise Refused("malformed_json", json_error=f"not UTF-8 at byte {fault.start}") from None
    check_nesting(body)


def decode_body(decoder: msgspec.json.Decoder[Any], body: bytes) -> Any:
    """The struct of a body, or the ValidationError that says why it is none: that is for later.

    Refuses a body that is not JSON at all.
    """
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as fault:
        check_json(body)
        return fault
    except msgspec.DecodeError as fault:
        raise _malformed(fault) from None


def check_json(body: bytes) -> None:
    """Refuse a body that is not a JSON document."""
    try:
        _anything.decode(body)
    except msgspec.DecodeError as fault:
        raise _malformed(fault) from None


def is_json(content_type: bytes) -> bool:
    """Whether a media type is JSON: application/json or application/*+json, parameters aside."""
    if content_type == b"application/json":
        return True
    media_type = content_type.partition(b";")[0].strip().lower()
    return media_type == b"application/json" or (
        media_type.startswith(b"application/") and media_type.endswith(b"+json")
    )


def _malformed(fault: msgspec.DecodeError) -> Refused:
    return Refused("malformed_json", json_error=str(fault))


def _too_large(limit: int) -> Refused:
    return Refused("payload_too_large", limit=limit)
