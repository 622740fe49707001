"""Registration, liveness and deregistration of workers."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from byssus.errors import Refused, invalid
from byssus.http.call import Call
from byssus.http.documents import document, present
from byssus.http.validation import Count, Identifier, identifier_fault
from byssus.http.versions import LEAST_WORKER_PROTOCOL, Version, version_of
from byssus.store import Arguments

DEREGISTRATION_RECEIPT_SECONDS = 600
STICKY_HISTORY_SUFFIX_VERSION = 1
MERGED_TRANSITIONS_VERSION = 1
_NEGOTIATED = ("local_activities", "worker_sessions", "sticky_execution")
_SUFFIX = "sticky_history_suffix"
_MERGED = "merged_transitions"
_MANIFEST_FLOOR = Version(1, 18)

_NEGOTIATION = "Let capabilities and capability_manifest agree, and name minimum versions from 1.18 on."
_REMEDIATION = {
    _SUFFIX: 'Advertise sticky_history_suffix as {"supported": true, "version": 1}, with sticky_execution.',
    _MERGED: 'Advertise merged_transitions as {"supported": true, "version": 1}.',
}

_Short = Annotated[str, msgspec.Meta(max_length=64, pattern=r"^[^\x00-\x1f\x7f]*(?!\n)$")]
_Line = Annotated[str, msgspec.Meta(max_length=255, pattern=r"^[^\x00-\x1f\x7f]*(?!\n)$")]
_Number = int | float


class Capability(msgspec.Struct, omit_defaults=True):
    """One entry of the capability manifest."""

    supported: bool
    minimum_protocol_version: Annotated[str, msgspec.Meta(max_length=32)] | None = None
    implementation: _Line | None = None
    reason: _Line | None = None
    version: int | None = None


class TaskSlots(msgspec.Struct, omit_defaults=True):
    """How many more tasks of each kind a worker would take."""

    workflow_available: Count | None = None
    activity_available: Count | None = None
    session_available: Count | None = None


class ProcessMetrics(msgspec.Struct, omit_defaults=True):
    """What a worker says of its process."""

    cpu_percent: _Number | None = None
    memory_bytes: _Number | None = None
    process_uptime_seconds: _Number | None = None
    process_id: _Number | None = None
    host: _Line | None = None
    process_started_at: _Short | None = None


class Register(msgspec.Struct):
    """Body of a registration."""

    worker_id: Identifier
    task_queue: Identifier
    runtime: Literal["php", "python", "rust", "typescript", "go", "java", "external"]
    capability_manifest: dict[Identifier, Capability]
    sdk_version: _Short | None = None
    build_id: Identifier | None = None
    supported_workflow_types: list[Identifier] = []
    supported_activity_types: list[Identifier] = []
    workflow_definition_fingerprints: dict[Identifier, _Line] = {}
    workflow_command_contracts: dict[Identifier, dict[str, msgspec.Raw]] = {}
    capabilities: list[Identifier] = []
    max_concurrent_workflow_tasks: Count = 100
    max_concurrent_activity_tasks: Count = 100
    max_concurrent_worker_sessions: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 10
    task_slots: TaskSlots | None = None
    process_metrics: ProcessMetrics | None = None


class Heartbeat(msgspec.Struct):
    """Body of a worker's heartbeat."""

    worker_id: Identifier
    task_slots: TaskSlots | None = None
    process_metrics: ProcessMetrics | None = None


class Deregister(msgspec.Struct):
    """Body of a fenced deregistration."""

    registration_token: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{32}(?!\n)$")]


def register(call: Call[Register]) -> Arguments:
    """Arguments of register_worker. Refuses a manifest that contradicts the capabilities."""
    body = call.body
    _check_names("supported_workflow_types", body.supported_workflow_types)
    _check_names("supported_activity_types", body.supported_activity_types)
    _check_manifest(body, call.protocol_version)
    if body.max_concurrent_workflow_tasks == body.max_concurrent_activity_tasks == 0:
        text = "must not be 0 together with the other capacity"
        fields = {"max_concurrent_workflow_tasks": [text], "max_concurrent_activity_tasks": [text]}
        raise Refused("validation_failed", errors=fields, validation_errors=fields)

    types = set(body.supported_workflow_types)
    lists_and_objects = {
        "workflow_types": body.supported_workflow_types,
        "activity_types": body.supported_activity_types,
        "workflow_definition_fingerprints": _fingerprints(body.workflow_definition_fingerprints),
        "workflow_command_contracts": {
            name: contract for name, contract in body.workflow_command_contracts.items() if name in types
        },
        "capabilities": body.capabilities,
        "capability_manifest": body.capability_manifest,
        "task_slots": body.task_slots or TaskSlots(),
        "process_metrics": body.process_metrics or ProcessMetrics(),
    }
    registration = present(
        {
            "sticky_execution": "sticky_execution" in body.capabilities,
            "sticky_history_suffix": _SUFFIX in body.capabilities,
            "merged_transitions": _MERGED in body.capabilities,
            "stale_seconds": call.settings.worker_stale_after_seconds,
            "runtime": body.runtime,
            "sdk_version": body.sdk_version,
            "build_id": body.build_id,
            "max_concurrent_workflow_tasks": body.max_concurrent_workflow_tasks,
            "max_concurrent_activity_tasks": body.max_concurrent_activity_tasks,
            "max_concurrent_worker_sessions": body.max_concurrent_worker_sessions,
            "protocol_version": call.protocol_version,
            **{name: document(value, "body") for name, value in lists_and_objects.items()},
        }
    )
    return {
        "namespace": call.namespace,
        "worker_id": body.worker_id,
        "task_queue": body.task_queue,
        "registration": document(registration, "body"),
    }


