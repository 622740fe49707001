"""What the server says of itself: only what is true of it."""

from __future__ import annotations

from byssus import __version__
from byssus.http.claims import DEFAULT_HISTORY_PAGE, LARGEST_HISTORY_PAGE
from byssus.http.commands import MAX_COMMANDS, SUPPORTED_COMMANDS
from byssus.http.versions import CONTROL_PLANE_VERSION, LEAST_WORKER_PROTOCOL, WORKER_PROTOCOL
from byssus.http.workers import (
    DEREGISTRATION_RECEIPT_SECONDS,
    MERGED_TRANSITIONS_VERSION,
    STICKY_HISTORY_SUFFIX_VERSION,
)
from byssus.http.workflows import (
    FORBIDDEN_START_FIELDS,
    MAX_SEARCH_ATTRIBUTE_KEY_BYTES,
    MAX_SEARCH_ATTRIBUTE_VALUE_BYTES,
    STATUS_BUCKETS,
)
from byssus.settings import Settings

Document = dict[str, object]


def server_capabilities(settings: Settings) -> Document:
    """What workers may rely on."""
    return {
        "long_poll_timeout": settings.worker_poll_timeout,
        "history_page_size_default": DEFAULT_HISTORY_PAGE,
        "history_page_size_max": LARGEST_HISTORY_PAGE,
        "supported_workflow_task_commands": list(SUPPORTED_COMMANDS),
        "activity_retry_policy": True,
        "activity_timeouts": True,
        "non_retryable_failures": True,
        "sticky_execution": _sticky_execution(settings),
        "sticky_history_suffix": {
            "supported": settings.sticky_execution_enabled,
            "version": STICKY_HISTORY_SUFFIX_VERSION,
        },
        "merged_transitions": {"supported": True, "version": MERGED_TRANSITIONS_VERSION},
        "worker_deregistration_fencing": {
            "supported": True,
            "schema": "durable-workflow.v2.worker-deregistration.v1",
            "endpoint": "/worker/registrations/{workerId}/deregister",
            "receipt_retention_seconds": DEREGISTRATION_RECEIPT_SECONDS,
        },
    }


def _sticky_execution(settings: Settings) -> Document:
    if not settings.sticky_execution_enabled:
        return {"supported": False, "minimum_protocol_version": "1.18", "reason": "switched_off"}
    return {
        "supported": True,
        "minimum_protocol_version": "1.18",
        "default_ttl_seconds": settings.sticky_execution_ttl_seconds,
        "hold_seconds": settings.sticky_hold_seconds,
    }


def cluster_info(settings: Settings) -> Document:
    """The answer of GET /api/cluster/info."""
    return {
        "server_id": settings.server_id,
        "version": __version__,
        "default_namespace": settings.default_namespace,
        "capabilities": {
            "workflow_tasks": True,
            "activity_tasks": True,
            "signals": True,
            "queries": False,
            "updates": False,
            "schedules": False,
            "child_workflows": False,
            "continue_as_new": True,
            "activity_timeouts": True,
            "activity_retry_policy": True,
            "non_retryable_failures": True,
            "payload_codecs": ["avro"],
            "response_compression": ["gzip"] if settings.compression_enabled else [],
        },
        "limits": {
            "max_payload_bytes": settings.max_payload_bytes,
            "max_memo_bytes": settings.max_memo_bytes,
            "max_search_attributes": settings.max_search_attributes,
            "max_search_attribute_key_length": MAX_SEARCH_ATTRIBUTE_KEY_BYTES,
            "max_search_attribute_value_bytes": MAX_SEARCH_ATTRIBUTE_VALUE_BYTES,
            "max_operation_name_length": settings.max_operation_name_length,
        },
        "structural_limits": {"command_batch_size": MAX_COMMANDS},
        "control_plane": _control_plane(),
        "worker_protocol": {
            "version": WORKER_PROTOCOL,
            "minimum_version": LEAST_WORKER_PROTOCOL,
            "server_capabilities": server_capabilities(settings),
        },
        "auth_composition_contract": _auth_composition(),
    }


def _control_plane() -> Document:
    return {
        "version": CONTROL_PLANE_VERSION,
        "header": "X-Durable-Workflow-Control-Plane-Version",
        "request_contract": {
            "schema": "durable-workflow.v2.control-plane-request.contract",
            "version": 1,
            "operations": {
                "list": {"fields": {"status": {"canonical_values": list(STATUS_BUCKETS)}}},
                "start": {
                    "fields": {
                        "duplicate_policy": {"canonical_values": ["fail", "use-existing"]},
                        "execution_timeout_seconds": {"type": "integer", "min": 1},
                        "run_timeout_seconds": {"type": "integer", "min": 1},
                        "payload_codec": {"type": "string", "canonical_values": ["avro"]},
                        "request_id": {"type": "string", "max_bytes": 255},
                    },
                    "unsupported_fields": list(FORBIDDEN_START_FIELDS),
                },
            },
        },
    }


def _auth_composition() -> Document:
    return {
        "schema": "durable-workflow.v2.auth-composition.contract",
        "version": 1,
        "precedence": {"connection_values": [], "profile_selection": []},
        "canonical_environment": {
            "server_url": "DURABLE_WORKFLOW_SERVER_URL",
            "namespace": "DURABLE_WORKFLOW_NAMESPACE",
            "auth_token": "DURABLE_WORKFLOW_AUTH_TOKEN",
            "tls_verify": "DURABLE_WORKFLOW_TLS_VERIFY",
            "profile": "DW_ENV",
        },
        "auth_material": {
            "token": {"status": "supported", "effective_config_value": "redacted"},
            "mtls": {"status": "reserved"},
            "signed_headers": {"status": "reserved"},
        },
        "effective_config": {
            "required_fields": ["server_url", "namespace", "profile", "auth", "tls", "identity"]
        },
        "redaction": {"never_echo": ["bearer_tokens", "private_keys", "raw_authorization_headers"]},
    }
