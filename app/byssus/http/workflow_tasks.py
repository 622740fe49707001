"""Workflow tasks: polled, answered, failed, kept alive and read on."""

from __future__ import annotations

import uuid
from typing import Annotated, Any

import msgspec

from byssus.errors import invalid
from byssus.http.call import Call
from byssus.http.commands import normalise, without_nul
from byssus.http.documents import digest, document, present
from byssus.http.page_tokens import sequence_of
from byssus.http.validation import Attempt, Identifier
from byssus.store import Arguments

DEFAULT_HISTORY_PAGE = 500
LARGEST_HISTORY_PAGE = 1000

_Total = Annotated[int, msgspec.Meta(ge=0, le=9_007_199_254_740_991)]
_Ttl = Annotated[int, msgspec.Meta(ge=1, le=3600)]
_Sequence = Annotated[int, msgspec.Meta(ge=1, le=2_147_483_647)]
PollSeconds = Annotated[int, msgspec.Meta(ge=0, le=60)]
_PageSize = Annotated[int, msgspec.Meta(ge=1, le=2_147_483_647)]


class PollWorkflowTask(msgspec.Struct):
    """Body of a poll."""

    worker_id: Identifier
    task_queue: Identifier
    poll_request_id: Identifier | None = None
    timeout_seconds: PollSeconds | None = None
    history_page_size: _PageSize | None = None
    build_id: Identifier | None = None


class StickyMetrics(msgspec.Struct):
    """Totals that a worker reports of its history cache."""

    hit: _Total = 0
    miss: _Total = 0
    eviction: _Total = 0
    forced_cold_replay: _Total = 0


class StickyCache(msgspec.Struct):
    """That the worker keeps the run in its cache, until the TTL is over or it says something else."""

    worker_id: Identifier
    workflow_id: Identifier
    run_id: Identifier
    build_id: Identifier
    ttl_seconds: _Ttl | None = None
    metrics: StickyMetrics | None = None
    history_last_sequence: _Sequence | None = None


class CompleteWorkflowTask(msgspec.Struct):
    """Body of a completion."""

    lease_owner: Identifier
    workflow_task_attempt: Attempt
    commands: list[msgspec.Raw]
    message_stream_cursors: list[msgspec.Raw] | None = None
    message_stream_waits: list[msgspec.Raw] | None = None
    sticky_cache: StickyCache | None = None


class TaskFailure(msgspec.Struct):
    """Why a workflow task failed."""

    message: str
    type: str | None = None
    reason: str | None = None


class FailWorkflowTask(msgspec.Struct):
    """Body of a failure."""

    lease_owner: Identifier
    workflow_task_attempt: Attempt
    failure: TaskFailure


class HeartbeatWorkflowTask(msgspec.Struct):
    """Body of a heartbeat."""

    lease_owner: Identifier
    workflow_task_attempt: Attempt


class ReadHistoryPage(msgspec.Struct):
    """Body of a request for the next page of history."""

    lease_owner: Identifier
    workflow_task_attempt: Attempt
    next_history_page_token: str | None = None


def poll_document(call: Call[PollWorkflowTask]) -> str:
    """One element of the polls that claim_workflow_task reads."""
    body = call.body
    poll: dict[str, object] = {
        "namespace": call.namespace,
        "worker_id": body.worker_id,
        "task_queue": body.task_queue,
        "build_id": body.build_id,
        "poll_request_id": body.poll_request_id or f"poll-{uuid.uuid4().hex}",
        "page_size": min(body.history_page_size or DEFAULT_HISTORY_PAGE, LARGEST_HISTORY_PAGE),
        "lease_seconds": call.settings.workflow_task_timeout,
        "sticky_execution": call.settings.sticky_execution_enabled,
        "hold_seconds": call.settings.sticky_hold_seconds,
        "polling_seconds": call.settings.sticky_poller_seconds,
    }
    return document(present(poll), "body")


def complete(call: Call[CompleteWorkflowTask]) -> Arguments:
    """Arguments of complete_workflow_task."""
    if call.body.message_stream_cursors:
        raise invalid("message_stream_cursors", "is not supported by this server")
    if call.body.message_stream_waits:
        raise invalid("message_stream_waits", "is not supported by this server")
    commands = normalise(call.body.commands)
    cache = call.body.sticky_cache
    return {
        **_fence(call),
        "commands": commands,
        "digest": digest(commands) if cache is None else digest(commands, _said(cache)),
        "sticky": None if cache is None else _sticky(call, cache),
    }


def _said(cache: StickyCache) -> str:
    """What tells a completion from another: without totals, which move on until it is repeated."""
    return document(
        present(
            {
                "worker_id": cache.worker_id,
                "workflow_id": cache.workflow_id,
                "run_id": cache.run_id,
                "build_id": cache.build_id,
                "ttl_seconds": cache.ttl_seconds,
                "history_last_sequence": cache.history_last_sequence,
            }
        ),
        "sticky_cache",
    )


def _sticky(call: Call[CompleteWorkflowTask], cache: StickyCache) -> str | None:
    """What complete_workflow_task reads of the worker's cache; None while sticky execution is off."""
    if not call.settings.sticky_execution_enabled:
        return None
    totals = cache.metrics or StickyMetrics()
    return document(
        present(
            {
                "worker_id": cache.worker_id,
                "workflow_id": cache.workflow_id,
                "run_id": cache.run_id,
                "build_id": cache.build_id,
                "ttl_seconds": cache.ttl_seconds or call.settings.sticky_execution_ttl_seconds,
                "history_last_sequence": cache.history_last_sequence,
                "hold_seconds": call.settings.sticky_hold_seconds,
                "protocol_version": call.protocol_version,
                "hit": totals.hit,
                "miss": totals.miss,
                "eviction": totals.eviction,
                "forced_cold_replay": totals.forced_cold_replay,
            }
        ),
        "sticky_cache",
    )


def fail(call: Call[FailWorkflowTask]) -> Arguments:
    """Arguments of fail_workflow_task."""
    given = call.body.failure
    failure = document(
        present(
            {
                "type": given.type and without_nul(given.type),
                "message": without_nul(given.message),
                "reason": given.reason and without_nul(given.reason),
            }
        ),
        "failure",
    )
    return {**_fence(call), "failure": failure, "digest": digest(failure)}


def heartbeat(call: Call[HeartbeatWorkflowTask]) -> Arguments:
    """Arguments of heartbeat_workflow_task."""
    return {**_fence(call), "lease_seconds": call.settings.workflow_task_timeout}


def read_history_page(call: Call[ReadHistoryPage]) -> Arguments:
    """Arguments of read_history_page."""
    return {
        **_fence(call),
        "after_sequence": sequence_of(call.body.next_history_page_token),
        "page_size": DEFAULT_HISTORY_PAGE,
    }


def _fence(call: Call[Any]) -> dict[str, str | int | None]:
    return {
        "namespace": call.namespace,
        "task_id": call.path["task_id"],
        "lease_owner": call.body.lease_owner,
        "attempt": call.body.workflow_task_attempt,
    }
