"""`byssus db`: exit codes and what people are told."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from byssus.cli import main
from tests.engines.databases import Database, Databases


def _byssus(*arguments: str, **environment: str) -> Result:
    return CliRunner().invoke(main, arguments, env=environment)


def test_upgrade_then_check_succeed(databases: Databases) -> None:
    with databases.empty() as database:
        upgrade = _byssus("db", "upgrade", "--database", database.url)
        assert (upgrade.exit_code, upgrade.output) == (
            0,
            "The schema is at revision 0001, as this release needs it.\n",
        )
        check = _byssus("db", "check", "--database", database.url)
        assert (check.exit_code, check.output) == (0, "The schema, its routines and grants are as shipped.\n")


def test_the_database_can_be_named_by_the_environment(database: Database) -> None:
    assert _byssus("db", "check", DW_DATABASE_URL=database.url).exit_code == 0


@pytest.mark.engines("postgresql")
def test_check_of_an_empty_database_fails_and_names_the_command(databases: Databases) -> None:
    with databases.empty() as database:
        check = _byssus("db", "check", "--database", database.url)
    assert check.exit_code == 1
    assert f"byssus db upgrade --database '{database.url}'" in check.output


@pytest.mark.parametrize(
    "url", ["postgresql://nobody@/nothing?host=/nonexistent", "sqlite:///nonexistent.db"]
)
def test_a_database_that_is_not_there_is_one_line_and_an_exit_code(url: str) -> None:
    check = _byssus("db", "check", "--database", url)
    assert check.exit_code == 1
    assert check.output.startswith("Error: ")


def test_a_url_of_another_kind_is_a_usage_error() -> None:
    check = _byssus("db", "check", "--database", "oracle://scott:tiger@localhost")
    assert check.exit_code == 2
    assert "sqlite:///" in check.output
    assert "tiger" not in check.output


@pytest.mark.parametrize(
    "parts",
    ["", "/byssus?ssl_mode=off", "/byssus?ssl_ca=/nonexistent"],
    ids=["database", "parameter", "file"],
)
def test_a_mysql_url_that_cannot_be_used_is_a_usage_error(parts: str) -> None:
    for command in (("db", "check"), ("serve",)):
        answer = _byssus(*command, "--database", f"mysql://scott:tiger@localhost{parts}")
        assert answer.exit_code == 2
        assert "tiger" not in answer.output


def test_a_script_for_an_upgrade_from_this_release_has_no_revision_in_it() -> None:
    whole = _byssus("db", "script", "--database", "postgresql:///byssus").output
    rest = _byssus("db", "script", "--database", "postgresql:///byssus", "--from", "0001").output
    assert "create table byssus.runs" in whole
    assert "create table byssus.runs" not in rest
    assert "create or replace function byssus.start_run" in rest


def test_a_script_from_an_unknown_revision_is_refused() -> None:
    script = _byssus("db", "script", "--database", "sqlite:///byssus.db", "--from", "7777")
    assert script.exit_code == 1
    assert "no revision 7777" in script.output


def test_a_script_connects_to_nothing(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'byssus.db'}"
    assert _byssus("db", "script", "--database", url).exit_code == 0
    assert list(tmp_path.iterdir()) == []
