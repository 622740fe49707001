"""The official worker, taught `sticky_history_suffix`.

Each override below says what it hooks into and why. When the SDK speaks the suffix itself, this
module goes.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, cast

import durable_workflow
from durable_workflow import Client
from durable_workflow._sticky_workflow_cache import StickyWorkflowCache, complete_history
from durable_workflow.errors import InvalidArgument, ServerError
from durable_workflow.workflow import LocalActivityExecutionAborted

from byssus.worker.histories import EncodedHistory, Event, HistoryCache, ReceivedHistory
from byssus.worker.suffix import Announced, announced, is_continued, may_replay

CAPABILITY = "sticky_history_suffix"
SUPPORT = {"supported": True, "version": 1}
"""What both sides say of it, word for word."""

SDK_VERSION = "2.12.0"
"""The SDK whose methods are overridden here. With another one nothing is opted into."""

_WHOLE_HISTORY_TOKEN = "MA=="
_STICKY_MODES = ("sticky_hit_expected", "forced_cold_replay")

log = logging.getLogger(__name__)


class Worker(durable_workflow.Worker):
    """`durable_workflow.Worker` that asks for suffixes of histories if it has a `sticky_cache_capacity`.

    Whether it gets them is up to the server; without them it is the official worker. Of its
    `sticky_cache_metrics()`, `hit` counts the suffixes that were used, and `forced_cold_replay` the whole
    histories that were read for want of what was expected to be kept.
    """

    _histories: HistoryCache | None = None
    """What is kept of runs, once suffixes are agreed on."""

    # Hook 1, registration. The SDK builds all of it in one method, from tables of its own, so what opts in is
    # added where it goes out: while the SDK registers, its client is one that adds it. The cache is exchanged
    # here too, because only now it is known what the server speaks. A worker registers once.
    async def _register(self) -> None:
        client, snapshots = self.client, self._sticky_cache
        registering = _RegisteringClient(client, may_opt_in=snapshots.enabled)
        self.client = cast(Client, registering)
        try:
            await super()._register()
        finally:
            self.client = client
        if registering.opted_in:
            self._histories = HistoryCache(snapshots.capacity, snapshots.max_bytes, snapshots.ttl_seconds)
            self._sticky_cache = cast(StickyWorkflowCache, self._histories)

    # Hook 2, the history of a claim. The SDK asks this method for the events to replay: here the rule of the
    # suffix stands in for its comparison of snapshots. Paging stays the SDK's.
    async def _load_workflow_claim_history(
        self, task: dict[str, Any], *, first_page_token: str | None = None
    ) -> list[Event]:
        kept = self._histories
        if kept is None:
            return await super()._load_workflow_claim_history(task, first_page_token=first_page_token)
        if first_page_token is not None:
            return _received(
                await super()._load_workflow_claim_history(task, first_page_token=first_page_token)
            )
        return await self._continued_history(task, kept) or await self._cold_history(task, kept)

    # Hook 3, what a completion says is kept. An acknowledgement without commands carries nothing: the server
    # goes on from the last completion, so what is kept must stay at that, too.
    def _sticky_cache_claim(
        self, task: dict[str, Any], history: list[Event], commands: list[dict[str, Any]]
    ) -> dict[str, Any] | None:
        if self._histories is None:
            return super()._sticky_cache_claim(task, history, commands)
        claim = super()._sticky_cache_claim(task, history, commands) if commands else None
        return None if claim is None else {**claim, "history_last_sequence": len(history)}

    async def _continued_history(self, task: dict[str, Any], kept: HistoryCache) -> ReceivedHistory | None:
        """What is kept of the run with the suffix that the task brings; None when the two do not fit."""
        said, key = announced(task), self._sticky_cache_key(task)
        if said is None or key is None or task.get("sticky_replay_mode") != "sticky_hit_expected":
            return None
        prefix = kept.lookup(key)
        if prefix is None or not is_continued(prefix.sequences, said):
            return None
        suffix = await self._delivered(task)
        if suffix is None or not may_replay(prefix.sequences, said, suffix):
            return None
        kept.record_replay(hit=True)
        return ReceivedHistory(prefix.events() + suffix, _extended(prefix, suffix))

    async def _cold_history(self, task: dict[str, Any], kept: HistoryCache) -> ReceivedHistory:
        """The whole history: what the task brings if it is that, and else read anew on this lease.

        Raises LocalActivityExecutionAborted, by which the SDK leaves a claim alone, if it cannot be had.
        """
        after, last = announced(task) or Announced(0, 0)
        key = self._sticky_cache_key(task)
        if key is not None:
            kept.discard(key)
            kept.record_replay(hit=False, forced=after > 0 or task.get("sticky_replay_mode") in _STICKY_MODES)
        history = await self._delivered(task) if after == 0 else None
        if history is None or not _is_whole(history, last):
            history = await self._fetch_workflow_claim_history_pages(task, [], _WHOLE_HISTORY_TOKEN)
        if not _is_whole(history, last):
            raise LocalActivityExecutionAborted("the server did not deliver the history from its beginning")
        return _received(history)

    async def _delivered(self, task: dict[str, Any]) -> list[Event] | None:
        """The events that the task and the pages after it bring; None when the pages cannot be read."""
        inline = list(task.get("history_events") or [])
        token = task.get("next_history_page_token")
        try:
            return await self._fetch_workflow_claim_history_pages(task, inline, token)
        except (InvalidArgument, LocalActivityExecutionAborted):
            return None
        except ServerError as error:
            if error.reason() != "invalid_page_token":
                raise
            return None


class _RegisteringClient:
    """A client that reads the server's offer on the way in and adds the opting in on the way out."""

    def __init__(self, client: Client, *, may_opt_in: bool) -> None:
        self._client = client
        self._may_opt_in = may_opt_in
        self.opted_in = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    async def get_cluster_info(self) -> dict[str, Any]:
        info = await self._client.get_cluster_info()
        self.opted_in = self._may_opt_in and _is_offered(info)
        if self.opted_in and durable_workflow.__version__ != SDK_VERSION:
            log.warning(
                "history suffixes are left alone: they need SDK %s, this is %s",
                SDK_VERSION,
                durable_workflow.__version__,
            )
            self.opted_in = False
        return info

    async def register_worker(
        self, *, capabilities: list[str], capability_manifest: dict[str, Any], **registration: Any
    ) -> Any:
        if self.opted_in:
            capabilities = [*capabilities, CAPABILITY]
            capability_manifest = {**capability_manifest, CAPABILITY: SUPPORT}
        return await self._client.register_worker(
            capabilities=capabilities, capability_manifest=capability_manifest, **registration
        )


def _is_offered(info: Mapping[str, Any]) -> bool:
    protocol = info.get("worker_protocol")
    capabilities = protocol.get("server_capabilities") if isinstance(protocol, Mapping) else None
    return isinstance(capabilities, Mapping) and capabilities.get(CAPABILITY) == SUPPORT


def _is_whole(history: list[Event], last: int) -> bool:
    return complete_history(history) and len(history) >= last


def _received(history: list[Event]) -> ReceivedHistory:
    """A history read from its beginning, to be kept if that is what it is."""
    return ReceivedHistory(
        history, _extended(EncodedHistory(), history) if complete_history(history) else None
    )


def _extended(kept: EncodedHistory, events: list[Event]) -> EncodedHistory | None:
    try:
        return kept.extended(events)
    except ValueError:
        return None
