"""Workflow tasks: polled, answered, failed, kept alive and read on."""

from __future__ import annotations

from typing import Any

import msgspec

from byssus.errors import invalid
from byssus.http.call import Call
from byssus.http.carried import CarriedActivityPoll, carried
from byssus.http.claims import DEFAULT_HISTORY_PAGE, PollWorkflowTask
from byssus.http.commands import normalise
from byssus.http.commands.members import without_nul
from byssus.http.documents import digest, document, present
from byssus.http.page_tokens import sequence_of
from byssus.http.sticky_cache import StickyCache, said, sticky_document
from byssus.http.validation import Attempt, Identifier
from byssus.store import Arguments


class CompleteWorkflowTask(msgspec.Struct):
    """Body of a completion."""

    lease_owner: Identifier
    workflow_task_attempt: Attempt
    commands: list[msgspec.Raw]
    message_stream_cursors: list[msgspec.Raw] | None = None
    message_stream_waits: list[msgspec.Raw] | None = None
    sticky_cache: StickyCache | None = None
    workflow_poll: PollWorkflowTask | None = None
    activity_poll: CarriedActivityPoll | None = None


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


def complete(call: Call[CompleteWorkflowTask]) -> Arguments:
    """Arguments of complete_workflow_task."""
    if call.body.message_stream_cursors:
        raise invalid("message_stream_cursors", "is not supported by this server")
    if call.body.message_stream_waits:
        raise invalid("message_stream_waits", "is not supported by this server")
    commands = normalise(call.body.commands)
    cache = call.body.sticky_cache
    parts = carried(call, call.body.workflow_poll, call.body.activity_poll)
    kept = () if cache is None else (said(cache),)
    return {
        **_fence(call),
        "commands": commands,
        "digest": digest(commands, *kept, *parts.digests),
        "sticky": sticky_document(call, cache),
        "carried": parts.document,
    }


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
