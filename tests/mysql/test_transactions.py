"""Every transition owns its transaction: READ COMMITTED, whole or not at all, never left open."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass

import pymysql
import pytest
from pymysql.constants import ER

from byssus import schema
from byssus.schema.revisions import MysqlConnection
from byssus.store.transitions import TRANSITIONS
from tests.engines.databases import Database, Databases
from tests.engines.mysql_databases import MysqlDatabases, connect, tables
from tests.mysql.calls import ACTIVITY, CANNOT_CHANGE_TRANSACTION, END, TIMER, Caller
from tests.mysql.locks import gate, one_waits

pytestmark = pytest.mark.engines("mariadb", "mysql")

GUARDED = 31003

_WATCHED_CLOCK = """
CREATE FUNCTION current_instant() RETURNS DATETIME(6) READS SQL DATA
BEGIN
    SELECT t.trx_isolation_level INTO @seen FROM information_schema.innodb_trx AS t
    WHERE t.trx_mysql_thread_id = CONNECTION_ID();
    RETURN UTC_TIMESTAMP(6);
END
"""
_BEGINNING = re.compile(r"SET TRANSACTION ISOLATION LEVEL READ COMMITTED(, READ ONLY)?;\s+START TRANSACTION;")
_CLOCK = "CREATE FUNCTION current_instant() RETURNS DATETIME(6) NO SQL RETURN UTC_TIMESTAMP(6)"


def _replace_clock(connection: MysqlConnection, definition: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP FUNCTION current_instant")
        cursor.execute(definition)


def _damage(caller: Caller, run_id: str) -> None:
    """Advance a run without an event: the next event cannot follow on."""
    with caller.connection.cursor() as cursor:
        cursor.execute(
            "UPDATE runs SET last_history_sequence = last_history_sequence + 1 WHERE run_id = %s", [run_id]
        )


def test_every_transition_asks_for_read_committed(owner: MysqlConnection) -> None:
    with owner.cursor() as cursor:
        cursor.execute(
            "SELECT routine_name, routine_definition FROM information_schema.routines"
            " WHERE routine_schema = DATABASE()"
        )
        bodies = dict(cursor.fetchall())
    for transition in TRANSITIONS:
        assert _BEGINNING.findall(bodies[transition.name]) != [], transition.name
        assert bodies[transition.name].count("START TRANSACTION") == 1, transition.name


def test_a_transition_is_read_committed_whatever_the_session_is(
    caller: Caller, root: MysqlConnection
) -> None:
    run_id = caller.begin(TIMER)
    _replace_clock(root, _WATCHED_CLOCK)
    try:
        with caller.connection.cursor() as cursor:
            cursor.execute("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        caller.signal(run_id)
        assert caller.scalar("SELECT @seen") == "READ COMMITTED"
    finally:
        _replace_clock(root, _CLOCK)


def test_a_fault_leaves_no_transaction_open_and_no_trace(caller: Caller) -> None:
    run_id = caller.begin(TIMER)
    _damage(caller, run_id)
    events = caller.events(run_id)
    with pytest.raises(pymysql.Error) as fault:
        caller.signal(run_id, "request")
    assert fault.value.args[0] == GUARDED
    assert run_id in fault.value.args[1]
    assert not caller.has_open_transaction()
    assert caller.events(run_id) == events
    receipts = "SELECT COUNT(*) FROM receipts WHERE run_id = %s AND subject LIKE 'signal:%%'"
    assert caller.scalar(receipts, run_id) == 0
    caller.remove(run_id)


def test_a_lock_that_cannot_be_had_undoes_the_whole_transition(
    caller: Caller, rival: MysqlConnection
) -> None:
    """The server itself undoes no more than the statement that waited."""
    run_id = caller.begin(ACTIVITY)
    with rival.cursor() as other, caller.connection.cursor() as cursor:
        other.execute("START TRANSACTION")
        other.execute("SELECT position FROM activities WHERE run_id = %s FOR UPDATE", [run_id])
        cursor.execute("SET SESSION innodb_lock_wait_timeout = 1")
        with pytest.raises(pymysql.Error) as fault:
            caller.cancel(run_id)
        assert fault.value.args[0] == ER.LOCK_WAIT_TIMEOUT
        _check_nothing_happened(caller, run_id)
        other.execute("ROLLBACK")
    assert caller.cancel(run_id) == "cancelled"


async def test_a_deadlock_undoes_the_whole_transition(caller: Caller, rival: MysqlConnection) -> None:
    run_id = caller.begin(ACTIVITY)
    with rival.cursor() as other:
        other.execute("START TRANSACTION")
        # The transaction that has written less is the one that is given up.
        for number in range(100):
            other.execute("INSERT INTO namespaces VALUES (%s, '', UTC_TIMESTAMP(6))", [f"n{number}"])
        other.execute("SELECT position FROM activities WHERE run_id = %s FOR UPDATE", [run_id])
        cancel = asyncio.create_task(asyncio.to_thread(caller.cancel, run_id))
        await one_waits(rival)
        other.execute("SELECT run_id FROM runs WHERE run_id = %s FOR UPDATE", [run_id])
        with pytest.raises(pymysql.Error) as fault:
            await cancel
        assert fault.value.args[0] == ER.LOCK_DEADLOCK
        _check_nothing_happened(caller, run_id)
        other.execute("ROLLBACK")
    assert caller.cancel(run_id) == "cancelled"


_SECOND_ACTIVITY = "SELECT position FROM activities WHERE run_id = %s AND position = 2 FOR UPDATE"


def test_a_lock_that_a_part_cannot_have_undoes_the_part_alone(caller: Caller, rival: MysqlConnection) -> None:
    """The end of the workflow would cancel an activity that another session holds."""
    caller.register(sticky_execution=True, sticky_history_suffix=True, merged_transitions=True)
    run_id = caller.ahead()
    with rival.cursor() as other, caller.connection.cursor() as cursor:
        cursor.execute("SET SESSION innodb_lock_wait_timeout = 1")
        other.execute("START TRANSACTION")
        other.execute(_SECOND_ACTIVITY, [run_id])
        assert caller.continue_ahead(run_id, END) == {"outcome": "refused", "reason": "failed"}
        assert not caller.has_open_transaction()
        other.execute("ROLLBACK")
    assert caller.events(run_id) == 4
    assert caller.scalar("SELECT status FROM activities WHERE run_id = %s LIMIT 1", run_id) == "completed"
    assert caller.complete(caller.claimed(), END) == "completed"


@pytest.mark.usefixtures("small_packets")
def test_a_part_that_would_make_the_answer_larger_than_a_packet_fails_alone(installed: Database) -> None:
    large = json.dumps("x" * 600_000)
    with closing(connect(installed.url)) as session:
        caller = Caller(session, "large")
        caller.register(merged_transitions=True)
        run_id = caller.start()
        claim = caller.claimed()
        caller.start(input=large)
        polls = {"workflow_poll": caller.poll(), "activity_poll": caller.poll()}
        ((outcome, body, _),) = caller.call(
            "complete_workflow_task",
            "default",
            claim.task_id,
            caller.worker,
            claim.attempt,
            json.dumps([ACTIVITY | {"task_queue": caller.queue, "arguments": large}]),
            "digest",
            None,
            json.dumps(polls),
        )
        assert outcome == "completed"
        assert body["workflow_poll"]["poll_status"] == "leased"
        assert body["activity_poll"] == {"task": None, "poll_status": "failed"}
        assert caller.events(run_id) == 2
        assert caller.claimed_activity() == run_id


@pytest.mark.parametrize("what", ["register", "deregister"])
async def test_a_merged_completion_behind_the_end_of_its_registration_is_fenced_off(
    caller: Caller, rival: MysqlConnection, root: MysqlConnection, what: str
) -> None:
    caller.register(sticky_execution=True, sticky_history_suffix=True, merged_transitions=True)
    run_id = caller.ahead()
    again = Caller(rival, caller.queue, caller.worker)
    with gate(root, "worker_incarnations", again.session) as reached:
        ending = asyncio.create_task(asyncio.to_thread(again.register if what == "register" else again.leave))
        await reached()
        completion = asyncio.create_task(asyncio.to_thread(caller.answer_ahead, run_id, END))
        await one_waits(root)
    await ending
    outcome, _ = await completion
    assert outcome == "lease_expired"
    assert caller.events(run_id) == 3


@pytest.mark.parametrize("what", ["register", "deregister"])
async def test_the_end_of_a_registration_waits_for_a_merged_completion(
    caller: Caller, rival: MysqlConnection, root: MysqlConnection, what: str
) -> None:
    caller.register(sticky_execution=True, sticky_history_suffix=True, merged_transitions=True)
    run_id = caller.ahead()
    again = Caller(rival, caller.queue, caller.worker)
    with gate(root, "runs", caller.session) as reached:
        completion = asyncio.create_task(asyncio.to_thread(caller.continue_ahead, run_id, TIMER))
        await reached()
        ending = asyncio.create_task(asyncio.to_thread(again.register if what == "register" else again.leave))
        await one_waits(root)
    await ending
    assert (await completion)["outcome"] == "applied"
    assert caller.events(run_id) == 5


async def test_a_deadlock_in_a_part_undoes_the_completion_too(caller: Caller, rival: MysqlConnection) -> None:
    """The server has undone it already; its savepoint is gone, and there is nothing to go on with."""
    caller.register(sticky_execution=True, sticky_history_suffix=True, merged_transitions=True)
    run_id = caller.ahead()
    with rival.cursor() as other:
        other.execute("START TRANSACTION")
        # The transaction that has written less is the one that is given up.
        for number in range(100):
            other.execute("INSERT INTO namespaces VALUES (%s, '', UTC_TIMESTAMP(6))", [f"part{number}"])
        other.execute(_SECOND_ACTIVITY, [run_id])
        completion = asyncio.create_task(asyncio.to_thread(caller.continue_ahead, run_id, END))
        await one_waits(rival)
        other.execute("SELECT run_id FROM runs WHERE run_id = %s FOR UPDATE", [run_id])
        with pytest.raises(pymysql.Error) as fault:
            await completion
        assert fault.value.args[0] == ER.LOCK_DEADLOCK
        assert not caller.has_open_transaction()
        assert caller.events(run_id) == 3
        other.execute("ROLLBACK")
    assert caller.continue_ahead(run_id, END)["run_status"] == "completed"


def _check_nothing_happened(caller: Caller, run_id: str) -> None:
    assert not caller.has_open_transaction()
    assert caller.events(run_id) == 2
    assert caller.scalar("SELECT closed_at FROM runs WHERE run_id = %s", run_id) is None


def test_a_callers_open_transaction_is_not_committed(caller: Caller) -> None:
    with caller.connection.cursor() as cursor:
        for transition in TRANSITIONS:
            cursor.execute("START TRANSACTION")
            cursor.execute("INSERT INTO namespaces VALUES ('half done', '', UTC_TIMESTAMP(6))")
            arguments = ", ".join(["NULL"] * len(transition.parameters))
            with pytest.raises(pymysql.Error) as fault:
                cursor.execute(f"CALL {transition.name}({arguments})")
            assert fault.value.args[0] == CANNOT_CHANGE_TRANSACTION, transition.name
            assert not caller.has_open_transaction()
    assert caller.scalar("SELECT COUNT(*) FROM namespaces WHERE name = 'half done'") == 0


def test_a_claim_passes_over_what_another_session_holds(caller: Caller, rival: MysqlConnection) -> None:
    first, second = caller.start(), caller.start()
    with rival.cursor() as other:
        other.execute("START TRANSACTION")
        other.execute("SELECT run_id FROM runs WHERE run_id = %s FOR UPDATE", [first])
        assert caller.claimed().run_id == second
        assert [outcome for outcome, _, _ in caller.claim()] == ["empty"]
        other.execute("ROLLBACK")
    assert caller.claimed().run_id == first


async def test_a_claim_holds_up_neither_another_nor_what_comes_next_to_it(
    caller: Caller, rival: MysqlConnection, root: MysqlConnection
) -> None:
    """Under REPEATABLE READ it would lock the gaps of the index that it has come through."""
    first, second = caller.start(), caller.start()
    other = _impatient(caller, rival)
    with gate(root, "workflow_tasks", caller.session) as reached:
        claim = asyncio.create_task(asyncio.to_thread(caller.claimed))
        await reached()
        other.register()
        assert other.claimed().run_id == second
        urgent, later = other.start(priority=0), other.start(priority=9)
        assert other.claimed().run_id == urgent
        assert other.claimed().run_id == later
    assert (await claim).run_id == first


async def test_a_claim_among_few_rows_locks_no_task_but_its_own(databases: Databases) -> None:
    """For a handful of rows an optimizer likes to read all of a table, and would lock what it reads."""
    assert isinstance(databases, MysqlDatabases)
    with databases.empty() as database:
        schema.upgrade(database.url)
        with (
            closing(connect(database.url)) as session,
            closing(connect(database.url)) as rival,
            closing(databases.server.connect(database.name)) as root,
        ):
            caller = Caller(session, "few")
            caller.register()
            first, second = caller.start(), caller.start()
            other = _impatient(caller, rival)
            with gate(root, "workflow_tasks", caller.session) as reached:
                claim = asyncio.create_task(asyncio.to_thread(caller.claimed))
                await reached()
                assert other.claimed().run_id == second
            assert (await claim).run_id == first


async def test_an_activity_claim_holds_up_neither_another_nor_what_comes_next_to_it(
    caller: Caller, rival: MysqlConnection, root: MysqlConnection
) -> None:
    first, second = caller.begin(ACTIVITY), caller.begin(ACTIVITY)
    other = _impatient(caller, rival)
    with gate(root, "activities", caller.session) as reached:
        claim = asyncio.create_task(asyncio.to_thread(caller.claimed_activity))
        await reached()
        other.register()
        assert other.claimed_activity() == second
        urgent = other.start(priority=0)
        assert other.complete(other.claimed(), ACTIVITY) == "completed"
        assert other.claimed_activity() == urgent
    assert await claim == first


def _impatient(caller: Caller, rival: MysqlConnection) -> Caller:
    """Another worker of the same queue, whose session waits for no lock."""
    with rival.cursor() as cursor:
        cursor.execute("SET SESSION innodb_lock_wait_timeout = 1")
    other = Caller(rival, caller.queue, f"another {caller.worker}")
    other.register()
    return other


async def test_a_claim_among_few_rows_locks_no_task_but_its_own_that_is_held_for_it(
    databases: Databases,
) -> None:
    assert isinstance(databases, MysqlDatabases)
    with databases.empty() as database:
        schema.upgrade(database.url)
        with (
            closing(connect(database.url)) as session,
            closing(connect(database.url)) as rival,
            closing(databases.server.connect(database.name)) as root,
        ):
            caller = Caller(session, "few")
            caller.register(sticky_execution=True)
            first, second = caller.held(2)
            other = _impatient(caller, rival)
            same = Caller(rival, "few", caller.worker)
            with gate(root, "workflow_tasks", caller.session) as reached:
                claim = asyncio.create_task(asyncio.to_thread(caller.claimed))
                await reached()
                assert same.claimed().run_id == second
                urgent, later = other.start(priority=0), other.start(priority=9)
                assert other.claimed().run_id == urgent
                assert same.claimed().run_id == later
            assert (await claim).run_id == first


def test_a_claim_whose_own_task_another_session_holds_takes_a_common_one(
    caller: Caller, rival: MysqlConnection
) -> None:
    caller.register(sticky_execution=True)
    (own,) = caller.held(1)
    common = caller.start(priority=9)
    with rival.cursor() as other:
        other.execute("START TRANSACTION")
        other.execute("SELECT run_id FROM runs WHERE run_id = %s FOR UPDATE", [own])
        assert caller.claimed().run_id == common
        assert [outcome for outcome, _, _ in caller.claim()] == ["empty"]
        other.execute("ROLLBACK")
    assert caller.claimed().run_id == own


def test_a_claim_whose_best_own_task_another_session_holds_goes_on_by_priority(
    caller: Caller, rival: MysqlConnection
) -> None:
    caller.register(sticky_execution=True)
    best, last = caller.held(2)
    with rival.cursor() as other, caller.connection.cursor() as cursor:
        cursor.execute("UPDATE workflow_tasks SET priority = 9 WHERE run_id = %s", [last])
        caller.connection.commit()
        common = caller.start(priority=7)
        other.execute("START TRANSACTION")
        other.execute("SELECT run_id FROM runs WHERE run_id = %s FOR UPDATE", [best])
        assert [caller.claimed().run_id for _ in range(2)] == [common, last]
        other.execute("ROLLBACK")
    assert caller.claimed().run_id == best


def test_a_worker_that_registers_again_waits_for_nobody_who_is_busy_with_what_it_held(
    caller: Caller, rival: MysqlConnection
) -> None:
    caller.register(sticky_execution=True)
    first, second = caller.held(2)
    still_held = "SELECT held_until > available_at FROM workflow_tasks WHERE run_id = %s"
    with rival.cursor() as other, caller.connection.cursor() as cursor:
        cursor.execute("SET SESSION innodb_lock_wait_timeout = 1")
        other.execute("START TRANSACTION")
        other.execute("SELECT run_id FROM workflow_tasks WHERE run_id = %s FOR UPDATE", [first])
        caller.register()
        other.execute("ROLLBACK")
    assert [caller.scalar(still_held, run_id) for run_id in (first, second)] == [1, 0]


def test_a_completion_does_not_wait_to_note_what_its_worker_reports(
    caller: Caller, rival: MysqlConnection
) -> None:
    caller.register(sticky_execution=True)
    reported = "SELECT sticky_misses FROM worker_liveness WHERE worker_id = %s"
    with rival.cursor() as other, caller.connection.cursor() as cursor:
        cursor.execute("SET SESSION innodb_lock_wait_timeout = 1")
        other.execute("START TRANSACTION")
        other.execute(
            "SELECT worker_id FROM worker_liveness WHERE worker_id = %s FOR UPDATE", [caller.worker]
        )
        caller.held(1)
        assert caller.scalar(reported, caller.worker) == 0
        other.execute("ROLLBACK")
    assert caller.complete(caller.claimed(), TIMER) == "completed"
    caller.held(1)
    assert caller.scalar(reported, caller.worker) == 2


def test_what_only_reads_waits_for_nobody(caller: Caller, rival: MysqlConnection) -> None:
    """Not even while another session holds every row there is: that a worker polls is not noted then."""
    run_id = caller.begin(ACTIVITY)
    idle = Caller(caller.connection, f"{caller.queue} without work")
    idle.register(sticky_execution=True)
    workflow_id = caller.workflow_of(run_id)
    queues = json.dumps([["activity", "default", caller.queue], ["workflow", "default", idle.queue]])
    calls: list[tuple[str, list[object], str]] = [
        ("describe_run", ["default", workflow_id, None], "described"),
        ("describe_run", ["default", workflow_id, "no such run"], "run_not_found"),
        ("describe_run", ["default", "no such workflow", None], "instance_not_found"),
        ("list_runs", ["default", None, None, 10, None], "listed"),
        ("list_runs", ["default", "order", "running", 10, None], "listed"),
        ("list_workflow_runs", ["default", workflow_id, 0, 10], "listed"),
        ("list_workflow_runs", ["default", "no such workflow", 0, 10], "instance_not_found"),
        ("export_run", ["default", workflow_id, run_id], "exported"),
        ("export_run", ["default", workflow_id, "no such run"], "run_not_found"),
        ("read_history", ["default", workflow_id, run_id, 0, 10], "page"),
        ("read_history", ["default", workflow_id, "no such run", 0, 10], "run_not_found"),
        ("probe_wakeups", [queues, json.dumps([[run_id, 0]]), 60], "probed"),
        ("read_sticky_metrics", [], "described"),
        ("record_polls", [json.dumps([["default", idle.worker]]), 60], "recorded"),
        ("claim_workflow_task", [json.dumps([idle.poll()])], "empty"),
        ("claim_activity_task", [json.dumps([idle.poll()])], "empty"),
        ("read_schema_state", [], "schema_state"),
    ]
    with rival.cursor() as other, caller.connection.cursor() as cursor:
        cursor.execute("SET SESSION innodb_lock_wait_timeout = 1")
        other.execute("START TRANSACTION")
        for table in tables(rival):
            other.execute(f"SELECT * FROM {table} FOR UPDATE")
        for routine, arguments, expected in calls:
            assert [outcome for outcome, _, _ in caller.call(routine, *arguments)] == [expected], routine
        other.execute("ROLLBACK")


def test_a_heartbeat_does_not_wait_for_its_run(caller: Caller, rival: MysqlConnection) -> None:
    """Whoever closes a run waits for its activities: the other way round would be a deadlock."""
    run_id = caller.begin(ACTIVITY)
    assert caller.claimed_activity() == run_id
    ids = ["default", f"{run_id}:a1", f"{run_id}:a1.1"]
    with rival.cursor() as other, caller.connection.cursor() as cursor:
        cursor.execute("SET SESSION innodb_lock_wait_timeout = 1")
        other.execute("START TRANSACTION")
        other.execute("SELECT run_id FROM runs WHERE run_id = %s FOR UPDATE", [run_id])
        answers = [
            caller.call("heartbeat_activity", *ids, owner, None, 60)[0][0]
            for owner in (caller.worker, "another")
        ]
        other.execute("ROLLBACK")
    assert answers == ["heartbeat_recorded", "lease_owner_mismatch"]


@dataclass(frozen=True)
class Sweep:
    """A pass of maintenance, something for it to do, and how to see and to hold that."""

    transition: str
    prepare: Callable[[Caller], str]
    left: str
    held: str = "SELECT run_id FROM runs WHERE run_id = %s FOR UPDATE"


def _expired_task(caller: Caller) -> str:
    run_id = caller.start()
    caller.claim(caller.poll(lease_seconds=-1))
    return run_id


def _expired_attempt(caller: Caller) -> str:
    run_id = caller.begin(ACTIVITY)
    assert caller.claimed_activity(lease_seconds=-1) == run_id
    return run_id


def _overdue_run(caller: Caller) -> str:
    run_id = caller.start()
    with caller.connection.cursor() as cursor:
        cursor.execute("UPDATE runs SET run_deadline_at = started_at WHERE run_id = %s", [run_id])
    return run_id


SWEEPS = {
    "timers": Sweep(
        "fire_due_timers", lambda caller: caller.begin(TIMER), "SELECT COUNT(*) FROM timers WHERE run_id = %s"
    ),
    "workflow tasks": Sweep(
        "expire_leases",
        _expired_task,
        "SELECT COUNT(*) FROM workflow_tasks WHERE run_id = %s AND status = 'leased'",
    ),
    "activities": Sweep(
        "expire_leases",
        _expired_attempt,
        "SELECT COUNT(*) FROM activities WHERE run_id = %s AND status = 'running'",
        "SELECT position FROM activities WHERE run_id = %s FOR UPDATE",
    ),
    "runs": Sweep(
        "enforce_timeouts", _overdue_run, "SELECT COUNT(*) FROM runs WHERE run_id = %s AND closed_at IS NULL"
    ),
}


@pytest.mark.parametrize("sweep", SWEEPS.values(), ids=SWEEPS.keys())
def test_a_sweep_passes_over_what_another_session_holds(
    caller: Caller, rival: MysqlConnection, sweep: Sweep
) -> None:
    """It does not take what it found before for what it did not find now."""
    before, held, behind = (sweep.prepare(caller) for _ in range(3))
    with rival.cursor() as other:
        other.execute("START TRANSACTION")
        other.execute(sweep.held, [held])
        caller.call(sweep.transition, 1000)
        assert [caller.scalar(sweep.left, run_id) for run_id in (before, held, behind)] == [0, 1, 0]
        other.execute("ROLLBACK")
    caller.call(sweep.transition, 1000)
    assert caller.scalar(sweep.left, held) == 0
