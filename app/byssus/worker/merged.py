"""The official worker, taught `merged_transitions`: a completion carries what the worker would ask for next.

Each override below says what it hooks into and why. When the SDK merges by itself, this module goes.
"""

from __future__ import annotations

import asyncio
import contextvars
import copy
import logging
import time
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import durable_workflow
from durable_workflow import Client
from durable_workflow.errors import DurableWorkflowError, InvalidArgument, ServerError
from durable_workflow.worker import WORKFLOW_HISTORY_PAGE_SIZE

from byssus.worker.continuation import Basis, Rehearsal, is_terminal, may_continue, scheduled_position
from byssus.worker.histories import HistoryCache, ReceivedHistory
from byssus.worker.suffix import may_replay, tail_of
from byssus.worker.turns import Document, Kind, Slots, Turn, current_turn

# A tail is of before the workflow task that comes with it.
_KINDS: tuple[Kind, ...] = ("activity", "workflow")

LONGEST_ROW = 100
"""How many activities of runs that are continued a slot has in a row, before it is others' turn."""

REHEARSAL_SECONDS = 0.5
"""For how long the result of an activity waits for what the workflow does with it."""

_COUNTED = (
    "carried_workflow_polls",
    "carried_workflow_tasks",
    "carried_activity_polls",
    "carried_activity_tasks",
    "continuations_applied",
)

log = logging.getLogger(__name__)


