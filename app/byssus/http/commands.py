"""Workflow commands: checked, and brought into the document that complete_workflow_task reads.

Each command becomes `{"type", "fields", ...}`: `fields` are the members that its event records, as JSON text
in a string, the others are what the transition itself reads. Members that were left out or null stay out;
payloads are copied byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from byssus.errors import Refused, invalid
from byssus.http.documents import document, present, text_of, verbatim
from byssus.http.validation import (
    Identifier,
    Seconds,
    SecondsFromZero,
    check_bytes,
    decode,
    refusal_of,
)
from byssus.payloads import PayloadError, check_envelope, first_byte, is_absent

MAX_COMMANDS = 1000
CONTINUATION_COMMANDS = (
    "schedule_activity",
    "start_timer",
    "record_side_effect",
    "record_local_activity",
    "complete_workflow",
    "fail_workflow",
)

_ABSENT = msgspec.Raw()
# Bounded so that the sum of two of them is still a 32-bit integer.
_Sequence = Annotated[int, msgspec.Meta(ge=1, le=1_000_000_000)]
_Index = Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)]
_Line = Annotated[str, msgspec.Meta(max_length=255)]
_Milliseconds = Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000_000)]
_Outcome = Literal["completed", "failed", "timed_out", "cancelled"]
_TimeoutKind = Literal["start_to_close", "schedule_to_close", "heartbeat"]
_Document = dict[str, object]
C = TypeVar("C", bound=msgspec.Struct)


class _Typed(msgspec.Struct):
    type: str


class RetryPolicy(msgspec.Struct):
    """How often and how fast an activity is tried again."""

    max_attempts: _Sequence | None = 1
    backoff_seconds: list[SecondsFromZero] | SecondsFromZero | None = None
    non_retryable_error_types: list[_Line] | None = None


class ScheduleActivity(msgspec.Struct):
    """Run an activity."""

    activity_type: Identifier
    queue: Identifier
    arguments: msgspec.Raw = _ABSENT
    retry_policy: msgspec.Raw = _ABSENT
    start_to_close_timeout: Seconds | None = None
    schedule_to_start_timeout: Seconds | None = None
    schedule_to_close_timeout: Seconds | None = None
    heartbeat_timeout: Seconds | None = None
    worker_session: msgspec.Raw = _ABSENT
    cancellation_policy: str | None = None


class StartTimer(msgspec.Struct):
    """Wait for a time."""

    delay_seconds: SecondsFromZero


class OpenConditionWait(msgspec.Struct):
    """Wait until the workflow's own condition holds."""

    condition_key: Identifier | None = None
    condition_definition_fingerprint: Identifier | None = None
    timeout_seconds: SecondsFromZero | None = None


class RecordSideEffect(msgspec.Struct):
    """Remember a value."""

    result: msgspec.Raw
    workflow_stream: msgspec.Raw = _ABSENT


class LocalHeartbeat(msgspec.Struct):
    """A sign of life from a local activity."""

    elapsed_ms: _Milliseconds
    details: dict[str, msgspec.Raw] | None = None


class LocalAttempt(msgspec.Struct):
    """One attempt of a local activity."""

    attempt_id: Identifier
    attempt_number: _Sequence
    outcome: _Outcome
    duration_ms: _Milliseconds
    heartbeats: list[LocalHeartbeat] | None = None
    message: str | None = None
    exception_type: _Line | None = None
    non_retryable: bool | None = None
    timeout_kind: _TimeoutKind | None = None
    retry_reason: Literal["failure", "timeout"] | None = None
    backoff_seconds: SecondsFromZero | None = None


class RecordLocalActivity(msgspec.Struct):
    """Remember an activity that the worker itself has run to its end."""

    activity_type: Identifier
    execution_mode: Literal["local"]
    outcome: _Outcome
    attempts: msgspec.Raw
    arguments: msgspec.Raw = _ABSENT
    retry_policy: msgspec.Raw = _ABSENT
    start_to_close_timeout: Seconds | None = None
    schedule_to_close_timeout: Seconds | None = None
    heartbeat_timeout: Seconds | None = None
    cancellation_policy: msgspec.Raw = _ABSENT
    result: msgspec.Raw = _ABSENT
    message: str | None = None
    exception_type: _Line | None = None
    non_retryable: bool | None = None
    timeout_kind: _TimeoutKind | None = None


class CompleteWorkflow(msgspec.Struct):
    """End well."""

    result: msgspec.Raw = _ABSENT


