"""Workflows as clients see them: started, read, signalled, cancelled and terminated."""

from __future__ import annotations

import re
import uuid
from typing import Annotated, Any, Literal

import msgspec

from byssus.errors import invalid
from byssus.http.call import Call
from byssus.http.documents import digest, document, present, text_of, verbatim
from byssus.http.page_tokens import run_id_of, sequence_of
from byssus.http.validation import Identifier, Seconds, Text, WorkflowId, identifier_fault
from byssus.payloads import PayloadError, as_envelope, is_absent
from byssus.settings import Settings
from byssus.store import Arguments

DEFAULT_TASK_QUEUE = "default"
HISTORY_PAGE = 100
LARGEST_HISTORY_PAGE = 1000
LIST_PAGE = 50
LARGEST_LIST_PAGE = 200
LARGEST_RUNS_PAGE = 1000
MAX_SEARCH_ATTRIBUTE_KEY_BYTES = 128
MAX_SEARCH_ATTRIBUTE_VALUE_BYTES = 2048
STATUS_BUCKETS = ("running", "completed", "failed")

_ABSENT: Any = msgspec.field(default_factory=msgspec.Raw)
_ATTRIBUTE_KEY = re.compile(rf"[a-zA-Z][a-zA-Z0-9_]{{0,{MAX_SEARCH_ATTRIBUTE_KEY_BYTES - 1}}}")
_STATUS_ALIASES = {"cancelled": "failed", "terminated": "failed", "pending": "running", "waiting": "running"}
_GENERATED_IDS = uuid.UUID("0d4cbf2c-6f3c-5d0f-9a3e-3a4f5f9a7f10")
_Scalar = str | int | float | bool | None
_scalars = msgspec.json.Decoder(_Scalar)
_FairnessKey = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9._:-]{1,64}(?!\n)$")]


class StartWorkflow(msgspec.Struct):
    """Body of a start. The members after `compatibility` are refused when they are given."""

    workflow_type: Identifier
    workflow_id: WorkflowId | None = None
    task_queue: Identifier | None = None
    input: msgspec.Raw = _ABSENT
    payload_codec: Literal["avro"] | None = None
    request_id: Identifier | None = None
    business_key: Identifier | None = None
    memo: dict[str, msgspec.Raw] | None = None
    search_attributes: dict[str, msgspec.Raw] | None = None
    duplicate_policy: Literal["fail", "use-existing"] | None = None
    execution_timeout_seconds: Seconds | None = None
    run_timeout_seconds: Seconds | None = None
    priority: Annotated[int, msgspec.Meta(ge=0, le=9)] | None = None
    fairness_key: _FairnessKey | None = None
    fairness_weight: Annotated[int, msgspec.Meta(ge=1, le=1000)] | None = None
    build_id: Identifier | None = None
    compatibility: Identifier | None = None
    workflow_execution_timeout: msgspec.Raw = _ABSENT
    workflow_run_timeout: msgspec.Raw = _ABSENT
    workflow_task_timeout: msgspec.Raw = _ABSENT
    retry_policy: msgspec.Raw = _ABSENT
    idempotency_key: msgspec.Raw = _ABSENT


FORBIDDEN_START_FIELDS = (
    "workflow_execution_timeout",
    "workflow_run_timeout",
    "workflow_task_timeout",
    "retry_policy",
    "idempotency_key",
)


class Signal(msgspec.Struct):
    """Body of a signal."""

    input: msgspec.Raw = _ABSENT
    request_id: Identifier | None = None


class Stop(msgspec.Struct):
    """Body of a cancellation or termination."""

    reason: Text | None = None
    request_id: Identifier | None = None


def start(call: Call[StartWorkflow]) -> Arguments:
    """Arguments of start_run."""
    body = call.body
    for name in FORBIDDEN_START_FIELDS:
        if memoryview(getattr(body, name)).nbytes:
            raise invalid(
                name, "is not supported; see execution_timeout_seconds, run_timeout_seconds, request_id"
            )
    task_queue = body.task_queue or DEFAULT_TASK_QUEUE
    duplicate_policy = body.duplicate_policy or "fail"
    start_document = document(
        present(
            {
                "input": _input(body.input),
                "business_key": body.business_key,
                "memo": _memo(body.memo, call.settings),
                "search_attributes": _search_attributes(body.search_attributes, call.settings),
                "execution_timeout_seconds": body.execution_timeout_seconds,
                "run_timeout_seconds": body.run_timeout_seconds,
                "priority": 5 if body.priority is None else body.priority,
                "fairness_key": body.fairness_key,
                "fairness_weight": body.fairness_weight or 1,
                "build_id": body.build_id or body.compatibility,
            }
        ),
        "body",
    )
    return {
        "namespace": call.namespace,
        "workflow_id": body.workflow_id or _generated_id(call.namespace, body.request_id),
        "workflow_type": body.workflow_type,
        "task_queue": task_queue,
        "duplicate_policy": duplicate_policy,
        "request_id": body.request_id,
        "digest": digest(body.workflow_type, task_queue, duplicate_policy, start_document),
        "start": start_document,
    }


