"""Each file holds one routine, named like it, that says what it does, what it locks and what it writes."""

from __future__ import annotations

import re
from pathlib import Path

import psycopg
import pytest

from byssus import assets

FILES = sorted((assets.path("procedures") / "postgresql").rglob("*.sql"))

Connection = psycopg.Connection[tuple[object, ...]]

_each_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


def _header(file: Path) -> str:
    return re.split(r"^(?!--)", file.read_text(), maxsplit=1, flags=re.MULTILINE)[0]


@_each_file
def test_a_file_holds_one_routine_named_like_the_file(file: Path) -> None:
    made = re.findall(
        r"^create or replace (?:function|procedure) byssus\.(\w+)\(", file.read_text(), re.MULTILINE
    )
    assert made == [file.stem]


@_each_file
def test_a_file_begins_with_what_the_routine_does_locks_and_writes(file: Path) -> None:
    header = _header(file)
    assert re.match(r"-- [A-Z]", header), "the header does not begin with a sentence"
    assert re.search(r"\bLocks\b", header), "the header does not say what the routine locks"
    assert re.search(r"\b[Ww]rites\b", header), "the header does not say what the routine writes"


@_each_file
def test_a_header_names_every_parameter(file: Path) -> None:
    created = file.read_text().partition("create or replace")[2]
    parameters = re.findall(r"\b(p_\w+) ", created.partition("\nlanguage")[0])
    header = _header(file)
    if ".. p_" not in header:
        assert [name for name in parameters if name not in header] == []


@pytest.mark.engines("postgresql15")
def test_every_routine_has_a_comment_in_the_database(owner: Connection) -> None:
    silent = owner.execute(
        "select proname from pg_proc where pronamespace = 'byssus'::regnamespace"
        " and obj_description(oid, 'pg_proc') is null"
    )
    assert silent.fetchall() == []
