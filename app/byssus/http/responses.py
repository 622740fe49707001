"""Answers on their way out: the store's JSON text as it is, with a few constant members added."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from byssus.errors import ERRORS
from byssus.http.endpoints import Endpoint
from byssus.http.versions import (
    CONTROL_PLANE_HEADER,
    CONTROL_PLANE_VERSION,
    WORKER_PROTOCOL,
    WORKER_PROTOCOL_HEADER,
)

Send = Callable[[Any], Awaitable[None]]
Header = tuple[bytes, bytes]

COMPRESS_FROM_BYTES = 1024
COMPRESS_IN_THREAD_FROM_BYTES = 65_536
_COMPRESSION_LEVEL = 1

_PLANE_HEADERS: dict[str, Header] = {
    "worker": (WORKER_PROTOCOL_HEADER, WORKER_PROTOCOL.encode()),
    "control": (CONTROL_PLANE_HEADER, CONTROL_PLANE_VERSION.encode()),
}
_RETRY_AFTER = (b"retry-after", b"1")
_ALLOW = b"allow"

_encode = msgspec.json.Encoder().encode
_members = msgspec.json.Decoder(dict[str, msgspec.Raw])


@dataclass(slots=True)
class Response:
    """An answer. `outcome` is for the log; `headers` come on top of the usual ones."""

    status: int
    body: bytes
    outcome: str
    headers: tuple[Header, ...] = ()
    content_type: bytes = b"application/json"


def with_members(body: str, members: bytes) -> bytes:
    """The text of a JSON object, with `members` (`"name":value,...`, or nothing) put at its end."""
    content = body.encode()
    if not members:
        return content
    separator = b"" if content == b"{}" else b","
    return b"".join((content[:-1], separator, members, b"}"))


def control_plane_member(endpoint: Endpoint, path: Mapping[str, object]) -> bytes:
    """The `control_plane` member of an answer about a workflow; `path` has the ids that are known."""
    member: dict[str, object] = {
        "schema": "durable-workflow.v2.control-plane-response",
        "version": 1,
        "operation": endpoint.operation,
    }
    if "signal_name" in path:
        member["operation_name"] = path["signal_name"]
        member["operation_name_field"] = "signal_name"
    for name in ("workflow_id", "run_id"):
        if path.get(name) is not None:
            member[name] = path[name]
    return b'"control_plane":' + _encode(member)


def refusal(
    code: str,
    message: str,
    members: Mapping[str, object],
    endpoint: Endpoint | None,
    path: Mapping[str, object],
    capabilities: msgspec.Raw,
    status: int | None = None,
) -> Response:
    """The answer that says no: reason and message, whatever belongs to the plane, and `members`."""
    error = ERRORS[code]
    body: dict[str, object] = {"reason": code, "message": message, **members}
    if error.retryable:
        body.setdefault("retryable", True)
        body.setdefault("retry_after_seconds", 1)
    if endpoint is not None and endpoint.plane == "worker":
        body["error"] = message
        body["protocol_version"] = WORKER_PROTOCOL
        body["server_capabilities"] = capabilities
    content = _encode(body)
    if endpoint is not None and endpoint.plane == "control":
        content = content[:-1] + b"," + control_plane_member(endpoint, path) + b"}"
    return Response(status or error.status, content, code, (_RETRY_AFTER,) if error.retryable else ())


def refusal_members(body: str) -> dict[str, msgspec.Raw]:
    """The members of a refusal's body; refusals are small."""
    return _members.decode(body)


def not_allowed(methods: list[str]) -> tuple[Header, ...]:
    """The headers of a refusal of the method."""
    return ((_ALLOW, ", ".join(sorted(methods)).encode()),)


async def send_response(
    response: Response, endpoint: Endpoint | None, request_id: str, accept_encoding: bytes, send: Send
) -> None:
    """Send an answer; `accept_encoding` is empty where compression is off."""
    body = response.body
    headers = [
        (b"content-type", response.content_type),
        (b"x-request-id", request_id.encode()),
        *response.headers,
    ]
    if endpoint is not None and (plane := _PLANE_HEADERS.get(endpoint.plane)) is not None:
        headers.append(plane)
    if len(body) >= COMPRESS_FROM_BYTES and _takes_gzip(accept_encoding):
        body = await _compressed(body)
        headers.append((b"content-encoding", b"gzip"))
        headers.append((b"vary", b"accept-encoding"))
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": response.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _compressed(body: bytes) -> bytes:
    if len(body) < COMPRESS_IN_THREAD_FROM_BYTES:
        return gzip.compress(body, _COMPRESSION_LEVEL, mtime=0)
    return await asyncio.to_thread(gzip.compress, body, _COMPRESSION_LEVEL, mtime=0)


def _takes_gzip(accept_encoding: bytes) -> bool:
    for coding in accept_encoding.lower().split(b","):
        name, _, quality = coding.partition(b";")
        if name.strip() in (b"gzip", b"*"):
            return quality.replace(b" ", b"") not in (b"q=0", b"q=0.0", b"q=0.00", b"q=0.000")
    return False
