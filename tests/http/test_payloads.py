from __future__ import annotations

from typing import Any

import msgspec
import pytest
from durable_workflow import serializer
from hypothesis import given
from hypothesis import strategies as st

from byssus.payloads import PayloadError, as_envelope, check_envelope, encode, is_absent

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(json_values)
def test_a_value_is_encoded_byte_for_byte_as_the_sdk_encodes_it(value: Any) -> None:
    assert encode(value) == serializer.encode(value)


@given(st.lists(json_values, max_size=4))
def test_an_array_becomes_an_envelope_that_the_sdk_decodes(values: list[Any]) -> None:
    envelope = msgspec.json.decode(as_envelope(msgspec.Raw(msgspec.json.encode(values))))
    assert envelope["codec"] == "avro"
    assert serializer.decode(envelope["blob"], "avro") == values


def test_an_envelope_passes_byte_for_byte() -> None:
    given_text = b'{ "blob":"\\u0041A==" , "extra":123456789012345678901234567890, "codec": "avro" }'
    assert bytes(as_envelope(msgspec.Raw(given_text))) == given_text


@pytest.mark.parametrize(
    "envelope",
    [
        b'{"codec":"avro","external_storage":{"uri":"s3://x"}}',
        b'{"codec":"avro","external_payload":{"reference_id":"ep_1"}}',
    ],
)
def test_references_to_payloads_kept_elsewhere_are_envelopes_too(envelope: bytes) -> None:
    check_envelope(msgspec.Raw(envelope))


@pytest.mark.parametrize(
    "value",
    [
        b'"wwHi"',
        b"1",
        b"{}",
        b'{"codec":"json","blob":"x"}',
        b'{"codec":null,"blob":"x"}',
        b'{"codec":"avro"}',
        b'{"codec":"avro","blob":null}',
        b'{"codec":"avro","blob":1}',
        b'{"codec":"avro","blob":"x","external_storage":{}}',
    ],
)
def test_what_is_no_envelope_is_refused(value: bytes) -> None:
    with pytest.raises(PayloadError, match="envelope"):
        as_envelope(msgspec.Raw(value))


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1])
def test_integers_beyond_64_bits_are_refused(number: int) -> None:
    with pytest.raises(PayloadError, match="64 bits"):
        as_envelope(msgspec.Raw(b"[%d]" % number))


def test_null_counts_as_absent() -> None:
    assert is_absent(msgspec.Raw(b"null"))
    assert is_absent(msgspec.Raw())
    assert not is_absent(msgspec.Raw(b"[]"))