class FailWorkflow(msgspec.Struct):
    """End badly."""

    message: str
    exception_type: _Line | None = None
    exception_class: _Line | None = None
    exception: dict[str, msgspec.Raw] | None = None
    non_retryable: bool | None = None
    failed_step_sequence: _Sequence | None = None
    failed_activity_execution_id: Identifier | None = None


class ContinueAsNew(msgspec.Struct):
    """End, and begin anew as another run."""

    queue: Identifier
    workflow_type: Identifier | None = None
    arguments: msgspec.Raw = _ABSENT


class GroupEntry(msgspec.Struct):
    """Where a member stands in one of the parallel groups around it."""

    parallel_group_id: Identifier
    parallel_group_kind: Identifier
    parallel_group_base_sequence: _Sequence
    parallel_group_size: _Sequence
    parallel_group_index: _Index
    parallel_group_mode: str | None = None

    @property
    def position(self) -> int:
        """The authored position of the member."""
        return self.parallel_group_base_sequence + self.parallel_group_index


class _Attempted(msgspec.Struct):
    attempts: Annotated[list[LocalAttempt], msgspec.Meta(min_length=1)]


class _Grouped(msgspec.Struct):
    parallel_group_path: Annotated[list[GroupEntry], msgspec.Meta(min_length=1, max_length=100)]


def normalise(commands: list[msgspec.Raw], field: str = "commands") -> str:
    """The commands document; `field` is where the commands stand in the request.

    Refuses commands that are malformed (naming the field) or not carried out here.
    """
    _check_number(commands, field)
    documents: list[_Document] = []
    for index, command in enumerate(commands):
        kind = decode(_typed, command, f"{field}.{index}.").type
        if kind == _WAIT and any(earlier["type"] == _WAIT for earlier in documents):
            raise invalid(f"{field}.{index}.type", "a run waits for one condition at a time")
        if kind in _TERMINAL and index < len(commands) - 1:
            raise invalid(f"{field}.{index}.type", f"{kind} ends the run and must be the last command")
        build = _BUILDERS.get(kind)
        if build is None:
            raise _unsupported(kind, f"{field}.{index}.type")
        documents.append({"type": kind, **build(command, f"{field}.{index}.")})
    return document(documents, field)


def normalise_continuation(commands: list[msgspec.Raw]) -> str:
    """The commands document of a continuation.

    One with a command that a continuation cannot have has nothing but types: its transition refuses it.
    """
    field = "continuation.commands"
    _check_number(commands, field)
    kinds = [decode(_typed, command, f"{field}.{index}.").type for index, command in enumerate(commands)]
    if all(kind in CONTINUATION_COMMANDS for kind in kinds):
        return normalise(commands, field)
    return document([{"type": kind[:64]} for kind in kinds], field)


def _check_number(commands: list[msgspec.Raw], field: str) -> None:
    if not commands:
        raise invalid(field, "must not be empty")
    if len(commands) > MAX_COMMANDS:
        raise invalid(field, f"must not be more than {MAX_COMMANDS}")


def _schedule_activity(command: msgspec.Raw, at: str) -> _Document:
    activity = decode(_activities, command, at)
    if not is_absent(activity.worker_session):
        raise invalid(at + "worker_session", "is not supported by this server")
    if activity.cancellation_policy not in (None, "try_cancel"):
        raise invalid(at + "cancellation_policy", "must be try_cancel")
    arguments = _envelope(activity.arguments, at + "arguments")
    timeouts = {
        "start_to_close_timeout": activity.start_to_close_timeout,
        "schedule_to_start_timeout": activity.schedule_to_start_timeout,
        "schedule_to_close_timeout": activity.schedule_to_close_timeout,
        "heartbeat_timeout": activity.heartbeat_timeout,
    }
    recorded: _Document = {
        "activity_type": activity.activity_type,
        "arguments": arguments,
        "queue": activity.queue,
        "retry_policy": activity.retry_policy,
        **timeouts,
    }
    typed: _Document = {
        "activity_type": activity.activity_type,
        "task_queue": activity.queue,
        "arguments": _part(arguments),
        **timeouts,
        **_retries(activity.retry_policy, at + "retry_policy."),
        **_group(command, at),
    }
    return {"fields": verbatim(present(recorded)), **present(typed)}


def _retries(policy: msgspec.Raw, at: str) -> _Document:
    if is_absent(policy):
        return {"max_attempts": 1, "backoff_seconds": [], "non_retryable_error_types": []}
    retries = decode(_policies, policy, at)
    backoff = retries.backoff_seconds
    return {
        "max_attempts": retries.max_attempts,
        "backoff_seconds": [backoff] if isinstance(backoff, int) else backoff or [],
        "non_retryable_error_types": retries.non_retryable_error_types or [],
        "retry_policy": text_of(policy),
    }


