"""The store on MySQL and MariaDB: what becomes of connections, contention and faults."""

from __future__ import annotations

import asyncio
import contextlib
import json

import pytest

from byssus.schema.revisions import MysqlConnection
from byssus.schema.shipped import routine_files
from byssus.schema.statements import run_file
from byssus.store import transitions as t
from byssus.store.answer import Answer
from byssus.store.errors import BackendLockPressure, BackendUnavailable, PayloadTooLarge, SchemaNotReady
from byssus.store.mysql import MysqlStore
from tests.engines.databases import Database, Databases
from tests.http.clients import unique
from tests.mysql.calls import ACTIVITY, TIMER, Caller
from tests.mysql.locks import one_waits
from tests.sdk.waiting import until
from tests.transitions.commands import text_of
from tests.transitions.driver import Driver

pytestmark = pytest.mark.engines("mariadb", "mysql")

_SESSIONS = "SELECT id FROM information_schema.processlist WHERE user = 'test_app'"


def _target(caller: Caller, run_id: str) -> dict[str, str | int | None]:
    return {"namespace": "default", "workflow_id": caller.workflow_of(run_id), "run_id": None}


async def _cancel(store: MysqlStore, caller: Caller, run_id: str) -> Answer:
    arguments = _target(caller, run_id) | {"reason": None, "request_id": None, "digest": "digest"}
    (answer,) = await store.call(t.CANCEL_RUN, arguments)
    return answer


def _sessions(root: MysqlConnection) -> set[int]:
    with root.cursor() as cursor:
        cursor.execute(_SESSIONS)
        return {session for (session,) in cursor.fetchall()}


async def _only_session(store: MysqlStore) -> int:
    """The number of the session of a store with one connection."""
    async with store._connection() as connection:
        return connection.thread_id()


async def _end(root: MysqlConnection, session: int) -> None:
    """Kill a session, and return when the server has let it go."""
    with root.cursor() as cursor:
        cursor.execute(f"KILL {session}")
    await _is_gone(root, session)


async def _is_gone(root: MysqlConnection, session: int) -> None:
    with root.cursor() as cursor:
        await until(
            lambda: (
                cursor.execute("SELECT id FROM information_schema.processlist WHERE id = %s", [session]) == 0
            ),
            "the session is gone",
        )


async def _is_well(store: MysqlStore) -> bool:
    (answer,) = await store.call(t.READ_SCHEMA_STATE, {})
    return answer.outcome == "schema_state"


# Connections


async def test_many_calls_share_one_connection(narrow: MysqlStore, root: MysqlConnection) -> None:
    assert all(await asyncio.gather(*(_is_well(narrow) for _ in range(20))))
    await until(
        lambda: len(_sessions(root)) == 1, "one session is left, once those of earlier tests have ended"
    )


async def test_no_more_connections_are_made_than_asked_for(
    installed: Database, root: MysqlConnection
) -> None:
    store = MysqlStore(installed.app_url, pool_size=3)
    await store.open()
    assert all(await asyncio.gather(*(_is_well(store) for _ in range(30))))
    assert 1 <= len(_sessions(root)) <= 3
    await store.close()
    await until(lambda: not _sessions(root), "the connections are closed")


async def test_a_call_that_was_given_up_gives_its_answer_to_nobody(
    narrow: MysqlStore, caller: Caller, rival: MysqlConnection
) -> None:
    run_id = caller.begin(TIMER)
    with rival.cursor() as other:
        other.execute("START TRANSACTION")
        other.execute("SELECT run_id FROM runs WHERE run_id = %s FOR UPDATE", [run_id])
        cancel = asyncio.create_task(_cancel(narrow, caller, run_id))
        await one_waits(rival)
        cancel.cancel()
        with pytest.raises(asyncio.CancelledError):
            await cancel
        (answer,) = await narrow.call(t.DESCRIBE_RUN, _target(caller, run_id))
        assert answer.outcome == "described"
        other.execute("ROLLBACK")


async def test_a_session_killed_in_the_middle_is_reported_and_replaced(
    narrow: MysqlStore, caller: Caller, rival: MysqlConnection, root: MysqlConnection
) -> None:
    run_id = caller.begin(TIMER)
    session = await _only_session(narrow)
    with rival.cursor() as other:
        other.execute("START TRANSACTION")
        other.execute("SELECT run_id FROM runs WHERE run_id = %s FOR UPDATE", [run_id])
        cancel = asyncio.create_task(_cancel(narrow, caller, run_id))
        await one_waits(rival)
        await _end(root, session)
        with pytest.raises(BackendUnavailable):
            await cancel
        other.execute("ROLLBACK")
    assert caller.events(run_id) == 2
    assert (await _cancel(narrow, caller, run_id)).outcome == "cancelled"


