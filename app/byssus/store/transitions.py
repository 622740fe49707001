"""The transitions: their names, where their files lie, and their parameters, in order.

One row here is one file `procedures/<dialect>/<folder>/<name>.sql`, one database routine `<name>` and one
module `byssus/store/sqlite/<folder>/<name>.py`. Tests compare this table with all three.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ParameterType = Literal["text", "integer", "json"]
Folder = Literal["workers", "runs", "messages", "workflow_tasks", "activities", "maintenance"]


@dataclass(frozen=True, slots=True)
class Transition:
    """A callable routine. `reads_only` ones change nothing and may run beside the writer."""

    folder: Folder
    name: str
    parameters: tuple[tuple[str, ParameterType], ...]
    reads_only: bool = False


def _transition(folder: Folder, name: str, parameters: str, *, reads_only: bool = False) -> Transition:
    """Parse `"name:type name:type ..."`; a parameter without a type is text."""
    parsed: list[tuple[str, ParameterType]] = []
    for word in parameters.split():
        parameter, _, kind = word.partition(":")
        parsed.append((parameter, "integer" if kind == "integer" else "json" if kind == "json" else "text"))
    return Transition(folder, name, tuple(parsed), reads_only)


REGISTER_WORKER = _transition(
    "workers", "register_worker", "namespace worker_id task_queue registration:json"
)
HEARTBEAT_WORKER = _transition(
    "workers",
    "heartbeat_worker",
    "namespace worker_id task_slots:json process_metrics:json stale_seconds:integer",
)
DEREGISTER_WORKER = _transition(
    "workers", "deregister_worker", "namespace worker_id registration_token receipt_seconds:integer"
)
RECORD_POLLS = _transition("workers", "record_polls", "polls:json polling_seconds:integer")

START_RUN = _transition(
    "runs",
    "start_run",
    "namespace workflow_id workflow_type task_queue duplicate_policy request_id digest start:json",
)
DESCRIBE_RUN = _transition("runs", "describe_run", "namespace workflow_id run_id", reads_only=True)
LIST_RUNS = _transition(
    "runs",
    "list_runs",
    "namespace workflow_type status_bucket page_size:integer page_token",
    reads_only=True,
)
LIST_WORKFLOW_RUNS = _transition(
    "runs",
    "list_workflow_runs",
    "namespace workflow_id after_number:integer page_size:integer",
    reads_only=True,
)
EXPORT_RUN = _transition("runs", "export_run", "namespace workflow_id run_id", reads_only=True)
READ_HISTORY = _transition(
    "runs",
    "read_history",
    "namespace workflow_id run_id after_sequence:integer page_size:integer",
    reads_only=True,
)
CANCEL_RUN = _transition("runs", "cancel_run", "namespace workflow_id run_id reason request_id digest")
TERMINATE_RUN = _transition("runs", "terminate_run", "namespace workflow_id run_id reason request_id digest")

SIGNAL_RUN = _transition(
    "messages", "signal_run", "namespace workflow_id run_id signal_name input:json request_id digest"
)

CLAIM_WORKFLOW_TASK = _transition("workflow_tasks", "claim_workflow_task", "polls:json")
READ_HISTORY_PAGE = _transition(
    "workflow_tasks",
    "read_history_page",
    "namespace task_id lease_owner attempt:integer after_sequence:integer page_size:integer",
)
HEARTBEAT_WORKFLOW_TASK = _transition(
    "workflow_tasks",
    "heartbeat_workflow_task",
    "namespace task_id lease_owner attempt:integer lease_seconds:integer",
)
COMPLETE_WORKFLOW_TASK = _transition(
    "workflow_tasks",
    "complete_workflow_task",
    "namespace task_id lease_owner attempt:integer commands:json digest sticky:json carried:json",
)
FAIL_WORKFLOW_TASK = _transition(
    "workflow_tasks",
    "fail_workflow_task",
    "namespace task_id lease_owner attempt:integer failure:json digest",
)
RELEASE_WORKFLOW_TASK = _transition(
    "workflow_tasks", "release_workflow_task", "namespace task_id lease_owner attempt:integer"
)

CLAIM_ACTIVITY_TASK = _transition("activities", "claim_activity_task", "polls:json")
HEARTBEAT_ACTIVITY = _transition(
    "activities",
    "heartbeat_activity",
    "namespace task_id activity_attempt_id lease_owner details:json lease_seconds:integer",
)
COMPLETE_ACTIVITY = _transition(
    "activities",
    "complete_activity",
    "namespace task_id activity_attempt_id lease_owner result:json digest carried:json",
)
FAIL_ACTIVITY = _transition(
    "activities",
    "fail_activity",
    "namespace task_id activity_attempt_id lease_owner failure:json digest",
)
RELEASE_ACTIVITY_TASK = _transition(
    "activities", "release_activity_task", "namespace task_id activity_attempt_id lease_owner"
)

FIRE_DUE_TIMERS = _transition("maintenance", "fire_due_timers", "batch_size:integer")
EXPIRE_LEASES = _transition("maintenance", "expire_leases", "batch_size:integer")
ENFORCE_TIMEOUTS = _transition("maintenance", "enforce_timeouts", "batch_size:integer")
PRUNE_RECEIPTS = _transition("maintenance", "prune_receipts", "batch_size:integer receipt_seconds:integer")
PROBE_WAKEUPS = _transition(
    "maintenance", "probe_wakeups", "queues:json runs:json hold_seconds:integer", reads_only=True
)
READ_STICKY_METRICS = _transition("maintenance", "read_sticky_metrics", "", reads_only=True)
READ_SCHEMA_STATE = _transition("maintenance", "read_schema_state", "", reads_only=True)

TRANSITIONS: tuple[Transition, ...] = tuple(
    value for value in list(globals().values()) if isinstance(value, Transition)
)
