"""Claims of runs with long histories, timed and checked."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from statistics import median
from typing import Any

from benchmarks.histories import Histories
from benchmarks.long_runs import FULL_PAGE, SUFFIX_EVENTS, LongRuns, polls_for
from byssus.store import Store
from byssus.store import transitions as t
from byssus.store.answer import Answer

_request_ids: Iterator[str] = (f"benchmark-{number}" for number in count(1))


@dataclass
class Claims:
    """Claims of runs of one length: in each round the median time, and the size of an answer."""

    runs: LongRuns
    is_suffix: bool
    seconds: list[float] = field(default_factory=list)
    answer_bytes: int = 0

    @property
    def events(self) -> int:
        """How many events an answer brings."""
        return SUFFIX_EVENTS if self.is_suffix else min(FULL_PAGE, self.runs.events)

    def ratios_to(self, other: Claims) -> list[float]:
        """The ratio within each round."""
        return [mine / its for mine, its in zip(self.seconds, other.seconds, strict=True)]


async def measure(
    store: Store, histories: Histories, prepared: list[LongRuns], *, rounds: int, turns: int
) -> tuple[list[Claims], list[Claims]]:
    """Claims that bring a suffix, and claims that bring a first page; of each one per length.

    In each round every length has that many turns, one claim each, one length after the other.
    """
    suffixes = [Claims(runs, is_suffix=True) for runs in prepared]
    pages = [Claims(runs, is_suffix=False) for runs in prepared]
    for claims in (*suffixes, *pages):
        await _claim(store, claims)
    for _ in range(rounds):
        histories.settle()
        for lengths in (suffixes, pages):
            await _round(store, lengths, turns)
    return suffixes, pages


async def _round(store: Store, lengths: list[Claims], turns: int) -> None:
    seconds: list[list[float]] = [[] for _ in lengths]
    for _ in range(turns):
        for claims, its_seconds in zip(lengths, seconds, strict=True):
            its_seconds.append(await _claim(store, claims))
    for claims, its_seconds in zip(lengths, seconds, strict=True):
        claims.seconds.append(median(its_seconds))


async def _claim(store: Store, claims: Claims) -> float:
    """The time of one claim. Its run goes back to the others of its length, to their end."""
    polls = polls_for(claims.runs, next(_request_ids), is_sticky=claims.is_suffix)
    began = time.perf_counter()
    [answer] = await store.call(t.CLAIM_WORKFLOW_TASK, {"polls": polls})
    seconds = time.perf_counter() - began
    claims.answer_bytes = len(answer.body.encode())
    await release(store, check(answer, claims.runs, is_suffix=claims.is_suffix))
    return seconds


def check(answer: Answer, runs: LongRuns, *, is_suffix: bool) -> dict[str, Any]:
    """The claimed task. Raises RuntimeError when it does not bring what it should."""
    if answer.outcome != "leased":
        raise RuntimeError(f"a claim of {runs.queue} was answered {answer.outcome}: {answer.body}")
    task: dict[str, Any] = json.loads(answer.body)["task"]
    after = runs.events - SUFFIX_EVENTS if is_suffix else 0
    through = runs.events if is_suffix else min(FULL_PAGE, runs.events)
    found = (
        task["sticky_replay_mode"],
        task["history_after_sequence"],
        task["history_last_sequence"],
        [event["sequence"] for event in task["history_events"]],
    )
    mode = "sticky_hit_expected" if is_suffix else "cold_replay"
    expected = (mode, after, runs.events, list(range(after + 1, through + 1)))
    if found != expected:
        raise RuntimeError(f"a claim of {runs.queue} brought {found}, not {expected}")
    return task


async def release(store: Store, task: dict[str, Any]) -> None:
    """Give a claim back; the run's affinity stays. Raises RuntimeError when that is refused."""
    [answer] = await store.call(
        t.RELEASE_WORKFLOW_TASK,
        {
            "namespace": task["namespace"],
            "task_id": task["task_id"],
            "lease_owner": task["lease_owner"],
            "attempt": task["workflow_task_attempt"],
        },
    )
    if answer.outcome != "released":
        raise RuntimeError(f"a claim could not be given back: {answer.body}")