async def test_an_interrupted_call_is_reported_and_leaves_nothing_half_done(
    narrow: MysqlStore, caller: Caller, rival: MysqlConnection, root: MysqlConnection
) -> None:
    run_id = caller.begin(ACTIVITY)
    session = await _only_session(narrow)
    with rival.cursor() as other, root.cursor() as administrator:
        other.execute("START TRANSACTION")
        other.execute("SELECT position FROM activities WHERE run_id = %s FOR UPDATE", [run_id])
        cancel = asyncio.create_task(_cancel(narrow, caller, run_id))
        await one_waits(rival)
        administrator.execute(f"KILL QUERY {session}")
        with pytest.raises(BackendUnavailable):
            await cancel
        other.execute("ROLLBACK")
    assert caller.events(run_id) == 2
    assert (await _cancel(narrow, caller, run_id)).outcome == "cancelled"


async def test_a_session_killed_while_idle_is_replaced(narrow: MysqlStore, root: MysqlConnection) -> None:
    """At most one call meets the broken connection."""
    assert await _is_well(narrow)
    await _end(root, await _only_session(narrow))
    with contextlib.suppress(BackendUnavailable):
        await _is_well(narrow)
    assert await _is_well(narrow)


async def test_a_session_that_was_idle_for_too_long_is_replaced(
    installed: Database, root: MysqlConnection
) -> None:
    """The server says goodbye before it closes; that is no answer to the next call."""
    with root.cursor() as cursor:
        cursor.execute("SET GLOBAL wait_timeout = 1")
        try:
            store = MysqlStore(installed.app_url, pool_size=1)
            await store.open()
            assert await _is_well(store)
            await _is_gone(root, await _only_session(store))
            with contextlib.suppress(BackendUnavailable):
                await _is_well(store)
            assert await _is_well(store)
            await store.close()
        finally:
            cursor.execute("SET GLOBAL wait_timeout = DEFAULT")


async def test_a_server_that_is_not_there_is_unavailable() -> None:
    store = MysqlStore("mysql://test_app@/byssus?unix_socket=/nonexistent/socket")
    with pytest.raises(BackendUnavailable):
        await store.open()


async def test_a_login_that_is_shut_out_is_unavailable_until_it_is_let_in_again(
    narrow: MysqlStore, root: MysqlConnection
) -> None:
    session = await _only_session(narrow)
    with root.cursor() as cursor:
        cursor.execute("ALTER USER test_app@localhost ACCOUNT LOCK")
        try:
            await _end(root, session)
            for _ in range(2):
                with pytest.raises(BackendUnavailable):
                    await _is_well(narrow)
        finally:
            cursor.execute("ALTER USER test_app@localhost ACCOUNT UNLOCK")
    assert await _is_well(narrow)


async def test_a_server_that_only_reads_is_unavailable_for_writing(
    narrow: MysqlStore, caller: Caller, root: MysqlConnection
) -> None:
    """As a replica is, which has not been made the primary yet."""
    run_id = caller.begin(TIMER)
    with root.cursor() as cursor:
        cursor.execute("SET GLOBAL read_only = ON")
        try:
            with pytest.raises(BackendUnavailable):
                await _cancel(narrow, caller, run_id)
            assert await _is_well(narrow)
        finally:
            cursor.execute("SET GLOBAL read_only = OFF")
    assert (await _cancel(narrow, caller, run_id)).outcome == "cancelled"


# Contention


async def test_a_deadlock_is_tried_again(narrow: MysqlStore, caller: Caller, rival: MysqlConnection) -> None:
    run_id = caller.begin(ACTIVITY)
    with rival.cursor() as other:
        other.execute("START TRANSACTION")
        # The transaction that has written less is the one that is given up.
        for number in range(100):
            other.execute("INSERT INTO namespaces VALUES (%s, '', UTC_TIMESTAMP(6))", [f"n{number}"])
        other.execute("SELECT position FROM activities WHERE run_id = %s FOR UPDATE", [run_id])
        cancel = asyncio.create_task(_cancel(narrow, caller, run_id))
        await one_waits(rival)
        other.execute("SELECT run_id FROM runs WHERE run_id = %s FOR UPDATE", [run_id])
        await one_waits(rival)
        assert not cancel.done()
        other.execute("ROLLBACK")
    assert (await cancel).outcome == "cancelled"