def _start_timer(command: msgspec.Raw, at: str) -> _Document:
    timer = decode(_timers, command, at)
    members: _Document = {"delay_seconds": timer.delay_seconds}
    return {"fields": verbatim(members), **members, **_group(command, at)}


def _open_condition_wait(command: msgspec.Raw, at: str) -> _Document:
    wait = decode(_waits, command, at)
    if _group(command, at):
        raise invalid(at + "parallel_group_path", "must not be given for a condition wait")
    members = present(
        {
            "condition_key": wait.condition_key,
            "condition_definition_fingerprint": wait.condition_definition_fingerprint,
            "timeout_seconds": wait.timeout_seconds,
        }
    )
    return {"fields": verbatim(members), **members}


def _record_side_effect(command: msgspec.Raw, at: str) -> _Document:
    effect = decode(_effects, command, at)
    if not is_absent(effect.workflow_stream):
        raise invalid(at + "workflow_stream", "is not supported by this server")
    if first_byte(effect.result) != b'"':
        _envelope(effect.result, at + "result")
        if is_absent(effect.result):
            raise invalid(at + "result", "is required")
    return {"fields": verbatim({"result": effect.result, "payload_codec": "avro"})}


def _record_local_activity(command: msgspec.Raw, at: str) -> _Document:
    local = decode(_local_activities, command, at)
    if _group(command, at):
        raise invalid(at + "parallel_group_path", "is not supported for a local activity by this server")
    if not is_absent(local.cancellation_policy):
        raise invalid(at + "cancellation_policy", "is not supported for a local activity by this server")
    if not is_absent(local.retry_policy):
        decode(_policies, local.retry_policy, at + "retry_policy.")
    _check_attempts(decode(_attempted, command, at).attempts, local.outcome, at + "attempts.")
    kind: _Document = {"activity_type": local.activity_type, "execution_mode": "local"}
    scheduled: _Document = {
        **kind,
        "local_activity": True,
        "arguments": _envelope(local.arguments, at + "arguments"),
        "retry_policy": local.retry_policy,
        "start_to_close_timeout": local.start_to_close_timeout,
        "schedule_to_close_timeout": local.schedule_to_close_timeout,
        "heartbeat_timeout": local.heartbeat_timeout,
    }
    ended: _Document = {**kind, "attempts": local.attempts, **_local_end(local, at)}
    return {
        "fields": verbatim(present(scheduled)),
        "outcome": local.outcome,
        "outcome_fields": verbatim(present(ended)),
    }


def _check_attempts(attempts: list[LocalAttempt], outcome: str, at: str) -> None:
    """Refuse a trail that is not numbered 1, 2, 3, ... or does not lead to the outcome."""
    for number, attempt in enumerate(attempts):
        check_bytes(attempt, f"{at}{number}.")
        if attempt.attempt_number != number + 1:
            raise invalid(f"{at}{number}.attempt_number", f"must be {number + 1}")
        if number < len(attempts) - 1 and attempt.outcome == "completed":
            raise invalid(f"{at}{number}.outcome", "must not be completed: another attempt follows")
    if attempts[-1].outcome != outcome:
        raise invalid(f"{at}{len(attempts) - 1}.outcome", "must be the outcome of the activity")


def _local_end(local: RecordLocalActivity, at: str) -> _Document:
    """What a local activity came to: its result, or its failure in the words that workflow code has seen."""
    result = _envelope(local.result, at + "result")
    failure: _Document = {
        "message": local.message,
        "exception_type": local.exception_type,
        "non_retryable": local.non_retryable,
        "timeout_kind": local.timeout_kind,
    }
    if local.outcome == "completed":
        for name in present(failure):
            raise invalid(at + name, "must not be given when the outcome is completed")
        if is_absent(result):
            raise invalid(at + "result", "is required when the outcome is completed")
        return {"result": result, "payload_codec": "avro"}
    if not is_absent(result):
        raise invalid(at + "result", f"must not be given when the outcome is {local.outcome}")
    if local.message is None:
        raise invalid(at + "message", f"is required when the outcome is {local.outcome}")
    return failure


def _complete_workflow(command: msgspec.Raw, at: str) -> _Document:
    output = _envelope(decode(_completions, command, at).result, at + "result")
    if is_absent(output):
        return {"fields": "{}"}
    recorded = {"output": output, "payload_codec": "avro"}
    return {"fields": verbatim(recorded), "output": text_of(output)}


