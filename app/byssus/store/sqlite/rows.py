"""Rows, with the columns of their tables in order, so that `select *` fills them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Registration:
    """A row of worker_registrations; lists and documents are JSON texts."""

    namespace: str
    worker_id: str
    registration_token: str
    task_queue: str
    runtime: str
    sdk_version: str | None
    build_id: str | None
    protocol_version: str
    workflow_types: str
    activity_types: str
    workflow_definition_fingerprints: str
    workflow_command_contracts: str
    capabilities: str
    capability_manifest: str
    sticky_execution: bool
    sticky_history_suffix: bool
    merged_transitions: bool
    max_concurrent_workflow_tasks: int
    max_concurrent_activity_tasks: int
    max_concurrent_worker_sessions: int
    registered_at: str

    @property
    def build(self) -> str | None:
        """What stands for the program that the worker runs: its build id, or its SDK's version."""
        return self.sdk_version if self.build_id is None else self.build_id


@dataclass(slots=True)
class Incarnation:
    """A row of worker_incarnations."""

    registration_token: str
    namespace: str
    worker_id: str
    status: str
    recovered_workflow_task_count: int
    finished_at: str | None


@dataclass(slots=True)
class Workflow:
    """A row of workflows."""

    namespace: str
    workflow_id: str
    workflow_type: str
    first_run_id: str
    current_run_id: str
    run_count: int
    start_request_id: str | None
    start_digest: str | None


@dataclass(slots=True, kw_only=True)
class NewRun:
    """What a run is made of, its history still empty."""

    run_id: str
    namespace: str
    workflow_id: str
    run_number: int
    first_run_id: str
    workflow_type: str
    task_queue: str
    build_id: str | None
    priority: int
    fairness_key: str | None
    fairness_weight: int
    business_key: str | None
    continued_from_run_id: str | None
    execution_timeout_seconds: int | None
    run_timeout_seconds: int | None
    execution_deadline_at: str | None
    run_deadline_at: str | None


@dataclass(slots=True)
class Run:
    """A row of runs."""

    run_id: str
    namespace: str
    workflow_id: str
    run_number: int
    first_run_id: str
    workflow_type: str
    task_queue: str
    build_id: str | None
    priority: int
    fairness_key: str | None
    fairness_weight: int
    business_key: str | None
    status: str
    status_bucket: str
    closed_reason: str | None
    last_history_sequence: int
    history_size_bytes: int
    last_authored_position: int
    applied_through_sequence: int
    has_answered_task: bool
    open_wait_position: int | None
    open_wait_fields: str | None
    open_wait_has_news: bool
    continued_from_run_id: str | None
    continued_to_run_id: str | None
    execution_timeout_seconds: int | None
    run_timeout_seconds: int | None
    execution_deadline_at: str | None
    run_deadline_at: str | None
    deadline_at: str | None
    started_at: str
    last_progress_at: str
    closed_at: str | None


@dataclass(slots=True)
class RunPayloads:
    """A row of run_payloads: JSON texts."""

    run_id: str
    input: str | None
    output: str | None
    memo: str | None
    search_attributes: str | None


@dataclass(slots=True)
class WorkflowTask:
    """A row of workflow_tasks."""

    run_id: str
    task_number: int
    namespace: str
    task_queue: str
    workflow_type: str
    build_id: str | None
    priority: int
    status: str
    available_at: str
    attempt: int
    failure_count: int
    last_failure: str | None
    lease_owner: str | None
    lease_expires_at: str | None
    registration_token: str | None
    poll_request_id: str | None
    sticky_worker_id: str | None
    sticky_registration_token: str | None
    sticky_until: str | None
    held_until: str
    sticky_replay_mode: str | None
    sticky_claimed_at: str | None
    after_sequence: int | None
    claimed_sequence: int | None
    delivered_sequence: int | None


@dataclass(slots=True)
class Affinity:
    """A row of affinities."""

    run_id: str
    namespace: str
    sticky_worker_id: str
    registration_token: str
    build_id: str
    sticky_until: str
    hold_seconds: int
    reported_sequence: int | None
    history_size_bytes: int
    delivered_sequence: int


@dataclass(slots=True)
class Activity:
    """A row of activities; lists and documents are JSON texts."""

    run_id: str
    position: int
    namespace: str
    activity_type: str
    task_queue: str
    build_id: str | None
    priority: int
    status: str
    available_at: str
    attempt_number: int
    lease_owner: str | None
    lease_expires_at: str | None
    registration_token: str | None
    poll_request_id: str | None
    started_at: str | None
    last_heartbeat_at: str | None
    heartbeat_details: str | None
    arguments: str | None
    retry_policy: str | None
    max_attempts: int | None
    backoff_seconds: str
    non_retryable_error_types: str
    schedule_to_start_timeout: int | None
    start_to_close_timeout: int | None
    heartbeat_timeout: int | None
    schedule_to_close_deadline_at: str | None
    timeout_at: str | None
    group_members: str
    group_base: int | None
    group_size: int | None
    closed_at: str | None


@dataclass(slots=True)
class Timer:
    """A row of timers."""

    run_id: str
    position: int
    kind: str
    fire_at: str
    event_members: str
    group_base: int | None
    group_size: int | None


@dataclass(slots=True)
class Receipt:
    """A row of receipts."""

    run_id: str
    subject: str
    caller: str
    digest: str
    outcome: str
    body: str
    recorded_at: str
