"""What the clients of a traffic were answered: the other half of the check against what is stored."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

Document = dict[str, Any]


class Fate(Enum):
    """How often something has to be found: a refused write never, one of unknown outcome once at most."""

    ONCE = auto()
    PERHAPS = auto()
    NEVER = auto()


@dataclass(frozen=True)
class Claim:
    """Who was given an attempt: a worker, for one poll. `poll` is what names it in all its repeats."""

    worker_id: str
    poll: tuple[str, ...]


@dataclass
class Signal:
    """A signal that was sent. `signal_id` is known once it was acknowledged."""

    fate: Fate
    signal_id: str | None = None


@dataclass
class Ledger:
    """All that was answered, and the faults that answers alone have shown.

    `answers` counts by operation and outcome, `claims` by what was claimed and how, `continuations` by what
    became of them. `starts` are runs, each with its workflow; `signals` go by their payloads; `markers` are
    the side effects of completions and continuations. `results`, `failures` and `bases` (those of applied
    continuations) go by attempt, `ends` (the terminal events) by run. `attempts` are claims by task and
    attempt, `carried` the attempts that carried polls were given. `events` are all that was delivered, by run
    and sequence.
    """

    answers: Counter[tuple[str, str]] = field(default_factory=Counter)
    claims: Counter[tuple[str, str]] = field(default_factory=Counter)
    continuations: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    starts: dict[str, str] = field(default_factory=dict)
    signals: dict[str, Signal] = field(default_factory=dict)
    markers: dict[str, Fate] = field(default_factory=dict)
    results: dict[str, str] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    bases: dict[str, int] = field(default_factory=dict)
    ends: dict[str, str] = field(default_factory=dict)
    attempts: dict[str, Claim] = field(default_factory=dict)
    carried: dict[Claim, str] = field(default_factory=dict)
    events: dict[tuple[str, int], Document] = field(default_factory=dict)
    _seen: set[tuple[str, str]] = field(default_factory=set)

    @property
    def operations(self) -> int:
        """How many requests have been answered, or not."""
        return self.answers.total()

    def claimed(self, kind: str, attempt: str, claim: Claim, *, is_carried: bool) -> bool:
        """Note that an attempt was given to a poll. Whether it was not known yet."""
        way = "carried" if is_carried else "polled"
        earlier = self.attempts.setdefault(attempt, claim)
        if earlier != claim:
            self.faults.append(f"{kind} {attempt} was given to {earlier} and to {claim}")
        if is_carried and self.carried.setdefault(claim, attempt) != attempt:
            self.faults.append(f"{claim} was given {self.carried[claim]} and {attempt}")
        is_new = (kind, attempt) not in self._seen
        if is_new:
            self._seen.add((kind, attempt))
            self.claims[kind, way] += 1
        return is_new

    def delivered(self, run_id: str, events: list[Document]) -> None:
        """Note events of a run; whoever is given one is given the same."""
        for event in events:
            earlier = self.events.setdefault((run_id, event["sequence"]), event)
            if earlier != event:
                self.faults.append(f"{run_id} was delivered with {earlier} and with {event}")
