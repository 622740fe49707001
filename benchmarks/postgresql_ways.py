"""The ways to the same transition on PostgreSQL."""

from __future__ import annotations

import asyncio
import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, LiteralString

import psycopg

from benchmarks.cpu_time import cpu_seconds
from benchmarks.leased_tasks import (
    ATTEMPT,
    COMMANDS,
    DIGEST,
    NAMESPACE,
    RUN_ID_BEGIN,
    TASK_ID_END,
    WORKER,
    run_id,
)
from benchmarks.ways import Timing, run_clients
from byssus.store.transitions import COMPLETE_WORKFLOW_TASK

_PGBENCH_THREADS = 2
_COLD_CALLS = 10


@dataclass(frozen=True)
class Pgbench:
    """The ceiling: pgbench calls the routine with prepared statements; nothing of ours is in the way."""

    program: Path
    directory: Path
    database: str
    login: str
    name = "pgbench"
    stretch_factor = 4

    def run(self, first: int, calls: int, clients: int) -> Timing:
        """Complete that many tasks.

        pgbench makes new connections, whose first calls compile the routines and make plans, while all other
        ways keep theirs. So it runs twice, at first with nothing but such calls, and what is told of all
        calls is what the warm ones of the second run took.
        """
        cold = min(_COLD_CALLS, calls // clients // 4)
        began = cpu_seconds()
        self._run(first, cold, clients)
        between = cpu_seconds()
        log = self._run(first + cold * clients, calls // clients - cold, clients)
        warm_calls = calls - 2 * cold * clients
        warm_cpu_seconds = (cpu_seconds() - between) - (between - began)
        return Timing(calls / _warm_rate(log, cold), warm_cpu_seconds * calls / warm_calls)

    def _run(self, first: int, calls_of_each: int, clients: int) -> str:
        """Run pgbench; its log of all calls."""
        values = {
            "first": str(first),
            "calls": "0",
            "clients": str(clients),
            "namespace": NAMESPACE,
            "begin": RUN_ID_BEGIN,
            "end": TASK_ID_END,
            "lease_owner": WORKER,
            "attempt": str(ATTEMPT),
            "commands": COMMANDS,
            "digest": DIGEST,
        }
        with tempfile.TemporaryDirectory() as directory:
            script = Path(directory) / "script.sql"
            script.write_text(_pgbench_script())
            subprocess.run(
                [
                    *(str(self.program), "--no-vacuum", "--protocol=prepared", f"--file={script}"),
                    *(f"--host={self.directory}", f"--username={self.login}", self.database),
                    *(f"--client={clients}", f"--jobs={min(clients, _PGBENCH_THREADS)}"),
                    *(f"--transactions={calls_of_each}", "--log", f"--log-prefix={directory}/log"),
                    *(f"--define={name}={value}" for name, value in values.items()),
                ],
                check=True,
                capture_output=True,
            )
            return "".join(path.read_text() for path in Path(directory).glob("log.*"))


def _warm_rate(log: str, cold_calls: int) -> float:
    """Calls per second while all clients are warm and none has ended (if there is no such time: of all)."""
    ended: dict[str, list[float]] = {}
    for line in log.splitlines():
        client, _, _, _, second, microsecond = line.split()[:6]
        ended.setdefault(client, []).append(int(second) + int(microsecond) / 1e6)
    moments = sorted(moment for of_client in ended.values() for moment in of_client)
    begin = max(of_client[cold_calls - 1] for of_client in ended.values())
    end = min(of_client[-1] for of_client in ended.values())
    if begin >= end:
        begin, end = moments[0], moments[-1]
    return sum(begin < moment <= end for moment in moments) / (end - begin)


def _pgbench_script() -> str:
    task_id = ":begin || lpad(:number::text, 12, '0') || :end"
    values = {"task_id": task_id, "sticky": "null", "carried": "null"}
    arguments = ", ".join(
        f"p_{name} => ({values.get(name, f':{name}')})::{kind}"
        for name, kind in COMPLETE_WORKFLOW_TASK.parameters
    )
    return (
        "\\set number :first + :client_id + :calls * :clients\n"
        "\\set calls :calls + 1\n"
        f"select outcome, body, hints from byssus.{COMPLETE_WORKFLOW_TASK.name}({arguments});\n"
    )


class Statements:
    """What the routine does, as statements of the client in one transaction, each a round trip."""

    name = "separate statements"
    stretch_factor = 1

    def __init__(self, runner: asyncio.Runner, url: str) -> None:
        self._runner = runner
        self._url = url
        self._connections: list[psycopg.AsyncConnection[Any]] = []

    def close(self) -> None:
        """Disconnect."""
        self._runner.run(self._close())

    def run(self, first: int, calls: int, clients: int) -> Timing:
        """Complete that many tasks."""
        return self._runner.run(self._run(first, calls, clients))

    async def _run(self, first: int, calls: int, clients: int) -> Timing:
        while len(self._connections) < clients:
            connection = await psycopg.AsyncConnection.connect(
                self._url, autocommit=True, prepare_threshold=0, options="-c jit=off -c timezone=UTC"
            )
            self._connections.append(connection)
        free = self._connections[:clients]

        async def complete(number: int) -> None:
            connection = free.pop()
            await _complete_by_statements(connection, number)
            free.append(connection)

        return await run_clients(complete, range(first, first + calls), clients)

    async def _close(self) -> None:
        for connection in self._connections:
            await connection.close()


async def _complete_by_statements(connection: psycopg.AsyncConnection[Any], number: int) -> None:
    """One completion: what the routine reads and writes, with the decisions made here."""

    async def run(statement: LiteralString, *values: object) -> tuple[Any, ...] | None:
        cursor = connection.cursor(binary=True)
        await cursor.execute(statement, values, prepare=True)
        return await cursor.fetchone() if cursor.description else None

    run_key = run_id(number)
    await run("begin")
    run_row = await run(_LOCK_RUN, run_key, NAMESPACE)
    task_row = await run(_READ_TASK, run_key)
    assert run_row is not None
    assert task_row is not None
    sequence, position, build_id, priority = run_row
    status, lease_owner, attempt, claimed, is_live, now, wire_now = task_row
    if (status, lease_owner, attempt, is_live) != ("leased", WORKER, ATTEMPT, True):
        raise RuntimeError(f"the task of run {run_key} is not leased")

    await run("delete from byssus.affinities where run_id = %s", run_key)
    [command] = json.loads(COMMANDS)
    position, sequence = position + 1, sequence + 1
    await run(
        _INSERT_ACTIVITY,
        *(run_key, position, NAMESPACE, command["activity_type"], command["task_queue"], build_id, priority),
        *(now, command["arguments"], command["max_attempts"]),
        *(json.dumps(command["backoff_seconds"]), json.dumps(command["non_retryable_error_types"])),
    )
    await run("delete from byssus.workflow_tasks where run_id = %s", run_key)
    await run("select exists (select from byssus.inbox where run_id = %s)", run_key)
    payload = json.dumps(
        {
            "sequence": position,
            "activity_execution_id": f"{run_key}:a{position}",
            **json.loads(command["fields"]),
        }
    )
    wire = json.dumps(
        {
            "id": f"{run_key}:e{sequence}",
            "sequence": sequence,
            "event_type": "ActivityScheduled",
            "payload": json.loads(payload),
            "recorded_at": wire_now,
        }
    )
    await run(_ADVANCE_RUN, sequence, len(payload), now, run_key)
    await run(_INSERT_EVENT, run_key, sequence, "ActivityScheduled", now, wire)
    await run(_SUSPEND_RUN, position, claimed, run_key)
    body = json.dumps(
        {"task_id": f"{run_key}:k1", "outcome": "completed", "recorded": True, "run_status": "waiting"}
    )
    await run(_INSERT_RECEIPT, run_key, f"1.{ATTEMPT}", WORKER, DIGEST, "completed", body, now)
    await run("commit")


_LOCK_RUN: LiteralString = (
    "select last_history_sequence, last_authored_position, build_id, priority from byssus.runs"
    " where run_id = %s and namespace = %s and closed_at is null for no key update"
)
_READ_TASK: LiteralString = (
    "select status, lease_owner, attempt, claimed_sequence, lease_expires_at > clock_timestamp(),"
    " clock_timestamp(), to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
    " from byssus.workflow_tasks where run_id = %s"
)
_INSERT_ACTIVITY: LiteralString = (
    "insert into byssus.activities (run_id, position, namespace, activity_type, task_queue, build_id,"
    " priority, status, available_at, arguments, max_attempts, backoff_seconds, non_retryable_error_types)"
    " values (%s, %s, %s, %s, %s, %s, %s, 'pending', %s, %s::json, %s, %s::json, %s::json)"
)
_ADVANCE_RUN: LiteralString = (
    "update byssus.runs set last_history_sequence = %s, history_size_bytes = history_size_bytes + %s,"
    " last_progress_at = %s where run_id = %s"
)
_INSERT_EVENT: LiteralString = (
    "insert into byssus.history_events (run_id, sequence, event_type, recorded_at, wire)"
    " values (%s, %s, %s, %s, %s)"
)
_SUSPEND_RUN: LiteralString = (
    "update byssus.runs set status = 'waiting', has_answered_task = true, last_authored_position = %s,"
    " applied_through_sequence = %s where run_id = %s"
)
_INSERT_RECEIPT: LiteralString = (
    "insert into byssus.receipts (run_id, subject, caller, digest, outcome, body, recorded_at)"
    " values (%s, %s, %s, %s, %s, %s, %s)"
)
