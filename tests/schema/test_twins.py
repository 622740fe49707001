"""One transition, one name: the registry, the routine files, the database and the Python path agree."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Collection
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

import byssus
from byssus import assets
from byssus.store.transitions import TRANSITIONS, Transition
from tests.engines.databases import Database
from tests.engines.mysql_databases import connect

FOLDERS = {transition.folder for transition in TRANSITIONS}

_by_name = pytest.mark.parametrize("transition", TRANSITIONS, ids=lambda transition: transition.name)


SQLITE = Path(byssus.__file__).parent / "store" / "sqlite"


def _files(root: Path, suffix: str, folders: Collection[str] = FOLDERS) -> set[tuple[str, str]]:
    found = (path for folder in folders for path in (root / folder).glob(f"*{suffix}"))
    return {(path.parent.name, path.stem) for path in found if path.stem != "__init__"}


def _registered() -> set[tuple[str, str]]:
    return {(transition.folder, transition.name) for transition in TRANSITIONS}


def test_every_transition_has_one_routine_file() -> None:
    assert _files(assets.path("procedures") / "postgresql", ".sql") == _registered()


def test_every_transition_has_one_python_module() -> None:
    assert _files(SQLITE, ".py") == _registered()


def test_every_shared_step_of_the_python_path_is_named_like_a_shared_routine() -> None:
    shared_routines = _files(assets.path("procedures") / "postgresql", ".sql", ["shared"])
    assert _files(SQLITE, ".py", ["shared"]) <= shared_routines


@_by_name
def test_the_python_function_takes_the_transitions_parameters(transition: Transition) -> None:
    module = importlib.import_module(f"byssus.store.sqlite.{transition.folder}.{transition.name}")
    function = getattr(module, transition.name)
    assert list(inspect.signature(function).parameters) == [
        "session",
        *(name for name, _ in transition.parameters),
    ]


@pytest.mark.engines("postgresql")
def test_the_installed_routines_take_the_transitions_parameters(database: Database) -> None:
    with psycopg.connect(database.url) as connection:
        rows = connection.execute(
            "select proname, pg_get_function_identity_arguments(oid), provolatile from pg_proc"
            " where pronamespace = 'byssus'::regnamespace"
            " and has_function_privilege('byssus_app', oid, 'execute')"
        ).fetchall()
    assert {(name, arguments, volatility) for name, arguments, volatility in rows} == {
        (
            transition.name,
            ", ".join(f"p_{name} {kind}" for name, kind in transition.parameters),
            "s" if transition.reads_only else "v",
        )
        for transition in TRANSITIONS
    }


def _routine_files(dialect: str) -> list[Path]:
    return sorted((assets.path("procedures") / dialect).rglob("*.sql"))


@pytest.mark.parametrize("path", _routine_files("postgresql"), ids=lambda path: path.stem)
def test_a_routine_file_makes_the_routine_it_is_named_for_and_comments_on_it(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("-- ")
    assert text.count(f"create or replace function byssus.{path.stem}(") == 1
    assert text.count("create or replace") == 1
    assert f"comment on function byssus.{path.stem}(" in text


def test_every_postgresql_routine_has_a_mysql_twin_of_its_name() -> None:
    folders = {*FOLDERS, "shared"}
    postgresql = _files(assets.path("procedures") / "postgresql", ".sql", folders)
    # What the twins say in one expression.
    own = {("shared", "changed_definition")}
    assert _files(assets.path("procedures") / "mysql", ".sql", folders) == postgresql | own


@pytest.mark.parametrize("path", _routine_files("mysql"), ids=lambda path: path.stem)
def test_a_mysql_routine_file_makes_the_routine_it_is_named_for_and_comments_on_it(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    made = re.findall(r"^CREATE (?:PROCEDURE|FUNCTION) (\w+)\(", text, flags=re.MULTILINE)
    assert text.startswith("-- ")
    assert made == [path.stem]
    assert re.search(r"^COMMENT '", text, flags=re.MULTILINE)


@pytest.mark.engines("mariadb", "mysql")
def test_the_installed_procedures_take_the_transitions_parameters(database: Database) -> None:
    with closing(connect(database.url)) as connection, connection.cursor() as cursor:
        cursor.execute(
            "SELECT p.specific_name, p.parameter_name, p.data_type IN ('int', 'bigint')"
            " FROM information_schema.parameters AS p"
            " INNER JOIN mysql.procs_priv AS g"
            " ON p.specific_schema = g.db AND p.specific_name = g.routine_name"
            " WHERE p.specific_schema = DATABASE() AND g.user = 'byssus_app'"
            " ORDER BY p.specific_name, p.ordinal_position"
        )
        installed: dict[str, list[tuple[str, bool]]] = {}
        for name, parameter, is_number in cursor.fetchall():
            installed.setdefault(name, []).append((parameter.removeprefix("p_"), bool(is_number)))
    assert installed == {
        transition.name: [(name, kind == "integer") for name, kind in transition.parameters]
        for transition in TRANSITIONS
        if transition.parameters
    }


@_by_name
def test_the_mysql_procedure_takes_the_transitions_parameters(transition: Transition) -> None:
    path = assets.path("procedures") / "mysql" / transition.folder / f"{transition.name}.sql"
    made = re.search(rf"CREATE PROCEDURE {transition.name}\((.*?)\)\n", path.read_text(), flags=re.DOTALL)
    assert made is not None
    assert re.findall(r"\bp_(\w+)", made[1]) == [name for name, _ in transition.parameters]
