from __future__ import annotations

import msgspec
import pytest

from byssus.errors import Refused
from byssus.http.documents import document, present
from byssus.http.page_tokens import run_id_of, sequence_of
from byssus.http.validation import MAX_NESTING, Identifier, check_nesting, decode, identifier_fault


class _Item(msgspec.Struct):
    name: Identifier


class _Body(msgspec.Struct):
    worker_id: Identifier
    items: list[_Item] = []
    counts: dict[str, int] = {}


DECODER = msgspec.json.Decoder(_Body)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (b"[]", "body"),
        (b"{}", "worker_id"),
        (b'{"worker_id":null}', "worker_id"),
        (b'{"worker_id":1}', "worker_id"),
        (b'{"worker_id":""}', "worker_id"),
        (b'{"worker_id":"a\\u0000"}', "worker_id"),
        (b'{"worker_id":"a\\n"}', "worker_id"),
        (b'{"worker_id":"a\\u007f"}', "worker_id"),
        (b'{"worker_id":"' + b"a" * 256 + b'"}', "worker_id"),
        ('{"worker_id":"' + "é" * 128 + '"}', "worker_id"),
        (b'{"worker_id":"w","items":[{"name":"a"},{}]}', "items.1.name"),
        (b'{"worker_id":"w","items":[{"name":"a"},{"name":[]}]}', "items.1.name"),
        (b'{"worker_id":"w","counts":{"a":"b"}}', "counts"),
    ],
)
def test_an_error_names_the_field(body: bytes | str, field: str) -> None:
    with pytest.raises(Refused) as caught:
        decode(DECODER, body.encode() if isinstance(body, str) else body)
    assert caught.value.code == "validation_failed"
    assert list(caught.value.members["errors"]) == [field]  # type: ignore[call-overload]
    assert caught.value.members["errors"] == caught.value.members["validation_errors"]


@pytest.mark.parametrize("identifier", ["a", " a ", "A", "é" * 127, "a" * 255, "a/b c", "\x80"])
def test_any_other_identifier_passes_unchanged(identifier: str) -> None:
    assert identifier_fault(identifier) is None
    assert decode(DECODER, msgspec.json.encode({"worker_id": identifier})).worker_id == identifier


@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'{"a":['])
def test_documents_may_nest_up_to_the_limit(opening: bytes) -> None:
    levels = opening.count(b"[") + opening.count(b"{")
    closing = opening.replace(b'"a":', b"").translate(bytes.maketrans(b"[{", b"]}"))[::-1]
    deep = MAX_NESTING // levels
    check_nesting(b"[" + opening * (deep - 1) + b"1" + closing * (deep - 1) + b"]")
    with pytest.raises(Refused, match="malformed_json"):
        check_nesting(b"[" + opening * (deep + 1) + b"1" + closing * (deep + 1) + b"]")


@pytest.mark.parametrize("document_text", [b"[" * 100_000, b'{"a":' * 100_000])
def test_unbalanced_brackets_are_refused_before_any_parser_sees_them(document_text: bytes) -> None:
    with pytest.raises(Refused, match="malformed_json"):
        check_nesting(document_text)


@pytest.mark.parametrize(
    "text", [b'"' + b"[" * 1000 + b'"', b'["\\"' + b"{" * 1000 + b'"]', b"[" + b"[]," * 999 + b"1]"]
)
def test_brackets_in_strings_and_side_by_side_are_no_nesting(text: bytes) -> None:
    check_nesting(text)


def test_a_string_without_end_is_read_only_once() -> None:
    with pytest.raises(Refused, match="malformed_json"):
        check_nesting(b"[" * (MAX_NESTING + 1) + b'"' + b'\\"' * 1_000_000)


def test_a_document_with_a_nul_is_refused() -> None:
    with pytest.raises(Refused) as caught:
        document({"memo": msgspec.Raw(b'"a\\u0000"')}, "memo")
    assert caught.value.members["errors"] == {"memo": ["must not contain NUL characters"]}


def test_an_escaped_backslash_before_u0000_is_no_nul() -> None:
    assert document({"a": msgspec.Raw(b'"\\\\u0000"')}, "memo") == '{"a":"\\\\u0000"}'


def test_absent_members_stay_out_of_documents() -> None:
    members = {
        "a": None,
        "b": msgspec.UNSET,
        "c": msgspec.Raw(),
        "d": msgspec.Raw(b"null"),
        "e": 0,
        "f": False,
    }
    assert present(members) == {"e": 0, "f": False}


def test_page_tokens_are_the_base64_of_a_position() -> None:
    assert sequence_of(None) == 0
    assert sequence_of("MA==") == 0
    assert sequence_of("NDI=") == 42


@pytest.mark.parametrize("token", ["", "MA", "!!!!", "LTE=", "OTk5OTk5OTk5OTk5OTk5", "é", "MS4w"])
def test_what_is_no_history_token_is_refused(token: str) -> None:
    with pytest.raises(Refused, match="invalid_page_token"):
        sequence_of(token)


@pytest.mark.parametrize("token", [None, "", "junk", "MA==", "é"])
def test_what_is_no_list_token_means_the_first_page(token: str | None) -> None:
    assert run_id_of(token) is None
