"""What a worker and a server agree on when the worker registers."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Any

import durable_workflow
from durable_workflow import Client

HISTORY_SUFFIX = "sticky_history_suffix"
MERGED_TRANSITIONS = "merged_transitions"
SUPPORT = {"supported": True, "version": 1}
"""What both sides say of each, word for word."""

SDK_VERSION = "2.12.0"
"""The SDK whose methods are overridden. With another one nothing is opted into."""

log = logging.getLogger(__name__)


class RegisteringClient:
    """A client that reads the server's offer on the way in and adds the opting in on the way out.

    `agreed` has those of the wanted capabilities that were opted into.
    """

    def __init__(self, client: Client, wanted: Iterable[str]) -> None:
        self._client = client
        self._wanted = tuple(wanted)
        self.agreed: tuple[str, ...] = ()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    async def get_cluster_info(self) -> dict[str, Any]:
        """What the server says of itself; what is wanted and offered is agreed on."""
        info = await self._client.get_cluster_info()
        self.agreed = tuple(name for name in self._wanted if is_offered(info, name))
        if self.agreed and durable_workflow.__version__ != SDK_VERSION:
            log.warning(
                "%s left alone: needs SDK %s, this is %s",
                ", ".join(self.agreed),
                SDK_VERSION,
                durable_workflow.__version__,
            )
            self.agreed = ()
        return info

    async def register_worker(
        self, *, capabilities: list[str], capability_manifest: dict[str, Any], **registration: Any
    ) -> Any:
        """Register with what was agreed on, too."""
        return await self._client.register_worker(
            capabilities=[*capabilities, *self.agreed],
            capability_manifest={**capability_manifest, **dict.fromkeys(self.agreed, SUPPORT)},
            **registration,
        )


def is_offered(info: Mapping[str, Any], name: str) -> bool:
    """Whether the cluster information of a server offers a capability that can be opted into."""
    protocol = info.get("worker_protocol")
    offers = protocol.get("server_capabilities") if isinstance(protocol, Mapping) else None
    if not isinstance(offers, Mapping) or offers.get(name) != SUPPORT:
        return False
    # With renewed leases the SDK runs no activity but what an ordinary poll has brought.
    return name != MERGED_TRANSITIONS or offers.get("activity_lease_renewal") is not True