def heartbeat(call: Call[Heartbeat]) -> Arguments:
    """Arguments of heartbeat_worker."""
    return {
        "namespace": call.namespace,
        "worker_id": call.body.worker_id,
        "task_slots": document(call.body.task_slots or TaskSlots(), "task_slots"),
        "process_metrics": document(call.body.process_metrics or ProcessMetrics(), "process_metrics"),
        "stale_seconds": call.settings.worker_stale_after_seconds,
    }


def deregister(call: Call[None]) -> Arguments:
    """Arguments of deregister_worker, whichever registration is current."""
    return _deregistration(call.namespace, call.path["worker_id"], None)


def deregister_fenced(call: Call[Deregister]) -> Arguments:
    """Arguments of deregister_worker, for one registration."""
    return _deregistration(call.namespace, call.path["worker_id"], call.body.registration_token)


def _deregistration(namespace: str, worker_id: str, token: str | None) -> Arguments:
    return {
        "namespace": namespace,
        "worker_id": worker_id,
        "registration_token": token,
        "receipt_seconds": DEREGISTRATION_RECEIPT_SECONDS,
    }


def _check_names(field: str, names: list[str]) -> None:
    for index, name in enumerate(names):
        if (fault := identifier_fault(name)) is not None:
            raise invalid(f"{field}.{index}", fault)


def _check_manifest(body: Register, requested: str) -> None:
    asked = version_of(requested) or _MANIFEST_FLOOR
    for name in _NEGOTIATED:
        advertised = name in body.capabilities
        entry = body.capability_manifest.get(name)
        if entry is None and not advertised:
            raise invalid(f"capability_manifest.{name}", "is required")
        if entry is None or entry.supported != advertised:
            raise _manifest_refusal("worker_capability_manifest_mismatch", name, entry, requested)
        if entry.minimum_protocol_version is None:
            raise invalid(f"capability_manifest.{name}.minimum_protocol_version", "is required")
        floor = version_of(entry.minimum_protocol_version)
        if floor is None or floor < _MANIFEST_FLOOR or (advertised and floor > asked):
            raise _manifest_refusal("worker_capability_protocol_floor_mismatch", name, entry, requested)
    _check_version(body, _SUFFIX, STICKY_HISTORY_SUFFIX_VERSION, requested)
    _check_version(body, _MERGED, MERGED_TRANSITIONS_VERSION, requested)
    if _SUFFIX in body.capabilities and "sticky_execution" not in body.capabilities:
        entry = body.capability_manifest.get(_SUFFIX)
        raise _manifest_refusal("worker_capability_manifest_mismatch", _SUFFIX, entry, requested)


def _check_version(body: Register, name: str, version: int, requested: str) -> None:
    advertised = name in body.capabilities
    entry = body.capability_manifest.get(name)
    if entry is None and not advertised:
        return
    fits = (
        entry is not None and entry.supported == advertised and (not advertised or entry.version == version)
    )
    if not fits:
        raise _manifest_refusal("worker_capability_manifest_mismatch", name, entry, requested)


def _manifest_refusal(code: str, name: str, entry: Capability | None, requested: str) -> Refused:
    return Refused(
        code,
        registered=False,
        capability=name,
        requested_version=requested,
        minimum_protocol_version=(entry and entry.minimum_protocol_version) or LEAST_WORKER_PROTOCOL,
        remediation=_REMEDIATION.get(name, _NEGOTIATION),
    )


def _fingerprints(given: dict[str, str]) -> dict[str, str]:
    trimmed = {name: fingerprint.strip() for name, fingerprint in given.items()}
    return {name: fingerprint for name, fingerprint in trimmed.items() if fingerprint}
