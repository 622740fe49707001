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
    "affinities",
    "history_events",
    "inbox",
    "receipts",
    "run_payloads",
    "runs",
    "sticky_counts",
    "timers",
    "workflow_tasks",
    "workflows",
}
"""The tables that grow with the number of runs, or of claims."""


def _registration(*, is_sticky: bool) -> str:
    document = {
        "runtime": "python",
        "build_id": "b1",
        "workflow_types": '["order"]',
        "activity_types": '["charge"]',
        "workflow_definition_fingerprints": "{}",
        "workflow_command_contracts": "{}",
        "capabilities": "[]",
        "capability_manifest": "{}",
        "sticky_execution": is_sticky,
        "sticky_history_suffix": is_sticky,
        "merged_transitions": is_sticky,
        "max_concurrent_workflow_tasks": 10,
        "max_concurrent_activity_tasks": 10,
        "max_concurrent_worker_sessions": 10,
        "task_slots": "{}",
        "process_metrics": "{}",
        "stale_seconds": 86400,
        "protocol_version": "1.20",
    }
    return json.dumps(document)


PAGE_SIZE = 100
"""How many events a page of history holds."""


def _request(worker_id: str, poll_request_id: str) -> dict[str, Any]:
    return {
        "namespace": "default",
        "worker_id": worker_id,
        "task_queue": "q",
        "poll_request_id": poll_request_id,
        "page_size": PAGE_SIZE,
        "lease_seconds": 60,
        "sticky_execution": True,
        "hold_seconds": 5,
        "polling_seconds": 10,
    }


def _poll(worker_id: str) -> str:
    return json.dumps([_request(worker_id, "p1")])


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

WAIT = {"type": "open_condition_wait", "condition_key": "paid", "fields": '{"condition_key":"paid"}'}

CLAIM = f"select * from byssus.claim_workflow_task('{_poll('w1')}')"
CLAIM_AS_STICKY = f"select * from byssus.claim_workflow_task('{_poll('sticky')}')"
CLAIM_AS_HOLDER = f"select * from byssus.claim_workflow_task('{_poll('holder')}')"
CLAIM_ACTIVITY = f"select * from byssus.claim_activity_task('{_poll('w1')}')"


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
        f" '{json.dumps(commands)}', 'd', null)"
    )


def _sticky_cache(workflow_id: str) -> str:
    """What worker `sticky` says of a run that it keeps in its cache."""
    sticky = {
        "worker_id": "sticky",
        "workflow_id": workflow_id,
        "build_id": "b1",
        "ttl_seconds": 3600,
        "hold_seconds": 5,
        "history_last_sequence": 1,
        "hit": 1,
        "miss": 0,
        "eviction": 0,
        "forced_cold_replay": 0,
        "protocol_version": "1.20",
    }
    return f"('{json.dumps(sticky)}'::jsonb || jsonb_build_object('run_id', {_run(workflow_id)}))"


def _retain(workflow_id: str, *commands: dict[str, Any], carried: str = "null") -> str:
    """Completes the task that worker `sticky` holds; it keeps the run in its cache."""
    return (
        f"select * from byssus.complete_workflow_task('default', {_task(workflow_id)}, 'sticky', 1,"
        f" '{json.dumps(commands)}', 'd', {_sticky_cache(workflow_id)}::json, {carried})"
    )


def _end(workflow_id: str) -> str:
    return f"(select r.last_history_sequence from byssus.runs as r where r.run_id = {_run(workflow_id)})"


def _carried(workflow_id: str) -> str:
    """Both polls of worker `sticky`, which was given all of the run's history."""
    polls = {"workflow_poll": _request("sticky", "w"), "activity_poll": _request("sticky", "a")}
    return (
        f"jsonb_set('{json.dumps(polls)}', '{{activity_poll,history_after_sequence}}',"
        f" to_jsonb({_end(workflow_id)}))"
    )


