"""Payload envelopes: `{"codec": "avro", "blob": "<base64>"}`.

Envelopes are opaque here and pass through byte for byte. Only a plain JSON array that a client gives as input
is encoded, into what the official SDK would have sent for the same list: Avro single-object encoding of one
fixed recursive schema.
"""

from __future__ import annotations

import base64
import io
from typing import Any, cast

import msgspec
from fastavro import parse_schema, schemaless_writer

_NAMESPACE = "durable_workflow.protocol"


def _branch(name: str, field: str, kind: object) -> dict[str, object]:
    return {"type": "record", "name": name, "fields": [{"name": field, "type": kind}]}


_SCHEMA = cast(
    dict[str, Any],
    parse_schema(
        {
            "type": "record",
            "name": "Value",
            "namespace": _NAMESPACE,
            "fields": [
                {
                    "name": "value",
                    "type": [
                        "null",
                        _branch("BooleanValue", "boolean", "boolean"),
                        _branch("LongValue", "long", "long"),
                        _branch("DoubleValue", "double", "double"),
                        _branch("BytesValue", "bytes", "bytes"),
                        _branch("StringValue", "string", "string"),
                        _branch("ArrayValue", "items", {"type": "array", "items": "Value"}),
                        _branch("MapValue", "entries", {"type": "map", "values": "Value"}),
                    ],
                }
            ],
        }
    ),
)
_FRAME = bytes.fromhex("c301" + "e2a33dff55802237")


class PayloadError(Exception):
    """A value is not an envelope, or cannot be encoded into one; the message says why."""


class _Envelope(msgspec.Struct):
    codec: str
    blob: str | msgspec.UnsetType = msgspec.UNSET
    external_storage: dict[str, msgspec.Raw] | msgspec.UnsetType = msgspec.UNSET
    external_payload: dict[str, msgspec.Raw] | msgspec.UnsetType = msgspec.UNSET


_envelopes = msgspec.json.Decoder(_Envelope)
_arrays = msgspec.json.Decoder(list[Any])


def first_byte(value: msgspec.Raw) -> bytes:
    """The byte that tells what kind of JSON value it is; empty for a member that was left out."""
    return memoryview(value)[:1].tobytes()


def is_absent(value: msgspec.Raw) -> bool:
    """Whether a member was left out or given as null."""
    return first_byte(value) in (b"", b"n")


def check_envelope(value: msgspec.Raw) -> None:
    """Raise PayloadError unless `value` is an envelope of the one codec there is."""
    try:
        envelope = _envelopes.decode(value)
    except msgspec.DecodeError as fault:
        raise PayloadError(f"must be a payload envelope: {fault}") from None
    if envelope.codec != "avro":
        raise PayloadError('must be a payload envelope whose codec is "avro"')
    parts = (envelope.blob, envelope.external_storage, envelope.external_payload)
    if sum(part is not msgspec.UNSET for part in parts) != 1:
        raise PayloadError(
            "must be a payload envelope with exactly one of blob, external_storage, external_payload"
        )


def as_envelope(value: msgspec.Raw) -> msgspec.Raw:
    """`value` itself when it is an envelope; the envelope of its values when it is a JSON array."""
    if first_byte(value) != b"[":
        check_envelope(value)
        return value
    return msgspec.Raw(msgspec.json.encode({"codec": "avro", "blob": encode(_arrays.decode(value))}))


def encode(value: Any) -> str:
    """A JSON-like value as a base64 blob. Raises PayloadError for integers beyond 64 bits."""
    buffer = io.BytesIO()
    buffer.write(_FRAME)
    schemaless_writer(buffer, _SCHEMA, _datum(value))
    return base64.b64encode(buffer.getvalue()).decode("ascii")


def _datum(value: Any) -> dict[str, object]:
    if value is None:
        return {"value": None}
    branch, content = _tagged(value)
    return {"value": (f"{_NAMESPACE}.{branch}", content)}


def _tagged(value: Any) -> tuple[str, dict[str, object]]:
    match value:
        case bool():
            return "BooleanValue", {"boolean": value}
        case int():
            if not -(2**63) <= value < 2**63:
                raise PayloadError("holds an integer beyond 64 bits")
            return "LongValue", {"long": value}
        case float():
            return "DoubleValue", {"double": value}
        case str():
            return "StringValue", {"string": value}
        case list():
            return "ArrayValue", {"items": [_datum(item) for item in value]}
        case dict():
            return "MapValue", {"entries": {key: _datum(item) for key, item in value.items()}}
    raise PayloadError(f"holds a value that JSON does not have: {type(value).__name__}")
