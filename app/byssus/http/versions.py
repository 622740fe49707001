"""The versions of the two planes, and the headers that ask for them."""

from __future__ import annotations

import re
from typing import NamedTuple

from byssus.errors import Refused

CONTROL_PLANE_VERSION = "2"
CONTROL_PLANE_HEADER = b"x-durable-workflow-control-plane-version"
WORKER_PROTOCOL = "1.20"
LEAST_WORKER_PROTOCOL = "1.19"
WORKER_PROTOCOL_HEADER = b"x-durable-workflow-protocol-version"

_VERSION = re.compile(r"([0-9]{1,4})\.([0-9]{1,4})")


class Version(NamedTuple):
    """MAJOR.MINOR."""

    major: int
    minor: int


def version_of(text: str) -> Version | None:
    """The version that a text names, or None."""
    parts = _VERSION.fullmatch(text.strip())
    return Version(int(parts[1]), int(parts[2])) if parts else None


_LEAST = Version(1, 19)
_MOST = Version(1, 20)


def check_control_plane(requested: str) -> None:
    """Refuse a request whose control-plane version is missing (empty) or another one."""
    if requested == CONTROL_PLANE_VERSION:
        return
    raise Refused(
        "unsupported_control_plane_version" if requested else "missing_control_plane_version",
        supported_version=CONTROL_PLANE_VERSION,
        requested_version=requested or None,
        remediation="Send X-Durable-Workflow-Control-Plane-Version: 2.",
    )


def check_worker_protocol(requested: str) -> None:
    """Refuse a request whose worker protocol version is missing (empty) or not supported."""
    if requested == WORKER_PROTOCOL:
        return
    version = version_of(requested)
    if version is not None and _LEAST <= version <= _MOST:
        return
    raise Refused(
        "unsupported_protocol_version" if requested else "missing_protocol_version",
        supported_version=WORKER_PROTOCOL,
        requested_version=requested or None,
        remediation=f"Send X-Durable-Workflow-Protocol-Version: {WORKER_PROTOCOL}.",
    )
