"""Activity tasks: polled, completed, failed and kept alive."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from byssus.errors import invalid
from byssus.http.call import Call
from byssus.http.carried import CarriedActivityPoll, Continuation, carried
from byssus.http.claims import PollWorkflowTask
from byssus.http.commands.members import without_nul
from byssus.http.documents import digest, document, present, text_of, verbatim
from byssus.http.validation import Identifier
from byssus.payloads import PayloadError, check_envelope, is_absent
from byssus.store import Arguments

_ABSENT: Any = msgspec.field(default_factory=msgspec.Raw)
_Code = Annotated[int, msgspec.Meta(ge=-9_223_372_036_854_775_808, le=9_223_372_036_854_775_807)]


class CompleteActivity(msgspec.Struct):
    """Body of a completion."""

    activity_attempt_id: Identifier
    lease_owner: Identifier
    result: msgspec.Raw = _ABSENT
    workflow_poll: PollWorkflowTask | None = None
    activity_poll: CarriedActivityPoll | None = None
    continuation: Continuation | None = None


class ActivityFailure(msgspec.Struct, rename={"class_": "class"}):
    """Why an activity failed."""

    message: str
    type: str | None = None
    class_: str | None = None
    code: _Code | None = None
    stack_trace: str | None = None
    non_retryable: bool | None = None
    details: msgspec.Raw = _ABSENT
    diagnostics: msgspec.Raw = _ABSENT


class FailActivity(msgspec.Struct):
    """Body of a failure."""

    activity_attempt_id: Identifier
    lease_owner: Identifier
    failure: ActivityFailure


class HeartbeatActivity(msgspec.Struct):
    """Body of a heartbeat."""

    activity_attempt_id: Identifier
    lease_owner: Identifier
    details: msgspec.Raw = _ABSENT


def complete(call: Call[CompleteActivity]) -> Arguments:
    """Arguments of complete_activity."""
    result = _payload(call.body.result, "result")
    body = call.body
    parts = carried(call, body.workflow_poll, body.activity_poll, body.continuation)
    return {
        **_fence(call),
        "result": result,
        "digest": digest(result, *parts.digests),
        "carried": parts.document,
    }


def fail(call: Call[FailActivity]) -> Arguments:
    """Arguments of fail_activity."""
    given = call.body.failure
    _payload(given.details, "failure.details")
    message = without_nul(given.message)
    kind = given.type and without_nul(given.type)
    class_ = given.class_ and without_nul(given.class_)
    non_retryable = given.non_retryable is True
    exception: dict[str, object] = {
        "type": kind,
        "class": class_,
        "message": message,
        "code": given.code,
        "details": given.details,
        "details_payload_codec": None if is_absent(given.details) else "avro",
        "stack_trace": given.stack_trace and without_nul(given.stack_trace),
        "diagnostics": given.diagnostics,
    }
    fields: dict[str, object] = {
        "message": message,
        "exception_type": kind,
        "exception_class": class_,
        "code": given.code,
        "non_retryable": non_retryable or None,
        "exception": present(exception),
    }
    failure = document(
        present({"type": kind, "non_retryable": non_retryable, "fields": verbatim(present(fields))}),
        "failure",
    )
    return {**_fence(call), "failure": failure, "digest": digest(failure)}


def heartbeat(call: Call[HeartbeatActivity]) -> Arguments:
    """Arguments of heartbeat_activity."""
    details = call.body.details
    return {
        **_fence(call),
        "details": None if is_absent(details) else text_of(details),
        "lease_seconds": call.settings.activity_task_timeout,
    }


def _payload(value: msgspec.Raw, field: str) -> str | None:
    if is_absent(value):
        return None
    try:
        check_envelope(value)
    except PayloadError as fault:
        raise invalid(field, str(fault)) from None
    return text_of(value)


def _fence(call: Call[Any]) -> dict[str, str | int | None]:
    return {
        "namespace": call.namespace,
        "task_id": call.path["task_id"],
        "activity_attempt_id": call.body.activity_attempt_id,
        "lease_owner": call.body.lease_owner,
    }
