"""The official SDK has to recognise what it is answered when the database is contended or away."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from durable_workflow.errors import ServerError
from durable_workflow.retry_policy import _backend_unavailable_refusal
from durable_workflow.worker import _backend_lock_poll_delay

from byssus.http.pressure import worker_fault

WORKER_BODY = {"worker_id": "w", "task_queue": "q"}
POLL_BODY = {**WORKER_BODY, "poll_request_id": "p-1", "timeout_seconds": 35}
TASK_HEARTBEAT_BODY = {"lease_owner": "w", "workflow_task_attempt": 3}


@pytest.mark.parametrize(
    ("path", "operation", "path_ids", "body"),
    [
        ("/api/worker/workflow-tasks/poll", "poll_workflow_task", {}, POLL_BODY),
        ("/api/worker/activity-tasks/poll", "poll_activity_task", {}, POLL_BODY),
        ("/api/worker/register", "register_worker", {}, WORKER_BODY),
        ("/api/worker/heartbeat", "heartbeat_worker", {}, {"worker_id": "w"}),
        (
            "/api/worker/workflow-tasks/r:k1/heartbeat",
            "heartbeat_workflow_task",
            {"task_id": "r:k1"},
            TASK_HEARTBEAT_BODY,
        ),
    ],
)
def test_the_sdk_waits_while_the_database_is_away(
    path: str, operation: str, path_ids: dict[str, str], body: dict[str, Any]
) -> None:
    status, members = worker_fault(
        "backend_unavailable", operation, {**path_ids, **body}, "default", "sqlite"
    )
    request = httpx.Request(
        "POST",
        f"http://server{path}",
        headers={"X-Durable-Workflow-Protocol-Version": "1.20"},
        content=json.dumps(body),
    )
    response = httpx.Response(status, json={"reason": "backend_unavailable", **members}, request=request)
    error = httpx.HTTPStatusError("refused", request=request, response=response)
    assert _backend_unavailable_refusal(error) == (True, 1)


@pytest.mark.parametrize("kind", ["workflow", "activity"])
def test_the_sdk_repeats_a_poll_that_met_contention(kind: str) -> None:
    status, members = worker_fault(
        "backend_lock_pressure", f"poll_{kind}_task", POLL_BODY, "default", "sqlite"
    )
    error = ServerError(status, {"reason": "backend_lock_pressure", **members})
    assert _backend_lock_poll_delay(error, kind, "q", "default") == 1


@pytest.mark.parametrize("fault", ["backend_lock_pressure", "backend_unavailable"])
def test_the_sdk_repeats_a_fenced_deregistration(fault: Any) -> None:
    token = "0" * 32
    identity = {"worker_id": "w", "registration_token": token}
    status, members = worker_fault(fault, "deregister_worker", identity, "default", "sqlite")
    error = ServerError(status, {"reason": fault, **members})
    assert error.worker_deregistration_retry_delay("w", token) == 1


def test_a_heartbeat_under_contention_lets_the_activity_go_on() -> None:
    identity = {"task_id": "t", "activity_attempt_id": "a", "lease_owner": "w"}
    status, members = worker_fault(
        "backend_lock_pressure", "heartbeat_activity_task", identity, "default", "sqlite"
    )
    assert status == 200
    assert members["can_continue"] is True
    assert members["cancel_requested"] is False
    assert members["heartbeat_recorded"] is False


def test_other_mutations_say_that_nothing_was_recorded() -> None:
    identity = {"task_id": "t", "lease_owner": "w", "workflow_task_attempt": 2}
    status, members = worker_fault(
        "backend_lock_pressure", "complete_workflow_task", identity, "default", "sqlite"
    )
    assert status == 503
    assert members["outcome"] == "deferred"
    assert members["recorded"] is False
    assert members.items() >= identity.items()
