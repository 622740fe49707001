"""The ways to the same transition on MySQL and MariaDB, beside those that all engines share."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import asyncmy
from asyncmy.connection import Connection

from benchmarks.leased_tasks import ATTEMPT, COMMANDS, DIGEST, NAMESPACE, WORKER, run_id
from benchmarks.ways import Timing, run_clients
from byssus.database_url import mysql_options
from byssus.schema.revisions import MysqlConnection
from byssus.schema.statements import run_file

_STATEMENTS_KEPT = 20


class _Connections:
    """Connections of the server's driver, as many as there are clients, with statements prepared once."""

    stretch_factor = 1

    def __init__(self, runner: asyncio.Runner, url: str) -> None:
        self._runner = runner
        self._options = mysql_options(url)
        self._connections: list[Connection] = []

    def close(self) -> None:
        """Disconnect."""
        self._runner.run(self._close())

    def run(self, first: int, calls: int, clients: int) -> Timing:
        """Complete that many tasks."""
        return self._runner.run(self._run(first, calls, clients))

    async def _run(self, first: int, calls: int, clients: int) -> Timing:
        while len(self._connections) < clients:
            self._connections.append(await self._connect())
        free = self._connections[:clients]

        async def complete(number: int) -> None:
            connection = free.pop()
            await self._complete(connection, number)
            free.append(connection)

        return await run_clients(complete, range(first, first + calls), clients)

    async def _connect(self) -> Connection:
        connection = await asyncmy.connect(
            autocommit=True, charset="utf8mb4", stmt_cache_size=_STATEMENTS_KEPT, **self._options
        )
        async with connection.cursor() as cursor:
            await cursor.execute("set session time_zone = '+00:00', sql_notes = 0")
            await cursor.execute("set session transaction isolation level read committed")
        return connection

    async def _complete(self, connection: Connection, number: int) -> None:
        """One completion."""
        raise NotImplementedError

    async def _close(self) -> None:
        for connection in self._connections:
            await connection.ensure_closed()


class BareCommits(_Connections):
    """What everything is compared with: a procedure that does nothing but write the rows and commit them.

    It neither checks nor reads anything, and gets the documents ready-made.
    """

    name = "bare commit"

    def __init__(self, runner: asyncio.Runner, url: str, owner: MysqlConnection) -> None:
        super().__init__(runner, url)
        run_file(owner, _BARE_COMMIT)

    async def _complete(self, connection: Connection, number: int) -> None:
        run_key = run_id(number)
        fields = json.loads(json.loads(COMMANDS)[0]["fields"])
        wire = _event(run_key, 2, 1, fields, "2026-01-01T00:00:00.000000Z")
        async with connection.cursor() as cursor:
            await cursor.execute("call bare_commit(%s, %s, %s)", (run_key, wire, _answer(run_key)))


class Statements(_Connections):
    """What the routine does, as statements of the client in one transaction, each a round trip."""

    name = "separate statements"

    async def _complete(self, connection: Connection, number: int) -> None:
        """One completion: what the routine reads and writes, with the decisions made here."""

        async def run(statement: str, *values: object) -> tuple[Any, ...] | None:
            async with connection.cursor() as cursor:
                await cursor.execute(statement, values)
                row: tuple[Any, ...] | None = await cursor.fetchone() if cursor.description else None
                return row

        run_key = run_id(number)
        await connection.begin()
        run_row = await run(_LOCK_RUN, run_key, NAMESPACE)
        task_row = await run(_READ_TASK, run_key)
        assert run_row is not None
        assert task_row is not None
        sequence, position, build_id, priority = run_row
        status, lease_owner, attempt, claimed, is_live, now, wire_now = task_row
        if (status, lease_owner, attempt, is_live) != ("leased", WORKER, ATTEMPT, 1):
            raise RuntimeError(f"the task of run {run_key} is not leased")

        await run("delete from affinities where run_id = %s", run_key)
        [command] = json.loads(COMMANDS)
        position, sequence = position + 1, sequence + 1
        await run(
            _INSERT_ACTIVITY,
            *(run_key, position, NAMESPACE, command["activity_type"], command["task_queue"]),
            *(build_id, priority, now, command["arguments"], command["max_attempts"]),
            *(json.dumps(command["backoff_seconds"]), json.dumps(command["non_retryable_error_types"])),
        )
        await run("delete from workflow_tasks where run_id = %s", run_key)
        await run("select exists (select 1 from inbox where run_id = %s)", run_key)
        wire = _event(run_key, sequence, position, json.loads(command["fields"]), wire_now)
        await run(_ADVANCE_RUN, sequence, len(wire), now, run_key)
        await run(_INSERT_EVENT, run_key, sequence, "ActivityScheduled", now, wire)
        await run(_SUSPEND_RUN, position, claimed, run_key)
        answer = _answer(run_key)
        await run(_INSERT_RECEIPT, run_key, f"k1.{ATTEMPT}", WORKER, DIGEST, "completed", answer, now)
        await connection.commit()


