"""The order in which a queue's claimer asks for its polls, seen by a store that answers when it is told."""

from __future__ import annotations

import asyncio
import json
from collections import Counter

from byssus.http.polls import WORKFLOW, Claimer, Polls, Waiter
from byssus.store import Arguments, Notifier
from byssus.store.answer import Answer
from byssus.store.transitions import Transition
from byssus.wakeups import Wakeups


class SlowStore:
    """Has tasks for workers by name; each claim waits for the test to let it go."""

    engine = "none"
    notifier: Notifier | None = None

    def __init__(self) -> None:
        self.tasks: Counter[str] = Counter()
        self.claims: asyncio.Queue[list[str]] = asyncio.Queue()
        self.answered = asyncio.Event()

    async def open(self) -> None:
        """There is nothing to open."""

    async def close(self) -> None:
        """There is nothing to close."""

    async def call(self, transition: Transition, arguments: Arguments) -> list[Answer]:
        workers: list[str] = json.loads(str(arguments["polls"]))
        self.claims.put_nowait(workers)
        self.answered.clear()
        await self.answered.wait()
        return [self._answer(worker) for worker in workers]

    def _answer(self, worker: str) -> Answer:
        if not self.tasks[worker]:
            return Answer("empty", "{}", None)
        self.tasks[worker] -= 1
        return Answer("leased", "{}", None)

    async def next_claim(self) -> list[str]:
        """The workers of the claim that is under way next."""
        async with asyncio.timeout(5):
            return await self.claims.get()


def claimer_of(store: SlowStore) -> Claimer:
    wakeups = Wakeups(None)
    claimer = Claimer(WORKFLOW, ("workflow", "default", "q"), Polls(store, wakeups))
    wakeups.listen_to_queue(claimer.key, claimer)
    claimer._polls._claimers[claimer.key] = claimer
    return claimer


def poll(worker: str) -> Waiter:
    return Waiter(json.dumps(worker), worker, expired=False)


async def test_a_hint_during_a_claim_is_for_another_poll_of_the_worker() -> None:
    store = SlowStore()
    claimer = claimer_of(store)
    first, second = poll("w"), poll("w")
    claimer.add(first)
    claimer.add(second)
    assert await store.next_claim() == ["w", "w"]
    store.answered.set()
    await asyncio.sleep(0)

    store.tasks["w"] = 1
    claimer.wake_worker("w")
    assert await store.next_claim() == ["w"]
    claimer.wake_worker("w")
    store.answered.set()
    assert await store.next_claim() == ["w"]
    store.tasks["w"] = 1
    store.answered.set()
    async with asyncio.timeout(5):
        assert [(await waiter.answer).outcome for waiter in (first, second)] == ["leased", "leased"]


async def test_a_flood_of_held_tasks_leaves_other_polls_their_turn() -> None:
    store = SlowStore()
    claimer = claimer_of(store)
    flooded = poll("flooded")
    claimer.add(flooded)
    assert await store.next_claim() == ["flooded"]
    store.answered.set()
    await asyncio.sleep(0)

    claimer.wake_worker("flooded")
    assert await store.next_claim() == ["flooded"]
    store.tasks["other"] = 1
    other = poll("other")
    claimer.add(other)
    claimer.wake_worker("flooded")
    store.answered.set()
    assert await store.next_claim() == ["other"]
    claimer.wake_worker("flooded")
    store.answered.set()
    async with asyncio.timeout(5):
        assert (await other.answer).outcome == "leased"
    assert await store.next_claim() == ["flooded"]
    store.answered.set()
