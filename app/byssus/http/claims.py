"""What polls ask for, as the claims of the store read it."""

from __future__ import annotations

import uuid
from typing import Annotated, Any

import msgspec

from byssus.http.call import Call
from byssus.http.documents import present
from byssus.http.validation import Identifier

DEFAULT_HISTORY_PAGE = 500
LARGEST_HISTORY_PAGE = 1000

_PollSeconds = Annotated[int, msgspec.Meta(ge=0, le=60)]
_PageSize = Annotated[int, msgspec.Meta(ge=1, le=2_147_483_647)]


class PollWorkflowTask(msgspec.Struct):
    """Body of a poll for a workflow task."""

    worker_id: Identifier
    task_queue: Identifier
    poll_request_id: Identifier | None = None
    timeout_seconds: _PollSeconds | None = None
    history_page_size: _PageSize | None = None
    build_id: Identifier | None = None


class PollActivityTask(msgspec.Struct):
    """Body of a poll for an activity."""

    worker_id: Identifier
    task_queue: Identifier
    poll_request_id: Identifier | None = None
    timeout_seconds: _PollSeconds | None = None
    build_id: Identifier | None = None


def workflow_claim(call: Call[Any], poll: PollWorkflowTask) -> dict[str, object]:
    """One element of the polls that claim_workflow_task reads."""
    return present(
        {
            "namespace": call.namespace,
            "worker_id": poll.worker_id,
            "task_queue": poll.task_queue,
            "build_id": poll.build_id,
            "poll_request_id": poll.poll_request_id or f"poll-{uuid.uuid4().hex}",
            "page_size": min(poll.history_page_size or DEFAULT_HISTORY_PAGE, LARGEST_HISTORY_PAGE),
            "lease_seconds": call.settings.workflow_task_timeout,
            "sticky_execution": call.settings.sticky_execution_enabled,
            "hold_seconds": call.settings.sticky_hold_seconds,
            "polling_seconds": call.settings.sticky_poller_seconds,
        }
    )


def activity_claim(call: Call[Any], poll: PollActivityTask) -> dict[str, object]:
    """One element of the polls that claim_activity_task reads."""
    return present(
        {
            "namespace": call.namespace,
            "worker_id": poll.worker_id,
            "task_queue": poll.task_queue,
            "build_id": poll.build_id,
            "poll_request_id": poll.poll_request_id or f"poll-{uuid.uuid4().hex}",
            "lease_seconds": call.settings.activity_task_timeout,
        }
    )