async def test_a_lock_that_is_not_let_go_is_reported_as_pressure(
    installed: Database, caller: Caller, rival: MysqlConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("byssus.store.mysql._SESSION", "SET SESSION innodb_lock_wait_timeout = 1")
    impatient = MysqlStore(installed.app_url, pool_size=1)
    await impatient.open()
    run_id = caller.begin(TIMER)
    with rival.cursor() as other:
        other.execute("START TRANSACTION")
        other.execute("SELECT run_id FROM runs WHERE run_id = %s FOR UPDATE", [run_id])
        with pytest.raises(BackendLockPressure):
            await _cancel(impatient, caller, run_id)
        other.execute("ROLLBACK")
    assert caller.events(run_id) == 2
    assert (await _cancel(impatient, caller, run_id)).outcome == "cancelled"
    await impatient.close()


async def test_contention_leaves_no_transaction_open(
    installed: Database, caller: Caller, rival: MysqlConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even where a routine's handlers are passed over: on MariaDB, when an UPDATE waits to write."""
    monkeypatch.setattr("byssus.store.mysql._SESSION", "SET SESSION innodb_lock_wait_timeout = 1")
    monkeypatch.setattr("byssus.store.contention._PAUSES_SECONDS", ())
    impatient = MysqlStore(installed.app_url, pool_size=1)
    await impatient.open()
    caller.start()
    claim = caller.claimed()
    renewal: dict[str, str | int | None] = {
        "namespace": "default",
        "task_id": claim.task_id,
        "lease_owner": caller.worker,
        "attempt": claim.attempt,
        "lease_seconds": 1_000_000,
    }
    with rival.cursor() as other:
        # Nothing may be put at the end of the index, where the renewed lease belongs.
        other.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        other.execute("START TRANSACTION")
        other.execute(
            "SELECT run_id FROM workflow_tasks FORCE INDEX (workflow_tasks_lease)"
            " WHERE lease_expires_at > '2999-01-01' FOR UPDATE"
        )
        with pytest.raises(BackendLockPressure):
            await impatient.call(t.HEARTBEAT_WORKFLOW_TASK, renewal)
        locked = caller.scalar("SELECT run_id FROM runs WHERE run_id = %s FOR UPDATE NOWAIT", claim.run_id)
        assert locked == claim.run_id
        assert await _is_well(impatient)
        other.execute("ROLLBACK")
    (answer,) = await impatient.call(t.HEARTBEAT_WORKFLOW_TASK, renewal)
    assert answer.outcome == "renewed"
    await impatient.close()


# Documents


async def test_a_large_document_comes_back_byte_for_byte(narrow: MysqlStore) -> None:
    driver = Driver(narrow)
    document = text_of({"codec": "avro", "blob": ("\N{BICYCLE}\\\"'%s ?\n" + "x" * 100) * 27_000})
    assert len(document.encode()) > 3_000_000
    await driver.start("large", input=json.loads(document))
    assert f'"input_envelope":{document},' in (await driver.describe("large")).text


@pytest.mark.usefixtures("small_packets")
async def test_a_document_that_the_database_would_not_take_is_refused(installed: Database) -> None:
    """Before it is sent: the connection goes on."""
    store = MysqlStore(installed.app_url, pool_size=1)
    await store.open()
    driver = Driver(store)
    session = await _only_session(store)
    with pytest.raises(PayloadTooLarge, match="max_allowed_packet"):
        await driver.start(unique("wf"), input={"codec": "avro", "blob": "x" * 1_040_000})
    assert (
        await driver.start(unique("wf"), input={"codec": "avro", "blob": "x" * 1_020_000})
    ).outcome == "started_new"
    assert await _only_session(store) == session
    await store.close()


# The schema


async def test_a_login_without_the_role_is_told_so(installed: Database) -> None:
    store = MysqlStore(installed.url_of("test_audit"))
    await store.open()
    with pytest.raises(SchemaNotReady):
        await store.call(t.READ_SCHEMA_STATE, {})
    await store.close()


async def test_an_empty_database_is_not_ready(databases: Databases) -> None:
    with databases.empty() as database:
        store = MysqlStore(database.app_url)
        await store.open()
        with pytest.raises(SchemaNotReady):
            await store.call(t.READ_SCHEMA_STATE, {})
        await store.close()


async def test_a_routine_may_be_replaced_under_a_running_store(
    narrow: MysqlStore, owner: MysqlConnection
) -> None:
    """An upgrade does so; while the routine is missing, the schema is not ready."""
    assert await _is_well(narrow)
    (file,) = (file for file in routine_files("mysql") if file.name == "read_schema_state")
    with owner.cursor() as cursor:
        cursor.execute("DROP PROCEDURE read_schema_state")
        with pytest.raises(SchemaNotReady):
            await _is_well(narrow)
        run_file(owner, file.text)
        cursor.execute("GRANT EXECUTE ON PROCEDURE read_schema_state TO byssus_app")
    assert await _is_well(narrow)
    run_file(owner, file.text)
    with owner.cursor() as cursor:
        cursor.execute("GRANT EXECUTE ON PROCEDURE read_schema_state TO byssus_app")
    assert await _is_well(narrow)