def _fail_workflow(command: msgspec.Raw, at: str) -> _Document:
    failure = decode(_failures, command, at)
    if (failure.failed_step_sequence is None) != (failure.failed_activity_execution_id is None):
        raise invalid(at + "failed_step_sequence", "goes together with failed_activity_execution_id")
    recorded: _Document = {
        "message": without_nul(failure.message),
        "exception_type": failure.exception_type and without_nul(failure.exception_type),
        "exception_class": failure.exception_class and without_nul(failure.exception_class),
        "exception": failure.exception,
        "non_retryable": failure.non_retryable or None,
        "failed_step_sequence": failure.failed_step_sequence,
        "failed_activity_execution_id": failure.failed_activity_execution_id,
    }
    return {"fields": verbatim(present(recorded))}


def _continue_as_new(command: msgspec.Raw, at: str) -> _Document:
    onward = decode(_continuations, command, at)
    typed: _Document = {
        "workflow_type": onward.workflow_type,
        "task_queue": onward.queue,
        "input": _part(_envelope(onward.arguments, at + "arguments")),
    }
    return present(typed)


def _group(command: msgspec.Raw, at: str) -> _Document:
    """Where a command stands in its parallel groups: its members verbatim, and what of them is read."""
    if b"parallel_group_" not in bytes(command):
        return {}
    members = {
        name: value
        for name, value in _objects.decode(command).items()
        if name.startswith("parallel_group_") and not is_absent(value)
    }
    if not members:
        return {}
    try:
        path = _groups.decode(command).parallel_group_path
    except msgspec.ValidationError as fault:
        raise refusal_of(fault, at) from None
    for number, entry in enumerate(path):
        check_bytes(entry, f"{at}parallel_group_path.{number}.")
        if entry.parallel_group_mode == "select":
            raise Refused(
                "unsupported_workflow_command",
                "Parallel groups of mode select are not carried out by this server.",
                command_type="select",
                field=at + "parallel_group_path",
            )
        if entry.parallel_group_index >= entry.parallel_group_size or entry.position != path[-1].position:
            raise invalid(f"{at}parallel_group_path.{number}", "does not fit the other entries of its path")
    outermost = path[0]
    return {
        "group": verbatim(members),
        "group_position": path[-1].position,
        "group_base": outermost.parallel_group_base_sequence,
        "group_size": outermost.parallel_group_size,
    }


def _envelope(value: msgspec.Raw, field: str) -> msgspec.Raw:
    if not is_absent(value):
        try:
            check_envelope(value)
        except PayloadError as fault:
            raise invalid(field, str(fault)) from None
    return value


def _part(value: msgspec.Raw) -> str | None:
    return None if is_absent(value) else text_of(value)


def without_nul(text: str) -> str:
    """A text for people, without the one character that not every engine can hold."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


def _unsupported(kind: str, field: str) -> Refused:
    return Refused(
        "unsupported_workflow_command",
        f"This server does not carry out workflow commands of type {kind[:64]!r}.",
        command_type=kind[:64],
        field=field,
    )


def _decoder(kind: type[C]) -> msgspec.json.Decoder[C]:
    return msgspec.json.Decoder(kind)


_typed = _decoder(_Typed)
_objects = msgspec.json.Decoder(dict[str, msgspec.Raw])
_groups = _decoder(_Grouped)
_activities = _decoder(ScheduleActivity)
_policies = _decoder(RetryPolicy)
_timers = _decoder(StartTimer)
_waits = _decoder(OpenConditionWait)
_effects = _decoder(RecordSideEffect)
_local_activities = _decoder(RecordLocalActivity)
_attempted = _decoder(_Attempted)
_completions = _decoder(CompleteWorkflow)
_failures = _decoder(FailWorkflow)
_continuations = _decoder(ContinueAsNew)

_BUILDERS: dict[str, Callable[[msgspec.Raw, str], dict[str, Any]]] = {
    "schedule_activity": _schedule_activity,
    "start_timer": _start_timer,
    "open_condition_wait": _open_condition_wait,
    "record_side_effect": _record_side_effect,
    "record_local_activity": _record_local_activity,
    "complete_workflow": _complete_workflow,
    "fail_workflow": _fail_workflow,
    "continue_as_new": _continue_as_new,
}
_WAIT = "open_condition_wait"
_TERMINAL = ("complete_workflow", "fail_workflow", "continue_as_new")
SUPPORTED_COMMANDS = tuple(_BUILDERS)
"""The command types that are carried out."""
