"""Values as they rarely come, and as careless code takes them for others."""

from __future__ import annotations

ODD_NAMES = (
    "a",
    "A",
    "a ",
    "é",
    "e\u0301",
    "ß",
    "ss",
    "🚲",
    "🚲" * 63 + "xyz",
    "x" * 255,
    "'; drop table runs; -- %s {} ? :name $1",
    '"quoted" \\ back\\slash \u2028',
    "a\u200b",
    "null",
    "%",
    "_",
)
"""Identifiers of at most 255 bytes, some of which some collation cannot tell apart."""

ODD_TEXTS = ("", 'why "é"\t\x01\x1f\x7f\n', "\\", "😀" * 300)
"""Texts of people."""

PAYLOADS = (
    '{"codec":"avro","blob":"x"}',
    '{"b":1,"a":2,"a":3}',
    '{ "codec" :\t"avro" , "blob" : "" }',
    '{"big":123456789012345678901234567890,"decimal":1.10,"huge":1E400,"zero":-0}',
    r'{"codec":"avro","blob":"a\u0000b","external_storage":{"a\u0000b":null}}',
    r'"\u00e9\/\ud83d\ude80\"\\\b\f\n\r\t\u001f\u007f"',
    r'"\ud83d lone, and \udc00"',
    '"Zürich 🚲 日本 \u2028\u2029 \ufeff \uffff e\u0301 \u00e9 \x7f\x80\x9f"',
    """ "'; drop table runs; -- $$ %s %(a)s {} ? :name `" """,
    "[" * 400 + "]" * 400,
    "[null,true,false,[],{},0]",
    '{"signal_id":"x","payload":{"sequence":1},"recorded_at":"y"}',
    '{"codec":"avro","blob":"' + "A" * 3000 + '"}',
)
"""JSON texts that have to come back byte for byte."""

HUGE_PAYLOAD = '{"codec":"avro","blob":"' + "A" * 70_000 + '"}'
"""Longer than what the smaller text types hold."""