def _carried_with_continuation(workflow_id: str, *commands: dict[str, Any]) -> str:
    return (
        f"({_carried(workflow_id)} || jsonb_build_object('continuation', jsonb_build_object("
        f"'basis_sequence', {_end(workflow_id)}, 'commands', '{json.dumps(commands)}',"
        f" 'sticky', {_sticky_cache(workflow_id)}::text)))"
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


SIGNAL_KEPT = "select byssus.signal_run('default', 'kept', null, 'go', null, null, 'd')"
WORK = f"({_run('work')} || ':a1')"
KEPT = f"({_run('kept')} || ':a2')"
LATER = "byssus_test.run_id('later', 8)"
FINISHED = "byssus_test.run_id('finished', 8)"

COMPLETE_WITH_POLLS = Call(
    "complete_workflow_task with polls",
    _retain("kept", ACTIVITY, TIMER, carried=f"{_carried('kept')}::json"),
    (CLAIM_ACTIVITY, SIGNAL_KEPT, CLAIM_AS_STICKY),
)
COMPLETE_ACTIVITY_WITH_ALL = Call(
    "complete_activity with a continuation and polls",
    f"select * from byssus.complete_activity('default', {KEPT}, {KEPT} || '.1', 'sticky', null, 'd',"
    f" {_carried_with_continuation('kept', ACTIVITY, TIMER)}::json)",
    (
        CLAIM_ACTIVITY,
        SIGNAL_KEPT,
        CLAIM_AS_STICKY,
        _retain("kept", ACTIVITY, carried=f"({_carried('kept')} - 'workflow_poll')::json"),
    ),
)
MERGED = [COMPLETE_WITH_POLLS, COMPLETE_ACTIVITY_WITH_ALL]
"""Worker `w1` has the only other activity, so that `sticky` gets the one of its run."""

CALLS = [
    Call("claim_workflow_task", CLAIM),
    Call("claim_activity_task", CLAIM_ACTIVITY),
    Call("claim_workflow_task of a run in the worker's cache", CLAIM_AS_STICKY, (SIGNAL_KEPT,)),
    Call("claim_workflow_task of one of many runs in the worker's cache", CLAIM_AS_HOLDER),
    Call("has_ready_workflow_task", "select byssus.has_ready_workflow_task('default', 'q', '2000-01-01', 5)"),
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
        "complete_workflow_task that keeps the run",
        _retain("kept", ACTIVITY, TIMER),
        (SIGNAL_KEPT, CLAIM_AS_STICKY),
    ),
    Call(
        "complete_activity",
        f"select byssus.complete_activity('default', {WORK}, {WORK} || '.1', 'w1', null, 'd')",
        (CLAIM_ACTIVITY,),
    ),
    *MERGED,
    *(Call(f"{call.name} repeated", call.statement, (*call.before, call.statement)) for call in MERGED),
    Call("start_run", _start("another", 5)),
    Call("signal_run", "select byssus.signal_run('default', 'work', null, 'go', null, null, 'd')"),
    Call("signal_run of a run in a cache", SIGNAL_KEPT),
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
    Call(
        "list_workflow_runs of a long chain",
        "select byssus.list_workflow_runs('default', 'finished', 8, 20)",
        runs=20,
    ),
    Call("export_run of a long chain", f"select byssus.export_run('default', 'finished', {FINISHED})"),
    Call("deregister_worker", "select byssus.deregister_worker('default', 'w1', null, 60)", (CLAIM,)),
    Call(
        "deregister_worker that a task is held for",
        "select byssus.deregister_worker('default', 'sticky', null, 60)",
        (SIGNAL_KEPT,),
    ),
    Call("record_polls", """select byssus.record_polls('[["default","sticky"],["default","w1"]]', 10)"""),
    Call(
        "probe_wakeups",
        """select byssus.probe_wakeups('[["workflow","default","q"],["activity","default","q"]]', '[]', 5)""",
    ),
    Call(
        "probe_wakeups of many that are held",
        """select byssus.probe_wakeups('[["workflow","default","q"]]', '[]', 90000)""",
    ),
    Call("fire_due_timers", "select byssus.fire_due_timers(20)"),
    Call("expire_leases", "select byssus.expire_leases(20)"),
    Call("enforce_timeouts", "select byssus.enforce_timeouts(20)"),
    Call("prune_receipts", "select byssus.prune_receipts(20, 43200)"),
]

METRICS = Call("read_sticky_metrics", "select byssus.read_sticky_metrics()")
"""Reads what it counts: the runs in a cache, and those of their tasks that are ready or leased."""

_each_call = pytest.mark.parametrize("call", CALLS, ids=lambda call: call.name)
_each_mode = pytest.mark.parametrize("mode", ["force_custom_plan", "force_generic_plan"])


@dataclass(frozen=True)
class Size:
    """How much of each kind a database holds that one call must not notice."""

    finished: int
    later: int
    overdue: int
    held: int
    events: int

    @property
    def in_caches(self) -> int:
        """Runs with an affinity that has not expired."""
        return self.held + self.later // 4 + self.overdue // 4


