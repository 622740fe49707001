"""Database URLs."""

from __future__ import annotations

import pytest

from byssus.database_url import engine_of, masked, sqlite_path


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("sqlite:///var/byssus.db", "sqlite"),
        ("postgresql://localhost/byssus", "postgresql"),
        ("postgres://localhost/byssus", "postgresql"),
    ],
)
def test_the_scheme_names_the_engine(url: str, expected: str) -> None:
    assert engine_of(url) == expected


@pytest.mark.parametrize("url", ["", "byssus.db", "mysql://root:secret@localhost/byssus", "sqlite:byssus.db"])
def test_another_scheme_is_refused_without_showing_a_password(url: str) -> None:
    with pytest.raises(ValueError, match="is not a database URL") as refusal:
        engine_of(url)
    assert "secret" not in str(refusal.value)


def test_an_sqlite_url_names_a_file() -> None:
    assert str(sqlite_path("sqlite:///var/byssus.db")) == "var/byssus.db"
    assert str(sqlite_path("sqlite:////var/byssus.db")) == "/var/byssus.db"


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///", "sqlite:///:memory:", "sqlite://byssus.db"])
def test_an_sqlite_url_without_a_file_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="names no file"):
        sqlite_path(url)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://anna:s%40crt@db:5432/byssus", "postgresql://anna:***@db:5432/byssus"),
        (
            "postgresql://anna@db/byssus?sslmode=require&password=s",
            "postgresql://anna@db/byssus?sslmode=require&password=***",
        ),
        ("postgresql://:secret@db/byssus", "postgresql://:***@db/byssus"),
        ("postgresql://db:5432/byssus", "postgresql://db:5432/byssus"),
        ("sqlite:///var/a@b:c.db", "sqlite:///var/a@b:c.db"),
    ],
)
def test_passwords_are_not_shown(url: str, shown: str) -> None:
    assert masked(url) == shown
