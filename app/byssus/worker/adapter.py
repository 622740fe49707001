"""The official worker, taught `sticky_history_suffix` and `merged_transitions`.

Each override says what it hooks into and why: here what a worker registers and how it gets histories, in
`byssus.worker.merged` what its completions carry. When the SDK speaks these itself, the package goes.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, cast

from durable_workflow import Client, WorkflowExecution
from durable_workflow._sticky_workflow_cache import StickyWorkflowCache, complete_history
from durable_workflow.errors import InvalidArgument, ServerError
from durable_workflow.workflow import LocalActivityExecutionAborted

from byssus.worker.continuation import start_of
from byssus.worker.histories import EncodedHistory, Event, HistoryCache, ReceivedHistory
from byssus.worker.merged import MergingWorker
from byssus.worker.registration import HISTORY_SUFFIX, MERGED_TRANSITIONS, RegisteringClient
from byssus.worker.suffix import Announced, announced, is_continued, may_replay

_WHOLE_HISTORY_TOKEN = "MA=="
_STICKY_MODES = ("sticky_hit_expected", "forced_cold_replay")


class Worker(MergingWorker):
    """`durable_workflow.Worker` that needs fewer requests, and less history with a `sticky_cache_capacity`.

    Whether it gets that is up to the server; without it is the official worker. `merged_transitions` false:
    no completion carries anything. Of its `sticky_cache_metrics()`, `hit` counts the suffixes that were used,
    and `forced_cold_replay` the whole histories that were read for want of what was expected to be kept.
    """

    def __init__(self, client: Client, *, merged_transitions: bool = True, **options: Any) -> None:
        super().__init__(client, **options)
        self._may_merge = merged_transitions

    # Hook 1, registration. The SDK builds all of it in one method, from tables of its own, so what opts in is
    # added where it goes out: while the SDK registers, its client is one that adds it. The cache is exchanged
    # here too, because only now it is known what the server speaks. A worker registers once.
    async def _register(self) -> None:
        client, snapshots = self.client, self._sticky_cache
        wanted = {HISTORY_SUFFIX: snapshots.enabled, MERGED_TRANSITIONS: self._may_merge}
        registering = RegisteringClient(client, [name for name, is_wanted in wanted.items() if is_wanted])
        self.client = cast(Client, registering)
        try:
            await super()._register()
        finally:
            self.client = client
        if HISTORY_SUFFIX in registering.agreed:
            self._histories = HistoryCache(snapshots.capacity, snapshots.max_bytes, snapshots.ttl_seconds)
            self._sticky_cache = cast(StickyWorkflowCache, self._histories)
        if MERGED_TRANSITIONS in registering.agreed:
            self._begin_merging()

    # The SDK has another loop for this, which has one task at a time and hands out no slots.
    async def run_until(
        self,
        *,
        workflow_id: str,
        timeout: float = 60.0,  # noqa: ASYNC109 (the SDK's)
        poll_interval: float = 0.5,
    ) -> WorkflowExecution:
        """Run until a workflow has ended, one task after the other: no completion carries anything."""
        self._may_merge = False
        return await super().run_until(workflow_id=workflow_id, timeout=timeout, poll_interval=poll_interval)

    # Hook 2, the history of a claim. The SDK asks this method for the events to replay: here the rule of the
    # suffix stands in for its comparison of snapshots. Paging stays the SDK's.
    async def _load_workflow_claim_history(
        self, task: dict[str, Any], *, first_page_token: str | None = None
    ) -> list[Event]:
        kept = self._histories
        if kept is None:
            return await super()._load_workflow_claim_history(task, first_page_token=first_page_token)
        if first_page_token is not None:
            history = await super()._load_workflow_claim_history(task, first_page_token=first_page_token)
            return _received(task, history)
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
        prefix = prefix.through(said.after)
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
        return _received(task, history)

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


def _is_whole(history: list[Event], last: int) -> bool:
    return complete_history(history) and len(history) >= last


def _received(task: dict[str, Any], history: list[Event]) -> ReceivedHistory:
    """A history read from its beginning, to be kept if that is what it is."""
    encoded = None
    if complete_history(history):
        with suppress(ValueError):
            encoded = EncodedHistory.of(start_of(task)).extended(history)
    return ReceivedHistory(history, encoded)


def _extended(kept: EncodedHistory, events: list[Event]) -> EncodedHistory | None:
    try:
        return kept.extended(events)
    except ValueError:
        return None
