"""Calls the procedures over a plain session, with everyday arguments."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import count
from typing import Any

import pymysql

from byssus.schema.revisions import MysqlConnection

_numbers = count(1)

CANNOT_CHANGE_TRANSACTION = 1568

REGISTRATION = {
    "runtime": "python",
    "sdk_version": "2.12.0",
    "workflow_types": '["order"]',
    "activity_types": '["charge"]',
    "workflow_definition_fingerprints": "{}",
    "workflow_command_contracts": "{}",
    "capabilities": "[]",
    "capability_manifest": "{}",
    "sticky_execution": False,
    "sticky_history_suffix": False,
    "merged_transitions": False,
    "max_concurrent_workflow_tasks": 10,
    "max_concurrent_activity_tasks": 10,
    "max_concurrent_worker_sessions": 1,
    "task_slots": "{}",
    "process_metrics": "{}",
    "stale_seconds": 60,
    "protocol_version": "1.18",
}
_TABLES_OF_RUNS = (
    "history_events",
    "run_payloads",
    "workflow_tasks",
    "affinities",
    "activities",
    "timers",
    "inbox",
    "receipts",
)
ACTIVITY = {
    "type": "schedule_activity",
    "fields": '{"activity_type":"charge"}',
    "activity_type": "charge",
    "max_attempts": 1,
    "backoff_seconds": [],
    "non_retryable_error_types": [],
}
TIMER = {"type": "start_timer", "fields": '{"delay_seconds":0}', "delay_seconds": 0}
END: dict[str, object] = {"type": "complete_workflow", "fields": '{"output":null}', "output": "null"}


@dataclass(frozen=True)
class Claim:
    """A workflow task and its holder."""

    task_id: str
    attempt: int

    @property
    def run_id(self) -> str:
        """The run it belongs to."""
        return self.task_id[:36]


class Caller:
    """A worker and client on one queue."""

    def __init__(self, connection: MysqlConnection, queue: str, worker: str | None = None) -> None:
        self.connection = connection
        self.queue = queue
        self.worker = worker or f"worker of {queue}"

    @property
    def session(self) -> int:
        """The number by which the server knows the session."""
        number: int = self.scalar("SELECT CONNECTION_ID()")
        return number

    def call(self, routine: str, *arguments: object) -> list[tuple[str, dict[str, Any], str | None]]:
        """The answers of a call, their bodies decoded."""
        return [(outcome, json.loads(body), hints) for outcome, body, hints in self.rows(routine, *arguments)]

    def rows(self, routine: str, *arguments: object) -> list[tuple[str, str, str | None]]:
        """The rows of the one result set of a call."""
        with self.connection.cursor() as cursor:
            cursor.execute(f"CALL {routine}({', '.join(['%s'] * len(arguments))})", arguments)
            rows = list(cursor.fetchall())
            assert [column[0] for column in cursor.description] == ["outcome", "body", "hints"]
            while cursor.nextset():
                assert cursor.description is None, "more than one result set"
            return rows

    def register(self, **members: object) -> None:
        document = json.dumps(REGISTRATION | members)
        ((outcome, _, _),) = self.call("register_worker", "default", self.worker, self.queue, document)
        assert outcome == "registered"

    def leave(self) -> None:
        ((outcome, _, _),) = self.call("deregister_worker", "default", self.worker, None, 600)
        assert outcome == "deregistered"

    def start(self, workflow_id: str | None = None, **members: object) -> str:
        """The run id of a new workflow."""
        workflow_id = workflow_id or f"workflow-{next(_numbers)}"
        document = json.dumps({"priority": 5, "fairness_weight": 1} | members)
        ((outcome, body, _),) = self.call(
            "start_run", "default", workflow_id, "order", self.queue, "fail", None, "digest", document
        )
        assert outcome == "started_new"
        run_id: str = body["run_id"]
        return run_id

    def poll(self, **members: object) -> dict[str, object]:
        return {
            "namespace": "default",
            "worker_id": self.worker,
            "task_queue": self.queue,
            "poll_request_id": f"poll-{next(_numbers)}",
            "page_size": 100,
            "lease_seconds": 60,
            "sticky_execution": True,
            "hold_seconds": 60,
            "polling_seconds": 60,
        } | members

    def claim(self, *polls: dict[str, object]) -> list[tuple[str, dict[str, Any], str | None]]:
        return self.call("claim_workflow_task", json.dumps(polls or [self.poll()]))

    def claimed(self) -> Claim:
        """The next workflow task."""
        ((outcome, body, _),) = self.claim()
        assert outcome == "leased"
        return Claim(body["task"]["task_id"], body["task"]["workflow_task_attempt"])

    def claimed_activity(self, **poll: object) -> str:
        """The run of the next activity."""
        ((outcome, body, _),) = self.call("claim_activity_task", json.dumps([self.poll(**poll)]))
        assert outcome == "leased"
        run_id: str = body["task"]["task_id"][:36]
        return run_id

    def complete(
        self,
        claim: Claim,
        *commands: dict[str, object],
        sticky: dict[str, object] | None = None,
        carried: dict[str, object] | None = None,
    ) -> str:
        documents = json.dumps([{"task_queue": self.queue} | command for command in commands])
        ((outcome, _, _),) = self.call(
            "complete_workflow_task",
            "default",
            claim.task_id,
            self.worker,
            claim.attempt,
            documents,
            "digest",
            None if sticky is None else json.dumps(sticky),
            None if carried is None else json.dumps(carried),
        )
        return outcome

    def ahead(self) -> str:
        """A new run of two activities. The worker has the first, and the history through the third event."""
        run_id = self.start()
        claim = self.claimed()
        polls: dict[str, object] = {"activity_poll": self.poll(history_after_sequence=1)}
        sticky = self.sticky_cache(claim)
        assert self.complete(claim, ACTIVITY, ACTIVITY, sticky=sticky, carried=polls) == "completed"
        return run_id

    def continue_ahead(self, run_id: str, *commands: dict[str, object]) -> dict[str, Any]:
        """Completes the first activity of such a run, and continues it with these commands."""
        outcome, body = self.answer_ahead(run_id, *commands)
        assert outcome == "completed"
        continuation: dict[str, Any] = body["continuation"]
        return continuation

    def answer_ahead(self, run_id: str, *commands: dict[str, object]) -> tuple[str, dict[str, Any]]:
        """What the completion of the first activity of such a run gets."""
        ahead = {"basis_sequence": 3, "commands": json.dumps(commands)}
        activity = f"{run_id}:a1"
        ((outcome, body, _),) = self.call(
            "complete_activity",
            "default",
            activity,
            f"{activity}.1",
            self.worker,
            None,
            "digest",
            json.dumps({"continuation": ahead}),
        )
        return outcome, body

    def sticky_cache(self, claim: Claim) -> dict[str, object]:
        """What the worker says when it keeps a run in its cache."""
        return {
            "worker_id": self.worker,
            "workflow_id": self.workflow_of(claim.run_id),
            "run_id": claim.run_id,
            "build_id": REGISTRATION["sdk_version"],
            "ttl_seconds": 300,
            "hold_seconds": 60,
            "protocol_version": "1.20",
            "hit": 1,
            "miss": 2,
            "eviction": 3,
            "forced_cold_replay": 4,
        }

    def held(self, number: int) -> list[str]:
        """New runs in the cache of the worker, each with a workflow task that is held for it."""
        run_ids = [self.start() for _ in range(number)]
        for _ in run_ids:
            claim = self.claimed()
            assert self.complete(claim, TIMER, sticky=self.sticky_cache(claim)) == "completed"
        assert [self.signal(run_id) for run_id in run_ids] == ["signal_received"] * number
        return run_ids

    def cancel(self, run_id: str) -> str:
        """Cancel the workflow of a run."""
        ((outcome, _, _),) = self.call(
            "cancel_run", "default", self.workflow_of(run_id), None, None, None, "digest"
        )
        return outcome

    def signal(self, run_id: str, request_id: str | None = None) -> str:
        """Signal the workflow of a run."""
        ((outcome, _, _),) = self.call(
            "signal_run", "default", self.workflow_of(run_id), None, "go", None, request_id, "digest"
        )
        return outcome

    def begin(self, *commands: dict[str, object]) -> str:
        """A new run whose first workflow task was answered with these commands."""
        run_id = self.start()
        assert self.complete(self.claimed(), *commands) == "completed"
        return run_id

    def scalar(self, query: str, *arguments: object) -> Any:
        """The first column of the first row."""
        with self.connection.cursor() as cursor:
            cursor.execute(query, arguments)
            row = cursor.fetchone()
            return row and row[0]

    def workflow_of(self, run_id: str) -> str:
        """The workflow id of a run."""
        workflow_id: str = self.scalar("SELECT workflow_id FROM runs WHERE run_id = %s", run_id)
        return workflow_id

    def events(self, run_id: str) -> int:
        """How many events a run's history has."""
        number: int = self.scalar("SELECT COUNT(*) FROM history_events WHERE run_id = %s", run_id)
        return number

    def remove(self, run_id: str) -> None:
        """Take a run away, past every transition."""
        with self.connection.cursor() as cursor:
            for table in ("runs", *_TABLES_OF_RUNS):
                cursor.execute(f"DELETE FROM {table} WHERE run_id = %s", [run_id])

    def has_open_transaction(self) -> bool:
        """Whether this session is in a transaction, which could not be given another level then."""
        with self.connection.cursor() as cursor:
            try:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED")
            except pymysql.MySQLError as error:
                if error.args[0] != CANNOT_CHANGE_TRANSACTION:
                    raise
                return True
        return False
