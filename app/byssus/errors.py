"""The one error table: every refusal and fault that a caller can meet, with its HTTP status.

A transition answers a refusal with one of these codes as its outcome; the HTTP layer refuses with the others.
docs/errors.md shows this table to people.
"""

from __future__ import annotations

from typing import NamedTuple


class ErrorCode(NamedTuple):
    """An HTTP status, whether the same request may succeed later, and a message for people."""

    status: int
    retryable: bool
    message: str


def _final(status: int, message: str) -> ErrorCode:
    return ErrorCode(status, False, message)


def _passing(status: int, message: str) -> ErrorCode:
    return ErrorCode(status, True, message)


ERRORS: dict[str, ErrorCode] = {
    # The request itself.
    "malformed_json": _final(400, "The request body is not a JSON document that can be read."),
    "invalid_namespace": _final(400, "The namespace name is not valid."),
    "missing_control_plane_version": _final(400, "The control-plane version header is missing."),
    "unsupported_control_plane_version": _final(400, "This control-plane version is not supported."),
    "missing_protocol_version": _final(400, "The worker protocol version header is missing."),
    "unsupported_protocol_version": _final(400, "This worker protocol version is not supported."),
    "invalid_page_token": _final(400, "The page token was not issued by this server."),
    "unauthorized": _final(401, "A valid bearer token is required."),
    "forbidden": _final(403, "The role of this token may not use this route."),
    "not_found": _final(404, "There is no such route."),
    "method_not_allowed": _final(405, "This route does not answer that method."),
    "payload_too_large": _final(413, "The request body is larger than this server accepts."),
    "unsupported_media_type": _final(415, "The request body must be JSON."),
    "validation_failed": _final(422, "The request is not valid."),
    # Namespaces and workflows.
    "namespace_not_found": _final(404, "The namespace does not exist."),
    "instance_not_found": _final(404, "The workflow does not exist in this namespace."),
    "run_not_found": _final(404, "The workflow has no such run."),
    "instance_already_started": _final(409, "A workflow with this id was started before."),
    "workflow_type_mismatch": _final(422, "The workflow with this id is of another type."),
    "request_id_conflict": _final(409, "This request id was used for a different request."),
    "historical_run_command_rejected": _final(409, "The run is no longer the workflow's current run."),
    "run_not_active": _final(409, "The run is closed."),
    "structural_limit_exceeded": _final(409, "The run has reached one of its structural limits."),
    "history_export_too_large": _final(
        413, "The history is too large to be exported whole; read it in pages."
    ),
    # Workers.
    "worker_not_registered": _final(412, "The worker is not registered."),
    "task_queue_mismatch": _final(409, "The worker is registered for another task queue."),
    "build_id_mismatch": _final(409, "The worker is registered with another build id."),
    "worker_not_found": _final(404, "The worker is not registered."),
    "worker_registration_token_not_found": _final(404, "The worker was never registered under this token."),
    "worker_registration_lost_authority": _final(
        409, "The worker has been registered again under another token."
    ),
    "worker_registration_receipt_expired": _final(
        410, "The receipt of this deregistration is no longer kept."
    ),
    "workflow_definition_changed": _final(
        409, "The definition of a workflow type has changed; restart the worker under a new worker id."
    ),
    "worker_capability_manifest_mismatch": _final(
        409, "The worker's capabilities and its capability manifest disagree."
    ),
    "worker_capability_protocol_floor_mismatch": _final(
        409, "A capability of the worker names a minimum protocol version that does not fit."
    ),
    "worker_capability_not_supported": _final(
        409, "The request uses a capability that the worker did not register with."
    ),
    "sticky_cache_identity_mismatch": _final(
        409, "The sticky_cache of the completion does not belong to the task's worker, run and build."
    ),
    # Fences of workflow tasks and activities.
    "task_not_found": _final(404, "The workflow task does not exist."),
    "task_not_leased": _final(409, "The workflow task is not leased."),
    "lease_owner_mismatch": _final(409, "The lease belongs to another worker."),
    "workflow_task_attempt_mismatch": _final(409, "The workflow task is at another attempt."),
    "lease_expired": _final(409, "The lease has expired."),
    "run_timed_out": _final(409, "The run has passed its deadline."),
    "run_closed": _final(409, "The run is closed."),
    "run_cancelled": _final(409, "The run was cancelled."),
    "run_terminated": _final(409, "The run was terminated."),
    "attempt_not_found": _final(404, "The activity attempt does not exist."),
    "task_mismatch": _final(409, "The activity attempt belongs to another task."),
    "stale_attempt": _final(409, "A later attempt of this activity has begun."),
    "activity_not_running": _final(409, "The activity is not running."),
    "conflicting_completion": _final(409, "A different outcome was recorded for this attempt before."),
    "invalid_commands": _final(422, "The commands do not fit the run."),
    "unsupported_workflow_command": _final(422, "This server does not carry out that workflow command."),
    # Faults.
    "internal_error": _final(500, "The request failed for a reason that the server's log names."),
    "backend_lock_pressure": _passing(503, "The database is contended; nothing was recorded."),
    "backend_unavailable": _passing(503, "The database cannot be reached; the outcome is unknown."),
    "schema_not_ready": _passing(503, "The database's schema does not fit this release."),
}


class Refused(Exception):
    """The HTTP layer refuses a request.

    `code` is a key of ERRORS; `members` go into the body; `message` replaces the table's text.
    """

    def __init__(self, code: str, message: str | None = None, **members: object) -> None:
        super().__init__(code)
        self.code = code
        self.message = message or ERRORS[code].message
        self.members = members


def invalid(field: str, text: str) -> Refused:
    """A validation error of one field; nested fields are named with dots (`commands.0.delay_seconds`)."""
    errors = {field: [text]}
    return Refused("validation_failed", f"{field}: {text}", errors=errors, validation_errors=errors)
