"""The JSON documents that transitions read. Parts that only pass through are JSON texts in strings."""

from __future__ import annotations

import msgspec

_ABSENT = msgspec.Raw()


class Registration(msgspec.Struct):
    """What a worker says of itself."""

    runtime: str
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
    task_slots: str
    process_metrics: str
    stale_seconds: int
    protocol_version: str
    sdk_version: str | None = None
    build_id: str | None = None


class Start(msgspec.Struct):
    """How a workflow is started."""

    priority: int
    fairness_weight: int
    input: str | None = None
    memo: str | None = None
    search_attributes: str | None = None
    business_key: str | None = None
    execution_timeout_seconds: int | None = None
    run_timeout_seconds: int | None = None
    fairness_key: str | None = None
    build_id: str | None = None


class Poll(msgspec.Struct):
    """A poll that waits for a task; what has a default is for workflow tasks, but for `build_id`."""

    namespace: str
    worker_id: str
    task_queue: str
    poll_request_id: str
    lease_seconds: int
    page_size: int = 0
    sticky_execution: bool = False
    hold_seconds: int = 0
    polling_seconds: int = 0
    build_id: str | None = None


class CarriedPoll(Poll):
    """A poll that a completion carries; what is added is for activities."""

    history_after_sequence: int | None = None
    if_applied: bool = False


class Continuation(msgspec.Struct):
    """What a workflow does with the result of an activity."""

    basis_sequence: int
    commands: str
    sticky: str | None = None


class Carried(msgspec.Struct):
    """The parts that a completion carries."""

    workflow_poll: CarriedPoll | None = None
    activity_poll: CarriedPoll | None = None
    continuation: Continuation | None = None


class Command(msgspec.Struct):
    """A workflow command: `fields` are for its event, the other members depend on its type."""

    type: str
    fields: str | None = None
    group: str | None = None
    group_position: int | None = None
    group_base: int | None = None
    group_size: int | None = None
    activity_type: str = ""
    workflow_type: str | None = None
    task_queue: str = ""
    arguments: str | None = None
    retry_policy: str | None = None
    max_attempts: int | None = None
    backoff_seconds: msgspec.Raw = _ABSENT
    non_retryable_error_types: msgspec.Raw = _ABSENT
    schedule_to_start_timeout: int | None = None
    start_to_close_timeout: int | None = None
    schedule_to_close_timeout: int | None = None
    heartbeat_timeout: int | None = None
    delay_seconds: int = 0
    timeout_seconds: int | None = None
    outcome: str = ""
    outcome_fields: str | None = None
    output: str | None = None
    input: str | None = None


class StickyCache(msgspec.Struct):
    """That a worker keeps a run in its cache, and the totals that it reports of the cache."""

    worker_id: str
    workflow_id: str
    run_id: str
    build_id: str
    ttl_seconds: int
    hold_seconds: int
    protocol_version: msgspec.Raw
    hit: int
    miss: int
    eviction: int
    forced_cold_replay: int
    history_last_sequence: int | None = None


class TaskFailure(msgspec.Struct):
    """Why a workflow task was not answered."""

    type: str | None = None


class ActivityFailure(msgspec.Struct):
    """Why an activity attempt failed; `fields` are for its event."""

    non_retryable: bool
    fields: str
    type: str | None = None


registrations = msgspec.json.Decoder(Registration)
starts = msgspec.json.Decoder(Start)
polls = msgspec.json.Decoder(list[Poll])
carried_parts = msgspec.json.Decoder(Carried)
commands = msgspec.json.Decoder(list[Command])
sticky_caches = msgspec.json.Decoder(StickyCache)
task_failures = msgspec.json.Decoder(TaskFailure)
activity_failures = msgspec.json.Decoder(ActivityFailure)
raw_lists = msgspec.json.Decoder(list[msgspec.Raw])
text_lists = msgspec.json.Decoder(list[str])
text_pairs = msgspec.json.Decoder(list[tuple[str, str]])
watched_runs = msgspec.json.Decoder(list[tuple[str, int]])
number_lists = msgspec.json.Decoder(list[int])
text_maps = msgspec.json.Decoder(dict[str, str])


def text_of(part: msgspec.Raw) -> str | None:
    """A part of a document as it stands there; None when it was left out."""
    return str(part, "utf-8") or None
