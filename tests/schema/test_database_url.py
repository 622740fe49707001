"""Database URLs."""

from __future__ import annotations

import pytest

from byssus.database_url import engine_of, masked, mysql_options, sqlite_path


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("sqlite:///var/byssus.db", "sqlite"),
        ("postgresql://localhost/byssus", "postgresql"),
        ("postgres://localhost/byssus", "postgresql"),
        ("mysql://localhost/byssus", "mysql"),
        ("mariadb://localhost/byssus", "mysql"),
    ],
)
def test_the_scheme_names_the_engine(url: str, expected: str) -> None:
    assert engine_of(url) == expected


@pytest.mark.parametrize(
    "url", ["", "byssus.db", "oracle://root:secret@localhost/byssus", "sqlite:byssus.db"]
)
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


def test_a_mysql_url_says_what_a_driver_needs() -> None:
    assert mysql_options("mysql://anna:s%40crt@db.example:3307/by%20ssus") == {
        "user": "anna",
        "password": b"s@crt",
        "host": "db.example",
        "port": 3307,
        "database": "by ssus",
    }


def test_a_mysql_url_may_name_a_socket() -> None:
    options = mysql_options("mysql://anna@localhost/byssus?unix_socket=%2Frun%2Fmysqld%2Fmysqld.sock")
    assert options["unix_socket"] == "/run/mysqld/mysqld.sock"
    assert options["port"] == 3306


@pytest.mark.parametrize(
    ("url", "rule"),
    [
        ("mysql://anna:secret@db", "names no database"),
        ("mysql://anna:secret@db/", "names no database"),
        ("mysql://anna:secret@db/byssus?ssl_mode=off", "unknown parameter ssl_mode"),
    ],
)
def test_a_mysql_url_that_says_too_little_or_too_much_is_refused(url: str, rule: str) -> None:
    with pytest.raises(ValueError, match=rule) as refusal:
        mysql_options(url)
    assert "secret" not in str(refusal.value)


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
        ("mysql://anna:secret@db/byssus?ssl_ca=ca.pem", "mysql://anna:***@db/byssus?ssl_ca=ca.pem"),
        ("sqlite:///var/a@b:c.db", "sqlite:///var/a@b:c.db"),
    ],
)
def test_passwords_are_not_shown(url: str, shown: str) -> None:
    assert masked(url) == shown
