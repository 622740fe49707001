"""What clients and workers remember of the answers that they got."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from byssus.store.answer import Answer
from tests.engines.clock import START
from tests.parity.comparison import Arguments, Step

_POSITIONED = ("ActivityScheduled", "TimerScheduled", "ConditionWaitOpened", "SideEffectRecorded")
_KEPT_CALLS = 12
_SOON = timedelta(hours=1)
_MOMENT = re.compile("20[0-9-]{8}T[0-9:.]{15}Z")

Queue = tuple[str, str, str]
"""Kind of tasks (`workflow` or `activity`), namespace and task queue."""


@dataclass(frozen=True)
class Run:
    """A run that somebody was told of."""

    namespace: str
    workflow_id: str
    run_id: str


@dataclass(frozen=True)
class Registration:
    """A token that a worker was given."""

    namespace: str
    worker_id: str
    token: str


@dataclass(frozen=True)
class Lease:
    """A claim of a workflow task. `fence` is what its holder says of itself."""

    fence: Arguments
    position: int
    """The last authored position in the first page of its history."""

    wait: dict[str, Any] | None
    """The fields of the last condition wait in that page."""

    workflow_id: str
    run_id: str
    last_sequence: int
    """Where the claim found the end of the history."""


@dataclass
class Callers:
    """Everything that was learnt in one sequence. What is held was not answered, as far as anyone knows."""

    runs: list[Run] = field(default_factory=list)
    registrations: list[Registration] = field(default_factory=list)
    leases: list[Lease] = field(default_factory=list)
    held_leases: list[Lease] = field(default_factory=list)
    attempts: list[Arguments] = field(default_factory=list)
    held_attempts: list[Arguments] = field(default_factory=list)
    calls: list[tuple[str, Arguments]] = field(default_factory=list)
    ready: list[Queue] = field(default_factory=list)
    """Queues that hints have named, and that no claim has found empty since."""

    tails: dict[str, int] = field(default_factory=dict)
    """Through which sequence the tails of activities have brought the history of a run."""

    polls: int = 0
    now: datetime = START
    _moments: set[datetime] = field(default_factory=set)

    def learn(self, step: Step, answers: list[Answer]) -> None:
        """Take note of what was asked and answered."""
        seconds, transition, arguments = step
        self.now += timedelta(seconds=seconds)
        self.calls = [*self.calls, (transition, arguments)][-_KEPT_CALLS:]
        if "task_id" in arguments and not transition.startswith(("heartbeat", "read")):
            self._let_go(arguments["task_id"])
        for answer in answers:
            self._moments.update(map(datetime.fromisoformat, _MOMENT.findall(str(answer))))
            self._learn_from(answer.outcome, arguments, json.loads(answer.body))
            for kind, *about in json.loads(answer.hints or "[]"):
                if kind in ("workflow", "activity"):
                    self.ready.append((kind, about[0], about[1]))
                elif kind == "held":
                    self.ready.append(("workflow", about[0], about[1]))
        if transition.startswith("claim") and any(answer.outcome != "leased" for answer in answers):
            poll = json.loads(str(arguments["polls"]))[0]
            found_empty = (transition.split("_")[1], poll["namespace"], poll["task_queue"])
            self.ready = [queue for queue in self.ready if queue != found_empty]

    def upcoming(self) -> list[float]:
        """In how many seconds the next moments come that answers have named: deadlines, ends of leases."""
        moments = (moment for moment in self._moments if self.now < moment < self.now + _SOON)
        return [(moment - self.now).total_seconds() for moment in sorted(moments)[:4]]

    def ready_queues(self, kind: str) -> list[tuple[str, str]]:
        """Namespaces and queues where tasks of a kind may wait."""
        return [(namespace, queue) for of, namespace, queue in self.ready if of == kind]

    def _let_go(self, task_id: object) -> None:
        self.held_leases = [lease for lease in self.held_leases if lease.fence["task_id"] != task_id]
        self.held_attempts = [fence for fence in self.held_attempts if fence["task_id"] != task_id]

    def _learn_from(self, outcome: str, arguments: Arguments, body: dict[str, Any]) -> None:
        if outcome in ("started_new", "returned_existing_active"):
            self.runs.append(Run(str(arguments["namespace"]), body["workflow_id"], body["run_id"]))
        elif outcome == "registered":
            worker = str(arguments["worker_id"])
            self.registrations.append(Registration(body["namespace"], worker, body["registration_token"]))
        elif outcome == "leased":
            self._learn_of_claim(body)
        elif outcome == "completed":
            for part in ("workflow_poll", "activity_poll"):
                if body.get(part, {}).get("task") is not None:
                    self._learn_of_claim(body[part])

    def _learn_of_claim(self, body: dict[str, Any]) -> None:
        task = body["task"]
        if "workflow_task_attempt" in task:
            self.leases.append(_lease(task))
            self.held_leases.append(self.leases[-1])
        else:
            self.attempts.append(_attempt(task))
            self.held_attempts.append(self.attempts[-1])
        if "history_tail" in body:
            self.tails[task["run_id"]] = body["history_tail"]["last_sequence"]


def _lease(task: dict[str, Any]) -> Lease:
    fence = {name: task[name] for name in ("namespace", "task_id", "lease_owner")}
    events = task["history_events"]
    waits = [event["payload"] for event in events if event["event_type"] == "ConditionWaitOpened"]
    return Lease(
        fence | {"attempt": task["workflow_task_attempt"]},
        _position(events),
        (waits or [None])[-1],
        task["workflow_id"],
        task["run_id"],
        task["last_history_sequence"],
    )


def _position(events: list[dict[str, Any]]) -> int:
    positions = [event["payload"]["sequence"] for event in events if event["event_type"] in _POSITIONED]
    return max(positions, default=0)


def _attempt(task: dict[str, Any]) -> Arguments:
    return {name: task[name] for name in ("namespace", "task_id", "activity_attempt_id", "lease_owner")}