SMALL = Size(finished=1_000, later=300, overdue=100, held=100, events=500)
LARGE = Size(finished=10_000, later=3_000, overdue=1_000, held=1_000, events=5_000)


@contextmanager
def _prepared(engines: Engines, engine: str) -> Iterator[Connection]:
    """A database with a workflow that has a task, one whose activity can be claimed and one in a cache."""
    with (
        engines.databases(engine).upgraded() as database,
        psycopg.connect(database.url, autocommit=True) as connection,
    ):
        connection.execute("load 'auto_explain'")
        connection.execute((Path(__file__).parent / "load.sql").read_bytes())
        for worker_id in ("w1", "sticky"):
            connection.execute(
                "select byssus.register_worker('default', %s, 'q', %s)",
                [worker_id, _registration(is_sticky=worker_id == "sticky")],
            )
        for statement in (
            _start("long", 1),
            _start("work", 0),
            CLAIM,
            _complete("work", ACTIVITY),
            _start("kept", 0),
            CLAIM_AS_STICKY,
            _retain("kept", WAIT),
        ):
            connection.execute(statement.encode())
        yield connection


def _load(connection: Connection, size: Size) -> None:
    connection.execute("set session_replication_role = replica")
    connection.execute("call byssus_test.load_finished(%s)", [size.finished])
    connection.execute("call byssus_test.load_waiting('later', %s, now() + interval '1 day')", [size.later])
    connection.execute(
        "call byssus_test.load_waiting('overdue', %s, now() - interval '1 minute')", [size.overdue]
    )
    connection.execute("call byssus_test.load_held(%s)", [size.held])
    connection.execute("call byssus_test.load_counts(%s)", [size.finished])
    connection.execute("call byssus_test.load_inbox('later', %s)", [size.later])
    for workflow_id in ("long", "kept"):
        connection.execute("call byssus_test.load_history(%s, %s)", [workflow_id, size.events])
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


@_each_mode
def test_metrics_touch_a_page_or_two_for_each_run_in_a_cache(
    small: Connection, large: Connection, mode: str
) -> None:
    few = _pages_touched_when_warm(small, METRICS, mode)
    many = _pages_touched_when_warm(large, METRICS, mode)
    assert many - few <= 2 * (LARGE.in_caches - SMALL.in_caches)


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
            "set local auto_explain.log_analyze = on; set local auto_explain.log_timing = off;"
            "set local auto_explain.log_format = json; set local client_min_messages = log"
        )
        connection.add_notice_handler(note)
        connection.execute(call.statement.encode())
        connection.remove_notice_handler(note)
    return seen


def _is_through_an_index(node: dict[str, Any]) -> bool:
    return "Index Cond" in node or node["Node Type"] in {"Bitmap Heap Scan", "ModifyTable", "Tid Scan"}


@_each_mode
@pytest.mark.parametrize("call", [*CALLS, METRICS], ids=lambda call: call.name)
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


def _call(name: str) -> Call:
    (call,) = [call for call in CALLS if call.name == name]
    return call


DUE_IN_QUEUE = ("(priority = ", "(held_until <= ")
OWN_AND_DUE = ("(sticky_registration_token = ", "(priority = ", "(available_at <= ")
HELD_IN_QUEUE = ("(priority = ", "(held_until > ", "(held_until <= ")


@_each_mode
@pytest.mark.parametrize(
    ("name", "index", "ranges"),
    [
        ("claim_workflow_task", "workflow_tasks_ready", [DUE_IN_QUEUE, DUE_IN_QUEUE]),
        ("claim_workflow_task", "workflow_tasks_sticky", [OWN_AND_DUE]),
        ("claim_activity_task", "activities_ready", [("(priority = ", "(available_at <= ")] * 2),
        ("has_ready_workflow_task", "workflow_tasks_ready", [DUE_IN_QUEUE]),
        ("has_ready_activity", "activities_ready", [("(priority = ", "(available_at <= ")]),
        ("probe_wakeups", "workflow_tasks_ready", [DUE_IN_QUEUE, HELD_IN_QUEUE]),
    ],
)
def test_a_queue_is_read_by_priority_up_to_the_present_moment(
    large: Connection, name: str, index: str, ranges: list[tuple[str, ...]], mode: str
) -> None:
    conditions = [
        node["Index Cond"]
        for statement in _statements(large, _call(name), mode)
        for node in statement.nodes
        if node.get("Index Name") == index
    ]
    assert len(conditions) == len(ranges)
    for condition, parts in zip(conditions, ranges, strict=True):
        assert [part for part in parts if part not in condition] == []


