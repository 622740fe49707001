"""Long polls: a held poll is an entry in memory, and one claimer per queue asks the store for all of them.

A queue's claimer makes at most one claim call at a time, for up to ten waiting polls in the order they came.
A new poll is tried at once; a hint lets all that wait be tried again, until one claim takes something and
leaves someone empty-handed: then the hint is used up. A hint that something is held for one worker lets one
poll of that worker be tried, in turns with the others.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec
import structlog

from byssus.http.call import Call, ClientGone, Receive
from byssus.http.claims import activity_claim, workflow_claim
from byssus.http.documents import document
from byssus.store import Arguments, Store
from byssus.store import transitions as t
from byssus.store.answer import Answer
from byssus.store.transitions import Transition
from byssus.wakeups import QueueKey, Wakeups, run_transition

BATCH_SIZE = 10
EMPTY = Answer("empty", '{"task":null,"poll_status":"empty"}', None)

_log = structlog.get_logger()


class _Task(msgspec.Struct):
    task_id: str
    workflow_task_attempt: int = 0
    activity_attempt_id: str = ""


class _Claimed(msgspec.Struct):
    task: _Task


_claimed = msgspec.json.Decoder(_Claimed)


@dataclass(frozen=True, slots=True)
class Kind:
    """One of the two kinds of tasks: how it is claimed, and how a claim is given back."""

    name: str
    claim: Transition
    release: Transition

    def document(self, call: Call[Any]) -> str:
        """The poll as the claim reads it."""
        claim = workflow_claim if self is WORKFLOW else activity_claim
        return document(claim(call, call.body), "body")

    def release_arguments(self, namespace: str, worker_id: str, claim: Answer) -> Arguments:
        """Arguments that give a claim back."""
        task = _claimed.decode(claim.body).task
        fence: dict[str, str | int | None] = {
            "namespace": namespace,
            "task_id": task.task_id,
            "lease_owner": worker_id,
        }
        if self is WORKFLOW:
            return {**fence, "attempt": task.workflow_task_attempt}
        return {**fence, "activity_attempt_id": task.activity_attempt_id}


WORKFLOW = Kind("workflow", t.CLAIM_WORKFLOW_TASK, t.RELEASE_WORKFLOW_TASK)
ACTIVITY = Kind("activity", t.CLAIM_ACTIVITY_TASK, t.RELEASE_ACTIVITY_TASK)


class Waiter:
    """A held poll. Its future gets the answer, or a fault."""

    __slots__ = ("answer", "document", "expired", "gone", "in_claim", "named", "tried", "worker_id")

    def __init__(self, document: str, worker_id: str, expired: bool) -> None:
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.document = document
        self.worker_id = worker_id
        self.expired = expired
        self.gone = False
        self.tried = False
        self.in_claim = False
        self.named = False


class Polls:
    """All held polls of this process."""

    def __init__(self, store: Store, wakeups: Wakeups) -> None:
        self.store = store
        self.wakeups = wakeups
        self._is_closed = False
        self._claimers: dict[QueueKey, Claimer] = {}
        self._releases: set[asyncio.Task[None]] = set()

    async def poll(self, kind: Kind, call: Call[Any]) -> Answer:
        """The task for a poll, or EMPTY when its time is up.

        Raises ClientGone when the client has hung up.
        """
        document = kind.document(call)
        if self._is_closed:
            return EMPTY
        seconds = call.body.timeout_seconds
        if seconds is None:
            seconds = call.settings.worker_poll_timeout
        claimer = self._claimer(kind, call.namespace, call.body.task_queue)
        waiter = Waiter(document, call.body.worker_id, expired=seconds == 0)
        claimer.add(waiter)

        deadline = asyncio.get_running_loop().call_later(seconds, claimer.expire, waiter)
        watch = asyncio.get_running_loop().create_task(hung_up(call.receive))
        watch.add_done_callback(lambda ended: None if ended.cancelled() else claimer.leave(waiter))
        try:
            answer = await waiter.answer
            if waiter.gone and answer.outcome == "leased":
                self.give_back(claimer, waiter, answer)
            if waiter.gone:
                raise ClientGone
            return answer
        except asyncio.CancelledError:
            claimer.leave(waiter)
            raise
        finally:
            deadline.cancel()
            watch.cancel()

    def close(self) -> None:
        """Answer every held poll: the server is stopping.

        Polls that come later are answered empty at once.
        """
        self._is_closed = True
        for claimer in list(self._claimers.values()):
            claimer.expire_all()

    def waiting_workers(self) -> list[tuple[str, str]]:
        """The (namespace, worker id) pairs with a poll for workflow tasks waiting here, in order."""
        waiting = (
            (claimer.key[1], worker_id)
            for claimer in self._claimers.values()
            if claimer.kind is WORKFLOW
            for worker_id in claimer.waiting_workers()
        )
        return sorted(waiting)

    async def released(self) -> None:
        """Wait until every claim that is being given back has been."""
        while self._releases:
            await asyncio.wait(self._releases)

    def forget(self, claimer: Claimer) -> None:
        """Nobody waits at this claimer any more."""
        del self._claimers[claimer.key]
        self.wakeups.forget_queue(claimer.key)

    def give_back(self, claimer: Claimer, waiter: Waiter, claim: Answer) -> None:
        """Release a claim whose client has gone, so that another worker gets the task at once."""
        release = asyncio.get_running_loop().create_task(self._release(claimer, waiter, claim))
        self._releases.add(release)
        release.add_done_callback(self._releases.discard)

    async def _release(self, claimer: Claimer, waiter: Waiter, claim: Answer) -> None:
        kind = claimer.kind
        try:
            arguments = kind.release_arguments(claimer.key[1], waiter.worker_id, claim)
            [answer] = await run_transition(self.store, self.wakeups, kind.release, arguments)
            _log.info("claim_given_back", transition=kind.release.name, outcome=answer.outcome)
        except Exception:
            _log.warning("claim_not_given_back", transition=kind.release.name, exc_info=True)

    def _claimer(self, kind: Kind, namespace: str, task_queue: str) -> Claimer:
        key = (kind.name, namespace, task_queue)
        claimer = self._claimers.get(key)
        if claimer is None:
            claimer = self._claimers[key] = Claimer(kind, key, self)
            self.wakeups.listen_to_queue(key, claimer)
        return claimer


class Claimer:
    """Claims for the polls that wait for one queue."""

    def __init__(self, kind: Kind, key: QueueKey, polls: Polls) -> None:
        self.kind = kind
        self.key = key
        self._polls = polls
        self._waiting: dict[Waiter, None] = {}
        self._by_worker: dict[str, dict[Waiter, None]] = {}
        self._due: deque[Waiter] = deque()
        self._named: deque[Waiter] = deque()
        self._wakes = 0
        self._to_publish = False
        self._claiming: asyncio.Task[None] | None = None

    def add(self, waiter: Waiter) -> None:
        """A poll has come: try it."""
        self._waiting[waiter] = None
        self._by_worker.setdefault(waiter.worker_id, {})[waiter] = None
        self._due.append(waiter)
        self._start()

    def waiting_workers(self) -> Iterable[str]:
        """The workers that have a poll waiting."""
        return self._by_worker

    def wake(self, *, local: bool) -> None:
        """Something may be there: try all that wait."""
        self._wakes += 1
        self._to_publish = self._to_publish or local
        self._due = deque(self._waiting)
        self._start()

    def wake_worker(self, worker_id: str) -> bool:
        """Something may be held for this worker: try one more of its polls. Whether it has any."""
        polls = self._by_worker.get(worker_id)
        if polls is None:
            return False
        unnamed = [poll for poll in polls if not poll.named]
        # One in the middle of a claim may get something else by it, and then be there no more.
        waiter = next((poll for poll in unnamed if not poll.in_claim), None) or next(iter(unnamed), None)
        if waiter is not None:
            waiter.named = True
            self._named.append(waiter)
            self._start()
        return True

    def expire(self, waiter: Waiter) -> None:
        """A poll's time is up. In the middle of a claim, or before its first, that claim still counts."""
        waiter.expired = True
        if waiter.tried and not waiter.in_claim:
            self._settle(waiter, EMPTY)

    def expire_all(self) -> None:
        """Every poll's time is up."""
        for waiter in list(self._waiting):
            self.expire(waiter)

    def leave(self, waiter: Waiter) -> None:
        """A poll's client has gone. In the middle of a claim, what it gets is given back."""
        waiter.gone = True
        if not waiter.in_claim:
            self._settle(waiter, EMPTY)

    def _start(self) -> None:
        if self._claiming is None:
            self._claiming = asyncio.get_running_loop().create_task(self._claim_all())

    async def _claim_all(self) -> None:
        # In turns, so that no flood of held tasks keeps other polls waiting.
        while self._named or self._due:
            if batch := self._next_batch(self._named):
                await self._claim(batch)
            if batch := self._next_batch(self._due):
                await self._claim(batch, uses_up_hint=True)
        self._claiming = None
        if self._to_publish:
            self._to_publish = False
            self._polls.wakeups.publish(self.key)
        if not self._waiting:
            self._polls.forget(self)

    def _next_batch(self, queue: deque[Waiter]) -> list[Waiter]:
        batch: list[Waiter] = []
        while queue and len(batch) < BATCH_SIZE:
            waiter = queue.popleft()
            if queue is self._named:
                waiter.named = False
            if waiter in self._waiting:
                waiter.tried = waiter.in_claim = True
                batch.append(waiter)
        # A claim locks registrations in the order of its polls: always the same, whoever calls.
        batch.sort(key=lambda waiter: waiter.worker_id.encode())
        return batch

    async def _claim(self, batch: list[Waiter], *, uses_up_hint: bool = False) -> None:
        wakes = self._wakes
        polls = "[" + ",".join(waiter.document for waiter in batch) + "]"
        try:
            answers = await run_transition(
                self._polls.store, self._polls.wakeups, self.kind.claim, {"polls": polls}
            )
        except Exception as fault:
            self._fail(batch, fault)
            return
        leased = empty = 0
        for waiter, answer in zip(batch, answers, strict=True):
            waiter.in_claim = False
            leased += answer.outcome == "leased"
            if answer.outcome != "empty":
                self._settle(waiter, answer)
            else:
                empty += 1
                if waiter.expired or waiter.gone:
                    self._settle(waiter, EMPTY)
        if uses_up_hint and leased and empty and wakes == self._wakes:
            self._use_up_hint()

    def _use_up_hint(self) -> None:
        self._to_publish = False
        self._due = deque(waiter for waiter in self._due if not waiter.tried)

    def _settle(self, waiter: Waiter, answer: Answer) -> None:
        if waiter not in self._waiting:
            return
        self._forget(waiter)
        if not waiter.answer.done():
            waiter.answer.set_result(answer)
        elif answer.outcome == "leased":
            self._polls.give_back(self, waiter, answer)
        if not self._waiting and self._claiming is None:
            self._polls.forget(self)

    def _forget(self, waiter: Waiter) -> None:
        del self._waiting[waiter]
        polls = self._by_worker[waiter.worker_id]
        del polls[waiter]
        if not polls:
            del self._by_worker[waiter.worker_id]

    def _fail(self, batch: Iterable[Waiter], fault: Exception) -> None:
        for waiter in batch:
            waiter.in_claim = False
            self._forget(waiter)
            if not waiter.answer.done():
                waiter.answer.set_exception(fault)


async def hung_up(receive: Receive) -> None:
    """Return when the client has disconnected."""
    while (await receive())["type"] != "http.disconnect":
        pass
