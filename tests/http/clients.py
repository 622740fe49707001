"""Requests as a worker, an operator or an admin of a server under test."""

from __future__ import annotations

import uuid
from typing import Any

import httpx

from tests.engines.server import Server

PROTOCOL = {"X-Durable-Workflow-Protocol-Version": "1.20"}
CONTROL = {"X-Durable-Workflow-Control-Plane-Version": "2"}
ENVELOPE = {"codec": "avro", "blob": "wwHioz3/VYAiNwwCCgZBZGEA"}
MANIFEST = {
    name: {"supported": name in ("local_activities",), "minimum_protocol_version": "1.18"}
    for name in ("local_activities", "worker_sessions", "sticky_execution")
}


def unique(prefix: str) -> str:
    """An id that no other test uses."""
    return f"{prefix}-{uuid.uuid4().hex[:12]}"


def headers_of(server: Server, role: str) -> dict[str, str]:
    """The headers that the official SDK sends."""
    version = PROTOCOL if role == "worker" else CONTROL
    return {"Authorization": f"Bearer {server.tokens[role]}", "X-Namespace": "default", **version}


def client(server: Server, role: str, **headers: str) -> httpx.AsyncClient:
    """A client of the server whose requests have the headers of a role."""
    return httpx.AsyncClient(
        base_url=f"{server.url}/api",
        headers={**headers_of(server, role), **headers},
        timeout=30,
        verify=False,  # nothing here is TLS, and loading certificates takes longer than most tests
    )


def registration(worker_id: str, task_queue: str, **changes: Any) -> dict[str, Any]:
    """The body of a registration for workflow type `order` and activity type `charge`."""
    return {
        "worker_id": worker_id,
        "task_queue": task_queue,
        "runtime": "python",
        "supported_workflow_types": ["order"],
        "supported_activity_types": ["charge"],
        "capabilities": ["local_activities"],
        "capability_manifest": MANIFEST,
        **changes,
    }


async def register(worker: httpx.AsyncClient, worker_id: str, task_queue: str) -> None:
    """Register a worker."""
    answer = await worker.post("/worker/register", json=registration(worker_id, task_queue))
    assert answer.status_code == 201, answer.text


async def start(operator: httpx.AsyncClient, task_queue: str, **changes: Any) -> dict[str, Any]:
    """Start a workflow of type `order`."""
    body = {"workflow_id": unique("wf"), "workflow_type": "order", "task_queue": task_queue, **changes}
    answer = await operator.post("/workflows", json=body)
    assert answer.status_code == 201, answer.text
    started: dict[str, Any] = answer.json()
    return started


def poll_body(worker_id: str, task_queue: str, seconds: int) -> dict[str, Any]:
    """The body of a poll of either kind."""
    return {
        "worker_id": worker_id,
        "task_queue": task_queue,
        "poll_request_id": unique("poll"),
        "timeout_seconds": seconds,
    }
