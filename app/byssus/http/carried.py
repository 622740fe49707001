"""What a completion carries beside itself: polls for what is next, and the continuation of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from byssus.errors import Refused, invalid
from byssus.http.call import Call
from byssus.http.claims import PollActivityTask, PollWorkflowTask, activity_claim, workflow_claim
from byssus.http.commands import normalise_continuation
from byssus.http.documents import digest, document, present
from byssus.http.sticky_cache import Sequence, StickyCache, said, sticky_document
from byssus.http.validation import check_bytes


class CarriedActivityPoll(PollActivityTask):
    """A poll for an activity, by a worker that may hold the completed run's history through a sequence."""

    history_after_sequence: Sequence | None = None


class Continuation(msgspec.Struct):
    """What the workflow does with an activity's result, computed from its history through a sequence."""

    basis_sequence: Sequence
    commands: list[msgspec.Raw]
    sticky_cache: StickyCache | None = None
    activity_poll: CarriedActivityPoll | None = None


@dataclass(slots=True, frozen=True)
class Carried:
    """The carried parts as a transition reads them, and what tells them from others."""

    document: str | None
    digests: tuple[str, ...]


def carried(
    call: Call[Any],
    workflow_poll: PollWorkflowTask | None,
    activity_poll: CarriedActivityPoll | None,
    continuation: Continuation | None = None,
) -> Carried:
    """The parts that a completion carries. Refuses polls of another worker, and two for activities."""
    if not (workflow_poll or activity_poll or continuation):
        return Carried(None, ())
    after = None if continuation is None else continuation.activity_poll
    if after is not None and activity_poll is not None:
        raise invalid("continuation.activity_poll", "must be absent when activity_poll is given")
    _check(call, workflow_poll, "workflow_poll")
    _check(call, activity_poll, "activity_poll")
    _check(call, after, "continuation.activity_poll")

    parts = present(
        {
            "workflow_poll": workflow_poll and _workflow_poll(call, workflow_poll),
            "activity_poll": activity_poll and _activity_poll(call, activity_poll),
        }
    )
    told_apart = [document(part, "body") for part in (workflow_poll, activity_poll, after)]
    if after is not None:
        parts["activity_poll"] = {**_activity_poll(call, after), "if_applied": True}
    if continuation is not None:
        commands, cache = normalise_continuation(continuation.commands), continuation.sticky_cache
        parts["continuation"] = _continuation(call, continuation.basis_sequence, commands, cache)
        told_apart += [str(continuation.basis_sequence), commands, "" if cache is None else said(cache)]
    return Carried(document(parts, "body"), tuple(told_apart))


def _check(call: Call[Any], poll: PollWorkflowTask | PollActivityTask | None, field: str) -> None:
    if poll is None:
        return
    check_bytes(poll, f"{field}.")
    if poll.worker_id != call.body.lease_owner:
        fields = {
            f"{field}.worker_id": ["must be the lease_owner"],
            "lease_owner": [f"must be the worker_id of {field}"],
        }
        raise Refused("validation_failed", errors=fields, validation_errors=fields)


def _workflow_poll(call: Call[Any], poll: PollWorkflowTask) -> dict[str, object]:
    claim = workflow_claim(call, poll)
    if poll.poll_request_id is None:
        claim["poll_request_id"] = _request_id(call, "workflow_poll")
    return claim


def _activity_poll(call: Call[Any], poll: CarriedActivityPoll) -> dict[str, object]:
    claim = activity_claim(call, poll)
    if poll.poll_request_id is None:
        claim["poll_request_id"] = _request_id(call, "activity_poll")
    return {**claim, **present({"history_after_sequence": poll.history_after_sequence})}


def _continuation(
    call: Call[Any], basis_sequence: int, commands: str, cache: StickyCache | None
) -> dict[str, object]:
    if cache is not None:
        check_bytes(cache, "continuation.sticky_cache.")
    return present(
        {
            "basis_sequence": basis_sequence,
            "commands": commands,
            "sticky": sticky_document(call, cache, "continuation.sticky_cache"),
        }
    )


def _request_id(call: Call[Any], part: str) -> str:
    """The same for the same completion, so that a repeat finds what the first one was given."""
    attempt = getattr(call.body, "workflow_task_attempt", None) or call.body.activity_attempt_id
    identity = digest(call.path["task_id"], str(attempt), call.body.lease_owner, part)
    return f"carried-{identity}"
