"""`byssus audit`: exit statuses, what people are told, and the JSON document."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner, Result

from byssus.audit import CHECKS
from byssus.cli import main
from byssus.database_url import sqlite_path
from tests.audit.conftest import Populated
from tests.audit.damage import TOKEN
from tests.audit.scratch import scratch
from tests.engines.databases import Database, Databases

PRIORITIES = "update workflow_tasks set priority = 9"


def _audit(url: str, *options: str) -> Result:
    return CliRunner().invoke(main, ["audit", "--database", url, *options], env={"COLUMNS": "160"})


def _document(result: Result) -> dict[str, Any]:
    document = json.loads(result.output)
    assert isinstance(document, dict)
    return document


def _counts(result: Result) -> dict[str, int]:
    return {check["code"]: check["findings"] for check in _document(result)["checks"] if check["findings"]}


def test_nothing_found_is_one_line_and_0(populated: Populated) -> None:
    result = _audit(populated.database.url)
    ((runs,),) = populated.scratch.execute("select count(*) from runs")
    assert result.output == f"Nothing found in {len(CHECKS)} checks, {runs} runs.\n"
    assert result.exit_code == 0


def test_damage_is_named_with_examples_and_1(populated: Populated) -> None:
    run_id = populated.population.runs["pending"]
    with populated.scratch.damaged(
        (f"{PRIORITIES} where run_id = '{run_id}'", "delete from worker_liveness where worker_id = 'idle'")
    ):
        result = _audit(populated.database.url)
    assert result.exit_code == 1
    assert "task.run" in result.output
    assert "The workflow task is not of the namespace, queue, type, build and priority" in result.output
    assert run_id in result.output
    assert "priority 9, priority of run 5" in " ".join(result.output.split())
    assert "idle" in result.output
    assert "2 found in" in result.output


def test_examples_are_bounded_and_all_findings_are_counted(populated: Populated) -> None:
    with populated.scratch.damaged((PRIORITIES,)):
        ((tasks,),) = populated.scratch.execute("select count(*) from workflow_tasks")
        shown = _audit(populated.database.url, "--limit", "2")
        document = _document(_audit(populated.database.url, "--limit", "2", "--json"))
        none = _document(_audit(populated.database.url, "--limit", "0", "--json"))
    assert f"... and {tasks - 2} more" in shown.output
    (check,) = [check for check in document["checks"] if check["findings"]]
    assert (check["code"], check["findings"], len(check["examples"])) == ("task.run", tasks, 2)
    assert document["findings"] == none["findings"] == tasks
    assert all(check["examples"] == [] for check in none["checks"])


def test_the_json_document_has_every_check_and_what_findings_are_about(populated: Populated) -> None:
    run_id = populated.population.runs["leased"]
    with populated.scratch.damaged(
        (f"update workflow_tasks set registration_token = '{TOKEN}' where run_id = '{run_id}'",)
    ):
        result = _audit(populated.database.url, "--json")
    document = _document(result)
    assert result.exit_code == 1
    assert {name: document[name] for name in ("engine", "namespace", "findings")} == {
        "engine": populated.database.dialect,
        "namespace": None,
        "findings": 1,
    }
    assert [check["code"] for check in document["checks"]] == [check.code for check in CHECKS]
    (check,) = [check for check in document["checks"] if check["findings"]]
    (example,) = check["examples"]
    assert check["sentence"].startswith("The workflow task is leased under")
    assert example.pop("lease_expires_at").endswith("Z")
    assert example == {
        "namespace": "default",
        "workflow_id": "leased",
        "run_id": run_id,
        "worker_id": "worker-1",
    }
    assert TOKEN not in result.output


def test_a_namespace_is_reported_alone(populated: Populated) -> None:
    runs = populated.population.runs
    both = f"run_id in ('{runs['pending']}', '{runs['other']}')"
    with populated.scratch.damaged(
        (f"{PRIORITIES} where {both}", "insert into run_payloads (run_id) values ('nobody')")
    ):
        everything = _counts(_audit(populated.database.url, "--json"))
        other = _audit(populated.database.url, "--json", "--namespace", " Other ")
    assert everything == {"task.run": 2, "orphan.payloads": 1}
    assert _counts(other) == {"task.run": 1}
    assert (_document(other)["namespace"], _document(other)["runs"]) == ("other", 1)


def test_an_unknown_namespace_is_not_a_clean_one(populated: Populated) -> None:
    result = _audit(populated.database.url, "--namespace", "nowhere")
    assert (result.exit_code, result.output) == (2, "Error: There is no namespace nowhere.\n")
    assert _audit(populated.database.url, "--namespace", "no where").exit_code == 2


def test_text_from_the_database_leaves_the_terminal_alone(populated: Populated) -> None:
    insert = (
        "insert into workflows (namespace, workflow_id, workflow_type, first_run_id, current_run_id)"
        " values ('default', '\x1b[2J[red]', 'order', 'nobody', 'nobody')"
    )
    with populated.scratch.damaged((insert,)):
        result = _audit(populated.database.url)
    assert "\\u001b[2J[red]" in result.output
    assert "\x1b" not in result.output


def test_an_empty_database_cannot_be_checked(databases: Databases) -> None:
    with databases.empty() as database:
        if database.dialect == "sqlite":
            sqlite_path(database.url).touch()
        result = _audit(database.url)
    assert result.exit_code == 2
    assert "byssus db upgrade" in result.output


def test_another_release_cannot_be_checked(databases: Databases) -> None:
    with databases.upgraded() as database:
        _make_it_another_release(database)
        result = _audit(database.url)
    assert result.exit_code == 2
    assert result.output.startswith("Error: The schema")


def _make_it_another_release(database: Database) -> None:
    with scratch(database) as past_guards:
        if database.dialect == "sqlite":
            past_guards.execute("update alembic_version set version_num = '9999'")
        else:
            past_guards.execute("update schema_routines set checksum = '' where name = 'start_run'")


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://nobody@/nothing?host=/nonexistent",
        "mysql://nobody@localhost/nothing?unix_socket=/nonexistent",
        "sqlite:////nonexistent/byssus.db",
    ],
)
def test_a_database_that_is_not_there_cannot_be_checked(url: str) -> None:
    result = _audit(url)
    assert result.exit_code == 2
    assert result.output.startswith("Error: ")