def list_workflows(call: Call[None]) -> Arguments:
    """Arguments of list_runs."""
    status = call.query.get("status")
    if status is not None and status not in STATUS_BUCKETS:
        hint = f"; ask for {_STATUS_ALIASES[status]}" if status in _STATUS_ALIASES else ""
        raise invalid("status", f"must be one of {', '.join(STATUS_BUCKETS)}{hint}")
    workflow_type = call.query.get("workflow_type")
    if workflow_type is not None and (fault := identifier_fault(workflow_type)) is not None:
        raise invalid("workflow_type", fault)
    if call.query.get("query"):
        raise invalid("query", "is not supported by this server")
    return {
        "namespace": call.namespace,
        "workflow_type": workflow_type,
        "status_bucket": status,
        "page_size": call.integer("page_size", LIST_PAGE, 1, LARGEST_LIST_PAGE),
        "page_token": run_id_of(call.query.get("next_page_token")),
    }


def list_runs(call: Call[None]) -> Arguments:
    """Arguments of list_workflow_runs."""
    return {
        "namespace": call.namespace,
        "workflow_id": call.path["workflow_id"],
        "after_number": sequence_of(call.query.get("next_page_token")),
        "page_size": call.integer("page_size", LARGEST_RUNS_PAGE, 1, LARGEST_RUNS_PAGE),
    }


def describe(call: Call[None]) -> Arguments:
    """Arguments of describe_run and export_run."""
    return _target(call)


def history(call: Call[None]) -> Arguments:
    """Arguments of read_history."""
    call.flag("wait_new_event")
    return {
        **_target(call),
        "after_sequence": sequence_of(call.query.get("next_page_token")),
        "page_size": call.integer("page_size", HISTORY_PAGE, 1, LARGEST_HISTORY_PAGE),
    }


def signal(call: Call[Signal]) -> Arguments:
    """Arguments of signal_run."""
    signal_input = _input(call.body.input)
    name = call.path["signal_name"]
    return {
        **_target(call),
        "signal_name": name,
        "input": signal_input,
        "request_id": call.body.request_id,
        "digest": digest(name, call.path.get("run_id"), signal_input),
    }


def stop(call: Call[Stop]) -> Arguments:
    """Arguments of cancel_run and terminate_run."""
    return {
        **_target(call),
        "reason": call.body.reason,
        "request_id": call.body.request_id,
        "digest": digest(call.path.get("run_id"), call.body.reason),
    }


def _target(call: Call[None] | Call[Signal] | Call[Stop]) -> dict[str, str | int | None]:
    return {
        "namespace": call.namespace,
        "workflow_id": call.path["workflow_id"],
        "run_id": call.path.get("run_id"),
    }


def _generated_id(namespace: str, request_id: str | None) -> str:
    """An id for a start without one. A repeat of the same request gets the same id, so it finds the first."""
    if request_id is None:
        return str(uuid.uuid4())
    return str(uuid.uuid5(_GENERATED_IDS, f"{namespace}\0{request_id}"))


def _input(value: msgspec.Raw) -> str | None:
    if is_absent(value):
        return None
    try:
        return text_of(as_envelope(value))
    except PayloadError as fault:
        raise invalid("input", str(fault)) from None


def _memo(memo: dict[str, msgspec.Raw] | None, settings: Settings) -> str | None:
    if memo is None:
        return None
    text = verbatim(memo)
    if len(text.encode()) > settings.max_memo_bytes:
        raise invalid("memo", f"must not be longer than {settings.max_memo_bytes} bytes")
    return text


def _search_attributes(attributes: dict[str, msgspec.Raw] | None, settings: Settings) -> str | None:
    if attributes is None:
        return None
    if len(attributes) > settings.max_search_attributes:
        raise invalid("search_attributes", f"must not be more than {settings.max_search_attributes}")
    for key, given in attributes.items():
        if not _ATTRIBUTE_KEY.fullmatch(key):
            raise invalid(
                "search_attributes", "keys must be letters, digits and _ , at most 128, a letter first"
            )
        value = _scalar(key, given)
        if isinstance(value, str) and len(value.encode()) > MAX_SEARCH_ATTRIBUTE_VALUE_BYTES:
            text = f"{key}: must not be longer than {MAX_SEARCH_ATTRIBUTE_VALUE_BYTES} bytes"
            raise invalid("search_attributes", text)
    return verbatim(attributes)


def _scalar(key: str, given: msgspec.Raw) -> _Scalar:
    try:
        return _scalars.decode(given)
    except msgspec.ValidationError:
        raise invalid("search_attributes", f"{key}: must be a string, a number, a boolean or null") from None
