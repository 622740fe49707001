"""Requests of a traffic, and which refusals each operation is documented to have."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from byssus.errors import ERRORS

Document = dict[str, Any]
PARTS = ("workflow_poll", "activity_poll")

_FENCE = {
    "task_not_found",
    "run_closed",
    "task_not_leased",
    "lease_owner_mismatch",
    "workflow_task_attempt_mismatch",
    "lease_expired",
}
_ACTIVITY_FENCE = {
    "attempt_not_found",
    "run_closed",
    "run_cancelled",
    "run_terminated",
    "stale_attempt",
    "lease_owner_mismatch",
    "activity_not_running",
    "lease_expired",
}
_TARGET = {"instance_not_found", "run_not_found", "historical_run_command_rejected", "run_not_active"}
_NOT_CARRIED = {"conflicting_completion", "worker_capability_not_supported"}
REFUSALS = {
    "register": set[str](),
    "deregister": {"worker_not_found", "worker_registration_lost_authority"},
    "heartbeat worker": {"worker_not_registered"},
    "poll workflow": {"worker_not_registered"},
    "poll activity": {"worker_not_registered"},
    "read page": _FENCE,
    "heartbeat workflow": _FENCE,
    "complete workflow": _FENCE | _NOT_CARRIED | {"invalid_commands", "sticky_cache_identity_mismatch"},
    "fail workflow": _FENCE | {"conflicting_completion"},
    "complete activity": _ACTIVITY_FENCE | _NOT_CARRIED,
    "fail activity": _ACTIVITY_FENCE | {"conflicting_completion"},
    "heartbeat activity": _ACTIVITY_FENCE,
    "start": {"instance_already_started"},
    "signal": _TARGET,
    "cancel": _TARGET,
    "terminate": _TARGET,
    "describe": {"instance_not_found"},
    "read history": {"instance_not_found", "run_not_found"},
}


@dataclass(frozen=True)
class Request:
    """A request. `can_repeat`: sent again word for word, it has no effect but that of the first."""

    operation: str
    method: Literal["GET", "POST", "DELETE"]
    path: str
    body: Document = field(default_factory=dict)
    can_repeat: bool = False

    @property
    def is_recorded(self) -> bool:
        """Whether a repeat is answered as the first was, whatever has happened since."""
        return self.can_repeat and self.method != "GET" and not self.operation.startswith(("poll ", "read "))

    @property
    def role(self) -> str:
        """Whose token it has."""
        return "worker" if self.path.startswith("/worker") else "operator"


@dataclass(frozen=True)
class Reply:
    """An answer. `after_unknown`: an earlier try of the same request had no answer."""

    status: int
    document: Document
    after_unknown: bool = False

    @property
    def is_success(self) -> bool:
        """Whether the server says that it did what it was asked."""
        return self.status < 300

    @property
    def outcome(self) -> str:
        """What the server did, or why it did not."""
        told = self.document.get("reason") or self.document.get("outcome") or self.document.get("poll_status")
        return str(told or self.status)

    @property
    def recorded(self) -> Document:
        """What a repeat has to be answered, too: all but the claims of carried polls, which may be over.

        A repeated start says that it is one.
        """
        return {name: value for name, value in self.document.items() if name not in (*PARTS, "retained")}

    def fault_of(self, request: Request) -> str | None:
        """What is wrong with getting this answer, or None."""
        if self.is_success:
            return None
        reason = self.document.get("reason")
        if reason not in REFUSALS[request.operation]:
            return f"{request} was answered {self.status} {self.document}"
        is_heartbeat = request.operation == "heartbeat worker"
        status = 404 if is_heartbeat else ERRORS[str(reason)].status
        return None if self.status == status else f"{request} was refused with {self.status}: {reason}"
