"""The work of a transition does not grow with finished runs, with long histories or with what is due later.

Work is counted in pages touched, which is the same on every machine. Every statement inside a routine is
looked at with auto_explain, both in plans for given values and in generic ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.engines.running import Engines

pytestmark = pytest.mark.engines("postgresql15")

Connection = psycopg.Connection[tuple[Any, ...]]

HOT = {
    "activities",
    "history_events",
    "inbox",
    "receipts",
    "run_payloads",
    "runs",
    "timers",
    "workflow_tasks",
    "workflows",
}
"""The tables that grow with the number of runs."""

REGISTRATION = json.dumps(
    {
        "runtime": "python",
        "workflow_types": '["order"]',
        "activity_types": '["charge"]',
        "workflow_definition_fingerprints": "{}",
        "workflow_command_contracts": "{}",
        "capabilities": "[]",
        "capability_manifest": "{}",
        "max_concurrent_workflow_tasks": 10,
        "max_concurrent_activity_tasks": 10,
        "max_concurrent_worker_sessions": 10,
        "task_slots": "{}",
        "process_metrics": "{}",
        "protocol_version": "1.20",
    }
)
POLL = json.dumps(
    [
        {
            "namespace": "default",
            "worker_id": "w1",
            "task_queue": "q",
            "poll_request_id": "p1",
            "page_size": 100,
            "lease_seconds": 60,
        }
    ]
)
ACTIVITY = {
    "type": "schedule_activity",
    "activity_type": "charge",
    "task_queue": "q",
    "max_attempts": 1,
    "backoff_seconds": [],
    "non_retryable_error_types": [],
    "fields": '{"activity_type":"charge"}',
}
TIMER = {"type": "start_timer", "delay_seconds": 9, "fields": '{"delay_seconds":9}'}
OUTPUT = {"type": "complete_workflow", "output": "null", "fields": '{"output":null}'}

CLAIM = f"select * from byssus.claim_workflow_task('{POLL}')"
CLAIM_ACTIVITY = f"select * from byssus.claim_activity_task('{POLL}')"


def _run(workflow_id: str) -> str:
    return (
        "(select w.current_run_id from byssus.workflows as w"
        f" where w.namespace = 'default' and w.workflow_id = '{workflow_id}')"
    )


def _task(workflow_id: str) -> str:
    return (
        "(select t.run_id || ':k' || t.task_number from byssus.workflow_tasks as t"
        f" where t.run_id = {_run(workflow_id)})"
    )


def _start(workflow_id: str, priority: int) -> str:
    options = json.dumps({"priority": priority, "fairness_weight": 1})
    return (
        f"select byssus.start_run('default', '{workflow_id}', 'order', 'q', 'fail', null, 'd', '{options}')"
    )


def _complete(workflow_id: str, *commands: dict[str, Any]) -> str:
    return (
        f"select byssus.complete_workflow_task('default', {_task(workflow_id)}, 'w1', 1,"
        f" '{json.dumps(commands)}', 'd')"
    )


def _list(workflow_type: str, status_bucket: str) -> str:
    return f"select byssus.list_runs('default', {workflow_type}, {status_bucket}, 50, null)"


@dataclass(frozen=True)
class Call:
    """A transition, what has to come before it in the same transaction, and how many runs it answers for."""

    name: str
    statement: str
    before: tuple[str, ...] = ()
    runs: int = 0


WORK = f"({_run('work')} || ':a1')"
LATER = "byssus_test.run_id('later', 8)"
FINISHED = "byssus_test.run_id('finished', 8)"

CALLS = [
    Call("claim_workflow_task", CLAIM),
    Call("claim_activity_task", CLAIM_ACTIVITY),
    Call("has_ready_workflow_task", "select byssus.has_ready_workflow_task('default', 'q', '2000-01-01')"),
    Call("has_ready_activity", "select byssus.has_ready_activity('default', 'q', '2000-01-01')"),
    Call(
        "read_history_page",
        f"select byssus.read_history_page('default', {_task('long')}, 'w1', 1, 250, 100)",
        (CLAIM,),
    ),
    Call("read_history", f"select byssus.read_history('default', 'long', {_run('long')}, 250, 100)"),
    Call("complete_workflow_task", _complete("long", ACTIVITY, TIMER), (CLAIM,)),
    Call("complete_workflow_task at the end", _complete("long", OUTPUT), (CLAIM,)),
    Call(
        "complete_activity",
        f"select byssus.complete_activity('default', {WORK}, {WORK} || '.1', 'w1', null, 'd')",
        (CLAIM_ACTIVITY,),
    ),
    Call("start_run", _start("another", 5)),
    Call("signal_run", "select byssus.signal_run('default', 'work', null, 'go', null, null, 'd')"),
    Call(
        "signal_run while it is held",
        f"select byssus.signal_run('default', 'later', {LATER}, 'go', null, null, 'd')",
    ),
    Call("terminate_run", "select byssus.terminate_run('default', 'work', null, null, null, 'd')"),
    Call("describe_run", "select byssus.describe_run('default', 'long', null)"),
    Call("describe_run of a long chain", f"select byssus.describe_run('default', 'finished', {FINISHED})"),
    Call(
        "read_history of a long chain",
        f"select byssus.read_history('default', 'finished', {FINISHED}, 0, 9)",
    ),
    Call("list_runs", _list("null", "null"), runs=50),
    Call("list_runs by status", _list("null", "'completed'"), runs=50),
    Call("list_runs by type", _list("'type1'", "null"), runs=50),
    Call("list_runs by type and status", _list("'type1'", "'failed'")),
    Call("deregister_worker", "select byssus.deregister_worker('default', 'w1', null, 60)", (CLAIM,)),
    Call("fire_due_timers", "select byssus.fire_due_timers(20)"),
    Call("expire_leases", "select byssus.expire_leases(20)"),
    Call("enforce_timeouts", "select byssus.enforce_timeouts(20)"),
    Call("prune_receipts", "select byssus.prune_receipts(20, 43200)"),
]

_each_call = pytest.mark.parametrize("call", CALLS, ids=lambda call: call.name)
_each_mode = pytest.mark.parametrize("mode", ["force_custom_plan", "force_generic_plan"])


@dataclass(frozen=True)
class Size:
    """How much of each kind a database holds that one call must not notice."""

    finished: int
    later: int
    overdue: int
    events: int


SMALL = Size(finished=1_000, later=300, overdue=100, events=500)
LARGE = Size(finished=10_000, later=3_000, overdue=1_000, events=5_000)


@contextmanager
def _prepared(engines: Engines, engine: str) -> Iterator[Connection]:
    """A database with one workflow that has a task and one that has an activity to be claimed."""
    with (
        engines.databases(engine).upgraded() as database,
        psycopg.connect(database.url, autocommit=True) as connection,
    ):
        connection.execute("load 'auto_explain'")
        connection.execute((Path(__file__).parent / "load.sql").read_bytes())
        connection.execute("select byssus.register_worker('default', 'w1', 'q', %s)", [REGISTRATION])
        for statement in (_start("long", 1), _start("work", 0), CLAIM, _complete("work", ACTIVITY)):
            connection.execute(statement.encode())
        yield connection


def _load(connection: Connection, size: Size) -> None:
    connection.execute("set session_replication_role = replica")
    connection.execute("call byssus_test.load_finished(%s)", [size.finished])
    connection.execute("call byssus_test.load_waiting('later', %s, now() + interval '1 day')", [size.later])
    connection.execute(
        "call byssus_test.load_waiting('overdue', %s, now() - interval '1 minute')", [size.overdue]
    )
    connection.execute("call byssus_test.load_inbox('later', %s)", [size.later])
    connection.execute("call byssus_test.load_history('long', %s)", [size.events])
    connection.execute("reset session_replication_role")


@pytest.fixture(scope="module")
def small(engines: Engines, engine: str) -> Iterator[Connection]:
    with _prepared(engines, engine) as connection:
        _load(connection, SMALL)
        connection.execute("vacuum analyze")
        yield connection


@pytest.fixture(scope="module")
def large(engines: Engines, engine: str) -> Iterator[Connection]:
    with _prepared(engines, engine) as connection:
        _load(connection, LARGE)
        connection.execute("vacuum analyze")
        yield connection


def _pages_touched(connection: Connection, call: Call) -> int:
    with connection.transaction(force_rollback=True):
        for statement in call.before:
            connection.execute(statement.encode())
        explain = f"explain (analyze, buffers, timing off, format json) {call.statement}"
        row = connection.execute(explain.encode()).fetchone()
    assert row is not None
    plan = row[0][0]["Plan"]
    return int(plan["Shared Hit Blocks"]) + int(plan["Shared Read Blocks"])


def _pages_touched_when_warm(connection: Connection, call: Call, mode: str) -> int:
    connection.execute(f"set plan_cache_mode = {mode}".encode())
    _pages_touched(connection, call)
    return _pages_touched(connection, call)


@_each_mode
@_each_call
def test_a_call_touches_no_more_pages_when_there_is_ten_times_as_much(
    small: Connection, large: Connection, call: Call, mode: str
) -> None:
    few = _pages_touched_when_warm(small, call, mode)
    many = _pages_touched_when_warm(large, call, mode)
    # Indexes may be a level deeper; and a run that is listed costs two lookups by its id.
    assert many <= few * 1.4 + 20 + call.runs * 8


@dataclass(frozen=True)
class Statement:
    """A statement that was run, and the nodes of its plan."""

    text: str
    nodes: list[dict[str, Any]]


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for child in plan.get("Plans", []):
        yield from _nodes(child)


def _statements(connection: Connection, call: Call, mode: str) -> list[Statement]:
    """What a call runs, inside its routines too."""
    seen: list[Statement] = []

    def note(diagnostic: psycopg.errors.Diagnostic) -> None:
        _, found, text = (diagnostic.message_primary or "").partition("plan:\n")
        if found:
            explained = json.loads(text)
            seen.append(Statement(" ".join(explained["Query Text"].split()), list(_nodes(explained["Plan"]))))

    connection.execute(f"set plan_cache_mode = {mode}".encode())
    with connection.transaction(force_rollback=True):
        for statement in call.before:
            connection.execute(statement.encode())
        connection.execute(
            "set local auto_explain.log_min_duration = 0; set local auto_explain.log_nested_statements = on;"
            "set local auto_explain.log_format = json; set local client_min_messages = log"
        )
        connection.add_notice_handler(note)
        connection.execute(call.statement.encode())
        connection.remove_notice_handler(note)
    return seen


def _is_through_an_index(node: dict[str, Any]) -> bool:
    return "Index Cond" in node or node["Node Type"] in {"Bitmap Heap Scan", "ModifyTable", "Tid Scan"}


@_each_mode
@_each_call
def test_every_statement_of_a_call_finds_its_rows_through_an_index(
    large: Connection, call: Call, mode: str
) -> None:
    statements = _statements(large, call, mode)
    assert statements
    assert [
        (node["Node Type"], node["Relation Name"], statement.text)
        for statement in statements
        for node in statement.nodes
        if node.get("Relation Name") in HOT and not _is_through_an_index(node)
    ] == []


@_each_mode
@pytest.mark.parametrize(
    ("call", "index"),
    [
        (CALLS[0], "workflow_tasks_ready"),
        (CALLS[1], "activities_ready"),
        (CALLS[2], "workflow_tasks_ready"),
        (CALLS[3], "activities_ready"),
    ],
    ids=lambda value: value.name if isinstance(value, Call) else value,
)
def test_a_queue_is_read_by_priority_up_to_the_present_moment(
    large: Connection, call: Call, index: str, mode: str
) -> None:
    conditions = [
        node["Index Cond"]
        for statement in _statements(large, call, mode)
        for node in statement.nodes
        if node.get("Index Name") == index
    ]
    assert conditions
    for condition in conditions:
        assert "(priority = " in condition
        assert "(available_at <= " in condition


@_each_mode
@pytest.mark.parametrize(
    ("sweep", "indexes"),
    [
        ("fire_due_timers", {"timers_due"}),
        ("expire_leases", {"workflow_tasks_lease", "activities_lease"}),
        ("enforce_timeouts", {"runs_deadline", "activities_timeout"}),
    ],
)
def test_a_sweep_reads_its_index_in_order(
    large: Connection, sweep: str, indexes: set[str], mode: str
) -> None:
    (call,) = [call for call in CALLS if call.name == sweep]
    found = [
        (
            node["Index Name"],
            [other["Node Type"] for other in statement.nodes if "Sort" in other["Node Type"]],
        )
        for statement in _statements(large, call, mode)
        for node in statement.nodes
        if node.get("Index Name") in indexes
    ]
    assert sorted(found) == sorted((index, []) for index in indexes)


@pytest.fixture(scope="module")
def outgrown(engines: Engines, engine: str) -> Iterator[dict[str, int]]:
    """The pages that each call touches in plans made when the tables were empty, now that they are full."""
    with _prepared(engines, engine) as connection:
        connection.execute(
            "do $$ declare v_table text; begin for v_table in select relname from pg_class"
            " where relnamespace = 'byssus'::regnamespace and relkind = 'r' loop"
            " execute format('alter table byssus.%I set (autovacuum_enabled = off)', v_table);"
            " end loop; end $$"
        )
        connection.execute("vacuum analyze")
        connection.execute("set plan_cache_mode = force_generic_plan")
        for call in CALLS:
            _pages_touched(connection, call)
        _load(connection, LARGE)
        yield {call.name: _pages_touched(connection, call) for call in CALLS}


@_each_call
def test_a_plan_made_when_tables_were_empty_serves_when_they_are_full(
    large: Connection, outgrown: dict[str, int], call: Call
) -> None:
    planned_anew = _pages_touched_when_warm(large, call, "force_generic_plan")
    assert outgrown[call.name] <= planned_anew * 1.4 + 60
