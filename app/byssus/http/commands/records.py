"""Commands that record something and go on."""

from __future__ import annotations

import msgspec

from byssus.errors import invalid
from byssus.http.commands.members import ABSENT, Document, decoder, envelope
from byssus.http.documents import verbatim
from byssus.http.validation import decode
from byssus.payloads import first_byte, is_absent


class RecordSideEffect(msgspec.Struct):
    """Remember a value."""

    result: msgspec.Raw
    workflow_stream: msgspec.Raw = ABSENT


def record_side_effect(command: msgspec.Raw, at: str) -> Document:
    """What a side effect gave."""
    effect = decode(_effects, command, at)
    if not is_absent(effect.workflow_stream):
        raise invalid(at + "workflow_stream", "is not supported by this server")
    if first_byte(effect.result) != b'"':
        envelope(effect.result, at + "result")
        if is_absent(effect.result):
            raise invalid(at + "result", "is required")
    return {"fields": verbatim({"result": effect.result, "payload_codec": "avro"})}


_effects = decoder(RecordSideEffect)
