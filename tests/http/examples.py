"""One well-formed request for each endpoint of the table. The things they name do not exist."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import httpx

from byssus.http.endpoints import ENDPOINTS, Endpoint
from tests.http.clients import ENVELOPE, registration

PATH = {
    "worker_id": "nobody",
    "task_id": "00000000-0000-7000-8000-000000000000:k1",
    "workflow_id": "nowhere",
    "run_id": "00000000-0000-7000-8000-000000000000",
    "signal_name": "paid",
}
ATTEMPT = {"activity_attempt_id": "00000000-0000-7000-8000-000000000000:a1.1", "lease_owner": "nobody"}
FENCE = {"lease_owner": "nobody", "workflow_task_attempt": 1}
POLL = {"worker_id": "nobody", "task_queue": "q", "poll_request_id": "p", "timeout_seconds": 0}


@dataclass(frozen=True)
class Example:
    """A body with every member that is checked; `required` are those that must be there.

    `unknown` is the reason of the refusal that the example gets as it is, None when it succeeds.
    """

    body: dict[str, Any] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    unknown: str | None = None


EXAMPLES: dict[str, Example] = {
    "health": Example(),
    "ready": Example(),
    "schema": Example(),
    "cluster_info": Example(),
    "metrics": Example(),
    "operator_metrics": Example(),
    "register_worker": Example(
        registration(
            "examples",
            "q",
            sdk_version="1",
            build_id="b",
            workflow_definition_fingerprints={"order": "sha256:1"},
            workflow_command_contracts={"order": {"signals": ["paid"]}},
            max_concurrent_workflow_tasks=1,
            max_concurrent_activity_tasks=1,
            max_concurrent_worker_sessions=1,
            task_slots={"workflow_available": 1},
            process_metrics={"host": "h"},
        ),
        ("worker_id", "task_queue", "runtime", "capability_manifest"),
    ),
    "heartbeat_worker": Example(
        {"worker_id": "nobody", "task_slots": {"workflow_available": 1}, "process_metrics": {"host": "h"}},
        ("worker_id",),
        "worker_not_registered",
    ),
    "deregister_worker": Example(
        {"registration_token": "0" * 32}, ("registration_token",), "worker_registration_token_not_found"
    ),
    "poll_workflow_task": Example(
        {**POLL, "history_page_size": 10, "build_id": "b"},
        ("worker_id", "task_queue"),
        "worker_not_registered",
    ),
    "read_workflow_task_history": Example(
        {**FENCE, "next_history_page_token": "MA=="},
        ("lease_owner", "workflow_task_attempt"),
        "task_not_found",
    ),
    "heartbeat_workflow_task": Example(FENCE, ("lease_owner", "workflow_task_attempt"), "task_not_found"),
    "complete_workflow_task": Example(
        {
            **FENCE,
            "commands": [{"type": "start_timer", "delay_seconds": 1}],
            "sticky_cache": {
                "worker_id": "nobody",
                "workflow_id": "nowhere",
                "run_id": PATH["run_id"],
                "build_id": "b",
                "ttl_seconds": 300,
                "metrics": {"hit": 1, "miss": 1, "eviction": 0, "forced_cold_replay": 0},
                "history_last_sequence": 1,
            },
            "workflow_poll": {**POLL, "history_page_size": 10, "build_id": "b"},
            "activity_poll": {**POLL, "history_after_sequence": 1},
        },
        ("lease_owner", "workflow_task_attempt", "commands"),
        "task_not_found",
    ),
    "fail_workflow_task": Example(
        {**FENCE, "failure": {"message": "m", "type": "t", "reason": "r"}},
        ("lease_owner", "workflow_task_attempt", "failure"),
        "task_not_found",
    ),
    "poll_activity_task": Example(
        {**POLL, "build_id": "b"}, ("worker_id", "task_queue"), "worker_not_registered"
    ),
    "complete_activity_task": Example(
        {
            **ATTEMPT,
            "result": ENVELOPE,
            "workflow_poll": POLL,
            "continuation": {
                "basis_sequence": 1,
                "commands": [{"type": "start_timer", "delay_seconds": 1}],
                "activity_poll": {**POLL, "history_after_sequence": 1},
            },
        },
        ("activity_attempt_id", "lease_owner"),
        "attempt_not_found",
    ),
    "fail_activity_task": Example(
        {
            **ATTEMPT,
            "failure": {
                "message": "m",
                "type": "t",
                "class": "c",
                "code": 1,
                "stack_trace": "s",
                "non_retryable": True,
                "details": ENVELOPE,
            },
        },
        ("activity_attempt_id", "lease_owner", "failure"),
        "attempt_not_found",
    ),
    "heartbeat_activity_task": Example(
        {**ATTEMPT, "details": {"done": 1}}, ("activity_attempt_id", "lease_owner"), "attempt_not_found"
    ),
    "start": Example(
        {
            "workflow_id": "example",
            "workflow_type": "order",
            "task_queue": "nobody-polls-this",
            "input": ENVELOPE,
            "payload_codec": "avro",
            "request_id": "example",
            "business_key": "k",
            "memo": {"note": "n"},
            "search_attributes": {"city": "Kotor"},
            "duplicate_policy": "fail",
            "execution_timeout_seconds": 3600,
            "run_timeout_seconds": 600,
            "priority": 5,
            "fairness_key": "f",
            "fairness_weight": 1,
            "build_id": "b",
            "compatibility": "b",
        },
        ("workflow_type",),
    ),
    "list": Example(),
    "describe": Example(unknown="instance_not_found"),
    "describe_run": Example(unknown="instance_not_found"),
    "list_runs": Example(unknown="instance_not_found"),
    "history": Example(unknown="instance_not_found"),
    "export_history": Example(unknown="instance_not_found"),
    "signal": Example({"input": ENVELOPE, "request_id": "r"}, unknown="instance_not_found"),
    "cancel": Example({"reason": "why", "request_id": "r"}, unknown="instance_not_found"),
    "terminate": Example({"reason": "why", "request_id": "r"}, unknown="instance_not_found"),
}

TAKES_TOKEN = [endpoint for endpoint in ENDPOINTS if endpoint.plane != "open"]
TAKES_VERSION = [endpoint for endpoint in ENDPOINTS if endpoint.plane in ("worker", "control")]
TAKES_BODY = [endpoint for endpoint in ENDPOINTS if endpoint.request is not None]
NAMES_SOMETHING = [endpoint for endpoint in ENDPOINTS if EXAMPLES[endpoint.operation].unknown]


def name_of(value: object) -> str | None:
    """How a parametrised test shows an endpoint."""
    return f"{value.method} {value.path}" if isinstance(value, Endpoint) else None


def url_of(asking: httpx.AsyncClient, endpoint: Endpoint, **changes: str) -> str:
    """The endpoint's URL on the client's server, its parameters filled in."""
    server = str(asking.base_url).removesuffix("/api/")
    return server + endpoint.path.format(**{**PATH, **changes})


def role_of(endpoint: Endpoint) -> str:
    """A role that may use the endpoint, on the right plane."""
    return "worker" if endpoint.plane == "worker" else "operator"


def body_of(endpoint: Endpoint) -> dict[str, Any] | None:
    """The example's body, None for endpoints without one."""
    return EXAMPLES[endpoint.operation].body if endpoint.request is not None else None