@_each_mode
def test_metrics_read_what_has_not_expired_by_index(large: Connection, mode: str) -> None:
    bounds = {
        "affinities_unexpired": "(sticky_until > ",
        "sticky_counts_pkey": "(counted_at > ",
        "workflow_tasks_poll": "(lease_owner)::text = ",
        "workflow_tasks_sticky": "(sticky_registration_token = ",
    }
    conditions = {
        node["Index Name"]: node["Index Cond"]
        for statement in _statements(large, METRICS, mode)
        for node in statement.nodes
        if node.get("Index Name") in bounds
    }
    assert conditions.keys() == bounds.keys()
    assert [index for index, bound in bounds.items() if bound not in conditions[index]] == []


def test_a_worker_that_keeps_a_run_is_sent_the_end_of_its_history(large: Connection) -> None:
    with large.transaction(force_rollback=True):
        large.execute(SIGNAL_KEPT)
        row = large.execute(CLAIM_AS_STICKY.encode()).fetchone()
    assert row is not None
    task = json.loads(row[1])["task"]
    assert task["workflow_id"] == "kept"
    assert task["history_after_sequence"] == LARGE.events
    assert [event["sequence"] for event in task["history_events"]] == [LARGE.events + 1]


def _answer(connection: Connection, call: Call) -> dict[str, Any]:
    with connection.transaction(force_rollback=True):
        for statement in call.before:
            connection.execute(statement.encode())
        row = connection.execute(call.statement.encode()).fetchone()
    assert row is not None
    answer: dict[str, Any] = json.loads(row[1])
    return answer


_each_merged = pytest.mark.parametrize("call", MERGED, ids=lambda call: call.name)


@_each_merged
def test_each_part_of_a_merged_completion_gets_something(large: Connection, call: Call) -> None:
    answer = _answer(large, call)
    assert answer["workflow_poll"]["task"]["workflow_id"] == "long"
    assert answer["activity_poll"]["task"]["workflow_id"] == "kept"
    assert len(answer["activity_poll"]["history_tail"]["events"]) == 3
    assert answer.get("continuation", {"outcome": "applied"})["outcome"] == "applied"


def _rows_read(node: dict[str, Any]) -> int:
    removed = node.get("Rows Removed by Filter", 0) + node.get("Rows Removed by Index Recheck", 0)
    return int((node["Actual Rows"] + removed) * node["Actual Loops"])


@_each_mode
@_each_merged
def test_a_merged_completion_reads_what_it_returns(large: Connection, call: Call, mode: str) -> None:
    read = [
        (node["Relation Name"], _rows_read(node), statement.text)
        for statement in _statements(large, call, mode)
        for node in statement.nodes
        if node.get("Relation Name") in HOT and "Scan" in node["Node Type"]
    ]
    tables = {table for table, _, _ in read}
    assert {"activities", "affinities", "history_events", "runs", "workflow_tasks"} <= tables
    assert [(table, rows, text) for table, rows, text in read if rows > 3 and table != "history_events"] == []
    # The guards look at each event that is written, and at the run's last.
    assert sum(rows for table, rows, _ in read if table == "history_events") <= PAGE_SIZE + 3 + 10


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
    found = [
        (
            node["Index Name"],
            [other["Node Type"] for other in statement.nodes if "Sort" in other["Node Type"]],
        )
        for statement in _statements(large, _call(sweep), mode)
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
        for call in (*CALLS, METRICS):
            _pages_touched(connection, call)
        _load(connection, LARGE)
        yield {call.name: _pages_touched(connection, call) for call in (*CALLS, METRICS)}


@_each_call
def test_a_plan_made_when_tables_were_empty_serves_when_they_are_full(
    large: Connection, outgrown: dict[str, int], call: Call
) -> None:
    planned_anew = _pages_touched_when_warm(large, call, "force_generic_plan")
    assert outgrown[call.name] <= planned_anew * 1.4 + 60


def test_metrics_planned_when_tables_were_empty_touch_a_page_or_two_for_each_run_in_a_cache(
    outgrown: dict[str, int],
) -> None:
    assert outgrown[METRICS.name] <= 2 * LARGE.in_caches
