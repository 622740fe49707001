"""What is answered when the database is contended or away.

Nothing may be claimed that is not known: under contention nothing was recorded; after a broken connection the
outcome is unknown. Answers repeat the identity of the request, so that a worker can repeat it unchanged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

Fault = Literal["backend_lock_pressure", "backend_unavailable"]

_IDENTITY = (
    "worker_id",
    "task_queue",
    "poll_request_id",
    "lease_owner",
    "workflow_task_attempt",
    "activity_attempt_id",
    "registration_token",
)
_TASK_KINDS = {"poll_workflow_task": "workflow_task", "poll_activity_task": "activity_task"}
_RETRY = {"retryable": True, "retry_after_seconds": 1}


def identity_of(path: Mapping[str, str], body: Any) -> dict[str, object]:
    """The ids that a request carries."""
    identity: dict[str, object] = dict(path)
    for name in _IDENTITY:
        value = getattr(body, name, None)
        if value is not None:
            identity[name] = value
    return identity


def worker_fault(
    fault: Fault, operation: str, identity: Mapping[str, object], namespace: str, engine: str
) -> tuple[int, dict[str, object]]:
    """HTTP status and members of a worker-plane answer."""
    members: dict[str, object] = {**_RETRY, **identity, "operation": operation}
    if operation in _TASK_KINDS:
        members |= {
            "task": None,
            "poll_status": fault,
            "namespace": namespace,
            "task_kind": _TASK_KINDS[operation],
            "retry_same_poll_request_id": True,
        }
    if fault == "backend_unavailable":
        if operation == "heartbeat_workflow_task":
            members |= {"worker_id": identity.get("lease_owner"), "task_queue": None}
        return 503, members | {"outcome": "unknown"}
    members["backend"] = {"driver": engine, "lock_pressure": True}
    match operation:
        case "poll_workflow_task" | "poll_activity_task":
            return 503, members
        case "register_worker":
            return 503, members | {"registered": False}
        case "heartbeat_worker":
            return 200, members | {"acknowledged": False}
        case "heartbeat_workflow_task":
            nothing = {"lease_expires_at": None, "run_status": None, "task_status": None}
            return 200, members | {"renewed": False} | nothing
        case "heartbeat_activity_task":
            nothing = {"lease_expires_at": None, "last_heartbeat_at": None}
            going_on = {"cancel_requested": False, "can_continue": True, "heartbeat_recorded": False}
            return 200, members | going_on | nothing
        case "deregister_worker":
            return 503, members | {"outcome": "unknown"}
        case _:
            return 503, members | {"outcome": "deferred", "recorded": False}


def control_fault(fault: Fault, error_id: str, engine: str) -> dict[str, object]:
    """Members of a control-plane answer."""
    backend = {"driver": engine, "lock_pressure": fault == "backend_lock_pressure"}
    return {**_RETRY, "error_id": error_id, "backend": backend}