def _event(run_key: str, sequence: int, position: int, fields: dict[str, Any], recorded_at: str) -> str:
    """The event of the scheduled activity in wire form."""
    payload = {"sequence": position, "activity_execution_id": f"{run_key}:a{position}", **fields}
    return json.dumps(
        {
            "id": f"{run_key}:e{sequence}",
            "sequence": sequence,
            "event_type": "ActivityScheduled",
            "payload": payload,
            "recorded_at": recorded_at,
        }
    )


def _answer(run_key: str) -> str:
    """What the receipt records."""
    return json.dumps(
        {"task_id": f"{run_key}:k1", "outcome": "completed", "recorded": True, "run_status": "waiting"}
    )


_BARE_COMMIT = f"""
DELIMITER //
CREATE PROCEDURE bare_commit(p_run_id VARCHAR(36), p_wire LONGTEXT, p_body LONGTEXT)
MODIFIES SQL DATA
BEGIN
    DECLARE v_now DATETIME(6) DEFAULT UTC_TIMESTAMP(6);

    START TRANSACTION;
    DELETE FROM affinities WHERE run_id = p_run_id;
    INSERT INTO activities (
        run_id, position, namespace, activity_type, task_queue, priority, status, available_at, arguments,
        max_attempts, backoff_seconds, non_retryable_error_types, group_members
    ) VALUES (
        p_run_id, 1, '{NAMESPACE}', 'charge_card', 'benchmark', 5, 'pending', v_now, p_body, 1, '[]', '[]', ''
    );
    DELETE FROM workflow_tasks WHERE run_id = p_run_id;
    UPDATE runs
    SET last_history_sequence = 2, history_size_bytes = history_size_bytes + OCTET_LENGTH(p_wire),
        last_progress_at = v_now, status = 'waiting', has_answered_task = TRUE, last_authored_position = 1,
        applied_through_sequence = 1
    WHERE run_id = p_run_id;
    INSERT INTO history_events (run_id, sequence, event_type, recorded_at, wire)
    VALUES (p_run_id, 2, 'ActivityScheduled', v_now, p_wire);
    INSERT INTO receipts (run_id, subject, caller, digest, outcome, body, recorded_at)
    VALUES (p_run_id, 'k1.{ATTEMPT}', '{WORKER}', '{DIGEST}', 'completed', p_body, v_now);
    COMMIT;
END//
"""
_LOCK_RUN = (
    "select last_history_sequence, last_authored_position, build_id, priority from runs"
    " where run_id = %s and namespace = %s and closed_at is null for update"
)
_READ_TASK = (
    "select status, lease_owner, attempt, claimed_sequence, lease_expires_at > utc_timestamp(6),"
    " utc_timestamp(6), date_format(utc_timestamp(6), '%%Y-%%m-%%dT%%H:%%i:%%s.%%fZ')"
    " from workflow_tasks where run_id = %s"
)
_INSERT_ACTIVITY = (
    "insert into activities (run_id, position, namespace, activity_type, task_queue, build_id, priority,"
    " status, available_at, arguments, max_attempts, backoff_seconds, non_retryable_error_types,"
    " group_members)"
    " values (%s, %s, %s, %s, %s, %s, %s, 'pending', %s, %s, %s, %s, %s, '')"
)
_ADVANCE_RUN = (
    "update runs set last_history_sequence = %s, history_size_bytes = history_size_bytes + %s,"
    " last_progress_at = %s where run_id = %s"
)
_INSERT_EVENT = (
    "insert into history_events (run_id, sequence, event_type, recorded_at, wire) values (%s, %s, %s, %s, %s)"
)
_SUSPEND_RUN = (
    "update runs set status = 'waiting', has_answered_task = true, last_authored_position = %s,"
    " applied_through_sequence = %s where run_id = %s"
)
_INSERT_RECEIPT = (
    "insert into receipts (run_id, subject, caller, digest, outcome, body, recorded_at)"
    " values (%s, %s, %s, %s, %s, %s, %s)"
)