class MergingWorker(durable_workflow.Worker):
    """`durable_workflow.Worker` that merges, once it has been told to begin with it."""

    _histories: HistoryCache | None = None
    """What is kept of runs, if anything is."""

    _is_merging = False
    _slots: dict[Kind, Slots]
    _poller_context: contextvars.Context

    def __init__(self, client: Client, **options: Any) -> None:
        super().__init__(client, **options)
        self._merged: Counter[str] = Counter()
        self._refusals: Counter[str] = Counter()
        self._rehearsals: set[asyncio.Task[list[Document]]] = set()

    def merged_metrics(self) -> dict[str, Any]:
        """Counts of what was carried.

        `carried_workflow_polls` and `carried_activity_polls`; the tasks that these brought,
        `carried_workflow_tasks` and `carried_activity_tasks`; `continuations_applied`; and
        `continuations_refused`, a count for each reason.
        """
        return {
            **{name: self._merged[name] for name in _COUNTED},
            "continuations_refused": dict(self._refusals),
        }

    def _begin_merging(self) -> None:
        """Carry parts from now on. Called when the worker has registered and before it polls."""
        self._is_merging = True
        # What a task of a poll loop runs in. Other tasks may have set variables of their own.
        self._poller_context = contextvars.copy_context()
        # Hook 4, slots. The SDK takes one when it polls and gives it back when the task is over. Here the
        # next task may have come by then: it gets the slot, without a poll that comes in between.
        self._slots = {
            "workflow": Slots(self.max_concurrent_workflow_tasks),
            "activity": Slots(self.max_concurrent_activity_tasks),
        }
        self._wf_semaphore, self._act_semaphore = self._slots["workflow"], self._slots["activity"]
        # Hook 5, completions. The SDK's client builds them and sends them, with retries; so the parts are
        # added in between, by a copy of it. All else goes out by another copy, which is left as it was.
        carrying, client = copy.copy(self.client), copy.copy(self.client)
        vars(carrying)["_request"] = partial(self._request, carrying._request)  # noqa: SLF001
        vars(client)["complete_workflow_task"] = carrying.complete_workflow_task
        vars(client)["complete_activity_task"] = carrying.complete_activity_task
        self.client = client

    # Hook 6, dispatch. The request that completes a task has only its id; so the task is noted where the SDK
    # starts to work on it, which it does in an asyncio task of its own.
    async def _dispatch_workflow_task(self, task: Document) -> list[Document] | None:
        with self._turn_of("workflow", task):
            return await super()._dispatch_workflow_task(task)

    async def _dispatch_activity_task(self, task: Document) -> None:
        with self._turn_of("activity", task):
            await super()._dispatch_activity_task(task)

    # Hook 7, leases. The SDK renews that of a workflow task before each local activity, so that none begins
    # when the run is over or another worker's. One that was there a moment ago need not be asked for again.
    async def _renew_local_workflow_lease(self, task: Document) -> None:
        turn = current_turn.get()
        is_stopping = self._local_activity_shutdown.is_set()
        if self._is_merging and not is_stopping and turn is not None and turn.is_surely_leased():
            return
        await super()._renew_local_workflow_lease(task)
        if turn is not None:
            turn.leased_at = time.monotonic()

    @contextmanager
    def _turn_of(self, kind: Kind, task: Document) -> Iterator[None]:
        turn = current_turn.get() or Turn(kind, task)
        current_turn.set(turn)
        try:
            yield
        finally:
            self._return_other_slot(turn)

    async def _request(
        self,
        send: Callable[..., Awaitable[Any]],
        method: str,
        path: str,
        *,
        json: Any = None,
        **options: Any,
    ) -> Any:
        """Send a request of the SDK; with what it carries, if it completes the task of this turn."""
        turn = current_turn.get()
        if turn is None or not turn.is_completed_by(path):
            return await send(method, path, json=json, **options)
        if turn.carried is None:
            turn.carried = await self._carried(turn, json)
        began = time.perf_counter()
        try:
            answer = await send(method, path, json={**json, **turn.carried}, **options)
        except DurableWorkflowError as refusal:
            if not turn.carried or not _may_be_for_parts(refusal):
                raise
            log.warning("%s was refused with what it carried, and is sent without: %s", path, refusal)
            turn.carried = {}
            return await send(method, path, json=json, **options)
        if isinstance(answer, dict):
            self._take(turn, answer, time.perf_counter() - began)
        return answer

    async def _carried(self, turn: Turn, body: Document) -> Document:
        """What a completion carries: nothing when the worker is stopping."""
        continuation = await self._continuation(turn, body.get("result"))
        if self._stop.is_set():
            return {}
        if continuation is not None:
            return {"continuation": {**continuation, **await self._activity_poll(turn, body)}}
        return {**await self._workflow_poll(turn), **await self._activity_poll(turn, body)}

    async def _continuation(self, turn: Turn, result: object) -> Document | None:
        """What the workflow does with an activity's result, if that can be said ahead."""
        basis, histories = turn.basis, self._histories
        if basis is None or histories is None or self._stop.is_set():
            return None
        kept = histories.lookup(basis.key)
        if kept is None or kept.last_sequence != basis.last_sequence:
            return None
        task = basis.workflow_task(kept, turn.task, result)
        commands = await self._rehearsed(task)
        # Whatever has happened to the run meanwhile has changed what is kept.
        if not may_continue(commands) or histories.lookup(basis.key) is not kept:
            return None
        continuation = {"basis_sequence": basis.last_sequence, "commands": commands}
        if not is_terminal(commands):
            history = ReceivedHistory(task["history_events"][:-1], kept)
            continuation["sticky_cache"] = self._sticky_cache_claim(task, history, commands)
        return continuation

    async def _rehearsed(self, task: Document) -> list[Document]:
        """The commands of a workflow task that is to come; none when that takes too long, or fails."""
        if self._slots["workflow"].locked():
            return []
        await self._reserve_workflow_capacity()
        rehearsal = asyncio.create_task(Rehearsal(self).commands(task))
        self._rehearsals.add(rehearsal)
        rehearsal.add_done_callback(self._end_rehearsal)
        # The activity's result does not wait for long. Workflow code cannot be stopped, and keeps its slot.
        await asyncio.wait({rehearsal}, timeout=REHEARSAL_SECONDS)
        if not rehearsal.done() or rehearsal.cancelled() or rehearsal.exception() is not None:
            return []
        return rehearsal.result()

    def _end_rehearsal(self, rehearsal: asyncio.Task[list[Document]]) -> None:
        self._rehearsals.discard(rehearsal)
        self._release_workflow_capacity()
        if not rehearsal.cancelled() and (error := rehearsal.exception()) is not None:
            log.debug("no continuation: the rehearsal failed", exc_info=error)

    async def _workflow_poll(self, turn: Turn) -> Document:
        """A poll for a workflow task, if there is a slot for that."""
        if not self.workflows or self._update_validation_tasks_supported:
            return {}
        if not await self._has_slot(turn, "workflow"):
            return {}
        return {"workflow_poll": {**self._poll("workflow"), "history_page_size": WORKFLOW_HISTORY_PAGE_SIZE}}

    async def _activity_poll(self, turn: Turn, body: Document) -> Document:
        """A poll for an activity, if there is a slot for that; it names the history that is kept."""
        # Threads outlive the slots of activities that were given up. While they do, the SDK does not poll.
        busy = sum(not thread.done() for thread in self._remote_activity_threads)
        busy += len(self._remote_activity_processes)
        if not self.activities or busy >= self.max_concurrent_activity_tasks:
            return {}
        if not await self._has_slot(turn, "activity"):
            return {}
        kept = self._kept_sequence(turn, body) if turn.row < LONGEST_ROW else None
        after = {} if kept is None else {"history_after_sequence": kept}
        return {"activity_poll": {**self._poll("activity"), **after}}

    def _poll(self, kind: Kind) -> Document:
        self._merged[f"carried_{kind}_polls"] += 1
        return {
            "worker_id": self.worker_id,
            "task_queue": self.task_queue,
            "poll_request_id": f"{kind}-poll-{uuid.uuid4().hex}",
            **({"build_id": self.build_id} if self.build_id else {}),
        }

    async def _has_slot(self, turn: Turn, kind: Kind) -> bool:
        """Whether a task of this kind would have a slot: that of the turn, or a free one, now reserved."""
        if turn.kind == kind:
            return True
        if self._slots[kind].locked():
            return False
        if kind == "workflow":
            await self._reserve_workflow_capacity()
        else:
            await self._act_semaphore.acquire()
        turn.other_slot = True
        return True

    def _return_other_slot(self, turn: Turn) -> None:
        if not turn.other_slot:
            return
        turn.other_slot = False
        if turn.kind == "activity":
            self._release_workflow_capacity()
        else:
            self._act_semaphore.release()

    def _kept_sequence(self, turn: Turn, body: Document) -> int | None:
        """Through where the turn's run is kept, if its completion does not say otherwise to the server."""
        key = self._sticky_cache_key(turn.task)
        kept = None if key is None or self._histories is None else self._histories.lookup(key)
        if kept is None:
            return None
        said = (body.get("sticky_cache") or {}).get("history_last_sequence")
        return kept.last_sequence if turn.kind == "activity" or said == kept.last_sequence else None

    def _take(self, turn: Turn, answer: Document, seconds: float) -> None:
        """Take what the answer of a completion brings."""
        if isinstance(outcome := answer.get("continuation"), dict):
            self._note_outcome(turn, outcome)
        for kind in _KINDS:
            if isinstance(poll := answer.get(f"{kind}_poll"), dict):
                task = poll.get("task")
                self._record_poll_metrics(kind, "empty" if task is None else "task", seconds)
                if task is not None:
                    self._merged[f"carried_{kind}_tasks"] += 1
                    basis = self._basis(poll)
                    self._start(turn, Turn(kind, task, basis, row=turn.row + 1 if basis else 0))

    def _note_outcome(self, turn: Turn, outcome: Document) -> None:
        if outcome.get("outcome") != "applied":
            self._refusals[str(outcome.get("reason"))] += 1
            return
        self._merged["continuations_applied"] += 1
        if outcome.get("run_status") != "waiting" and turn.basis is not None and self._histories is not None:
            self._histories.discard(turn.basis.key)

    def _basis(self, poll: Document) -> Basis | None:
        """What is kept of an activity's run with the tail that has come, if that is all of its history."""
        key, tail = self._sticky_cache_key(poll["task"]), tail_of(poll)
        if key is None or tail is None or self._histories is None:
            return None
        kept, (said, events) = self._histories.lookup(key), tail
        if kept is None or not may_replay(kept.sequences, said, events):
            return None
        position = scheduled_position(poll["task"], events)
        try:
            longer = kept.through(said.after).extended(events)
        except ValueError:
            return None
        if not self._histories.keep(key, longer) or position is None:
            return None
        return Basis(key, longer.last_sequence, position)

    def _start(self, turn: Turn, following: Turn) -> None:
        """Begin with a task that has come, in the slot that there is for it."""
        # Like a task that comes to a poll loop then. The server gives it to others when this worker has gone.
        if self._stop.is_set():
            return
        if turn.kind != following.kind:
            turn.other_slot = False
        else:
            self._slots[turn.kind].pass_on()
            if turn.kind == "workflow":
                self._workflow_reserved += 1
        context = self._poller_context.copy()
        context.run(current_turn.set, following)
        if following.kind == "workflow":
            context.run(self._admit_workflow_work, following.task, "workflow")
        else:
            context.run(self._track, self._dispatch_activity_task(following.task))


def _may_be_for_parts(refusal: DurableWorkflowError) -> bool:
    """Whether a completion was perhaps refused for what it carried, so that nothing is recorded yet."""
    if isinstance(refusal, ServerError):
        return refusal.status == 413 or refusal.reason() == "worker_capability_not_supported"
    return isinstance(refusal, InvalidArgument)
