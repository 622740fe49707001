"""Commands that end the run."""

from __future__ import annotations

import msgspec

from byssus.errors import invalid
from byssus.http.commands.members import (
    ABSENT,
    Document,
    Line,
    Sequence,
    decoder,
    envelope,
    part,
    without_nul,
)
from byssus.http.documents import present, text_of, verbatim
from byssus.http.validation import Identifier, decode
from byssus.payloads import is_absent


class CompleteWorkflow(msgspec.Struct):
    """End well."""

    result: msgspec.Raw = ABSENT


class FailWorkflow(msgspec.Struct):
    """End badly."""

    message: str
    exception_type: Line | None = None
    exception_class: Line | None = None
    exception: dict[str, msgspec.Raw] | None = None
    non_retryable: bool | None = None
    failed_step_sequence: Sequence | None = None
    failed_activity_execution_id: Identifier | None = None


class ContinueAsNew(msgspec.Struct):
    """End, and begin anew as another run."""

    queue: Identifier
    workflow_type: Identifier | None = None
    arguments: msgspec.Raw = ABSENT


def complete_workflow(command: msgspec.Raw, at: str) -> Document:
    """What a run that ends well leaves."""
    output = envelope(decode(_completions, command, at).result, at + "result")
    if is_absent(output):
        return {"fields": "{}"}
    recorded = {"output": output, "payload_codec": "avro"}
    return {"fields": verbatim(recorded), "output": text_of(output)}


def fail_workflow(command: msgspec.Raw, at: str) -> Document:
    """What a run that ends badly leaves."""
    failure = decode(_failures, command, at)
    if (failure.failed_step_sequence is None) != (failure.failed_activity_execution_id is None):
        raise invalid(at + "failed_step_sequence", "goes together with failed_activity_execution_id")
    recorded: Document = {
        "message": without_nul(failure.message),
        "exception_type": failure.exception_type and without_nul(failure.exception_type),
        "exception_class": failure.exception_class and without_nul(failure.exception_class),
        "exception": failure.exception,
        "non_retryable": failure.non_retryable or None,
        "failed_step_sequence": failure.failed_step_sequence,
        "failed_activity_execution_id": failure.failed_activity_execution_id,
    }
    return {"fields": verbatim(present(recorded))}


def continue_as_new(command: msgspec.Raw, at: str) -> Document:
    """What the next run begins with."""
    onward = decode(_continuations, command, at)
    typed: Document = {
        "workflow_type": onward.workflow_type,
        "task_queue": onward.queue,
        "input": part(envelope(onward.arguments, at + "arguments")),
    }
    return present(typed)


_completions = decoder(CompleteWorkflow)
_failures = decoder(FailWorkflow)
_continuations = decoder(ContinueAsNew)
