"""Calls the transitions with everyday arguments, so that a scenario says only what matters to it."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from byssus.store import Store
from byssus.store import transitions as t
from byssus.store.answer import Answer
from tests.transitions import commands as c

LEASE_SECONDS = 30
HOLD_SECONDS = 5
POLLING_SECONDS = 10
STALE_SECONDS = 60
WORKER = "worker-1"


@dataclass(frozen=True)
class Reply:
    """An answer, decoded; `text` is its body as it came."""

    outcome: str
    body: dict[str, Any]
    hints: list[list[str]]
    text: str

    @classmethod
    def of(cls, answer: Answer) -> Reply:
        """The decoded answer."""
        hints = [] if answer.hints is None else json.loads(answer.hints)
        return cls(answer.outcome, json.loads(answer.body), hints, answer.body)

    def __getitem__(self, member: str) -> Any:
        return self.body[member]


@dataclass(frozen=True)
class WorkflowTask:
    """A claim of a workflow task, and what its holder says of itself."""

    task_id: str
    lease_owner: str
    attempt: int
    body: dict[str, Any]
    namespace: str = "default"

    @property
    def run_id(self) -> str:
        """The run it belongs to."""
        return self.task_id[:36]

    @property
    def event_types(self) -> list[str]:
        """Of the first page of its history."""
        return [event["event_type"] for event in self.body["history_events"]]


@dataclass(frozen=True)
class ActivityTask:
    """A claim of an activity attempt, and what its holder says of itself."""

    task_id: str
    attempt_id: str
    lease_owner: str
    body: dict[str, Any]
    namespace: str = "default"

    @property
    def attempt(self) -> int:
        """The number of the attempt."""
        number = self.body["attempt_number"]
        assert isinstance(number, int)
        return number


def digest(document: object) -> str:
    """What the HTTP layer would compute for the document."""
    return hashlib.sha256(c.text_of(document).encode()).hexdigest()


class Driver:
    """One store, and the caller's part in every transition."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._numbers: Iterator[int] = count(1)

    async def call(self, transition: t.Transition, **arguments: str | int | None) -> Reply:
        """One transition with exactly these arguments."""
        (answer,) = await self.store.call(transition, arguments)
        return Reply.of(answer)

    # Workers

    async def register(
        self, worker: str = WORKER, *, queue: str = "main", namespace: str = "default", **members: Any
    ) -> Reply:
        return await self.call(
            t.REGISTER_WORKER,
            namespace=namespace,
            worker_id=worker,
            task_queue=queue,
            registration=c.registration_text(c.registration(**members)),
        )

    async def heartbeat_worker(self, worker: str = WORKER, *, namespace: str = "default") -> Reply:
        return await self.call(
            t.HEARTBEAT_WORKER,
            namespace=namespace,
            worker_id=worker,
            task_slots="{}",
            process_metrics="{}",
            stale_seconds=STALE_SECONDS,
        )

    async def record_polls(self, *polls: tuple[str, str]) -> Reply:
        return await self.call(
            t.RECORD_POLLS, polls=c.text_of(sorted(polls)), polling_seconds=POLLING_SECONDS
        )

    async def deregister(
        self,
        worker: str = WORKER,
        *,
        token: str | None = None,
        namespace: str = "default",
        receipt_seconds: int = 600,
    ) -> Reply:
        return await self.call(
            t.DEREGISTER_WORKER,
            namespace=namespace,
            worker_id=worker,
            registration_token=token,
            receipt_seconds=receipt_seconds,
        )

    # Runs

    async def start(
        self,
        workflow_id: str = "order-1",
        *,
        workflow_type: str = "order",
        queue: str = "main",
        policy: str = "fail",
        request_id: str | None = None,
        namespace: str = "default",
        **members: Any,
    ) -> Reply:
        start = {"input": c.envelope("input"), "priority": 5, "fairness_weight": 1, **members}
        start = {name: value for name, value in start.items() if value is not None}
        for name in ("input", "memo", "search_attributes"):
            if name in start:
                start[name] = c.text_of(start[name])
        return await self.call(
            t.START_RUN,
            namespace=namespace,
            workflow_id=workflow_id,
            workflow_type=workflow_type,
            task_queue=queue,
            duplicate_policy=policy,
            request_id=request_id,
            digest=digest([workflow_type, queue, start]),
            start=c.text_of(start),
        )

    async def describe(
        self, workflow_id: str = "order-1", run_id: str | None = None, *, namespace: str = "default"
    ) -> Reply:
        return await self.call(t.DESCRIBE_RUN, namespace=namespace, workflow_id=workflow_id, run_id=run_id)

    async def list_runs(
        self,
        *,
        workflow_type: str | None = None,
        status: str | None = None,
        page_size: int = 100,
        page_token: str | None = None,
        namespace: str = "default",
    ) -> Reply:
        return await self.call(
            t.LIST_RUNS,
            namespace=namespace,
            workflow_type=workflow_type,
            status_bucket=status,
            page_size=page_size,
            page_token=page_token,
        )

    async def list_workflow_runs(
        self,
        workflow_id: str = "order-1",
        *,
        after: int = 0,
        page_size: int = 1000,
        namespace: str = "default",
    ) -> Reply:
        return await self.call(
            t.LIST_WORKFLOW_RUNS,
            namespace=namespace,
            workflow_id=workflow_id,
            after_number=after,
            page_size=page_size,
        )

    async def export(self, run_id: str, workflow_id: str = "order-1", *, namespace: str = "default") -> Reply:
        return await self.call(t.EXPORT_RUN, namespace=namespace, workflow_id=workflow_id, run_id=run_id)

    async def read_history(
        self,
        run_id: str,
        workflow_id: str = "order-1",
        *,
        after: int = 0,
        page_size: int = 1000,
        namespace: str = "default",
    ) -> Reply:
        return await self.call(
            t.READ_HISTORY,
            namespace=namespace,
            workflow_id=workflow_id,
            run_id=run_id,
            after_sequence=after,
            page_size=page_size,
        )

    async def history(self, run_id: str, workflow_id: str = "order-1") -> list[dict[str, Any]]:
        """All events of a run."""
        events: list[dict[str, Any]] = []
        while True:
            page = await self.read_history(run_id, workflow_id, after=len(events))
            events += page["events"]
            if page["next_page_token"] is None:
                return events

    async def types(self, run_id: str, workflow_id: str = "order-1") -> list[str]:
        """The event types of a run's history."""
        return [event["event_type"] for event in await self.history(run_id, workflow_id)]

    async def events(
        self, run_id: str, event_type: str, workflow_id: str = "order-1"
    ) -> list[dict[str, Any]]:
        """The payloads of a run's events of one type."""
        history = await self.history(run_id, workflow_id)
        return [event["payload"] for event in history if event["event_type"] == event_type]

    async def cancel(self, workflow_id: str = "order-1", **arguments: Any) -> Reply:
        return await self._stop(t.CANCEL_RUN, workflow_id, **arguments)

    async def terminate(self, workflow_id: str = "order-1", **arguments: Any) -> Reply:
        return await self._stop(t.TERMINATE_RUN, workflow_id, **arguments)

    async def _stop(
        self,
        transition: t.Transition,
        workflow_id: str,
        *,
        run_id: str | None = None,
        reason: str | None = None,
        request_id: str | None = None,
        namespace: str = "default",
    ) -> Reply:
        return await self.call(
            transition,
            namespace=namespace,
            workflow_id=workflow_id,
            run_id=run_id,
            reason=reason,
            request_id=request_id,
            digest=digest(reason),
        )

    async def signal(
        self,
        name: str = "pay",
        workflow_id: str = "order-1",
        *,
        run_id: str | None = None,
        input: Any = None,
        request_id: str | None = None,
        namespace: str = "default",
    ) -> Reply:
        return await self.call(
            t.SIGNAL_RUN,
            namespace=namespace,
            workflow_id=workflow_id,
            run_id=run_id,
            signal_name=name,
            input=None if input is None else c.text_of(input),
            request_id=request_id,
            digest=digest([name, input]),
        )

    # Workflow tasks

    def poll(self, worker: str = WORKER, **members: Any) -> dict[str, Any]:
        """A poll of either kind, under a request id of its own."""
        return {
            "namespace": "default",
            "worker_id": worker,
            "task_queue": "main",
            "poll_request_id": f"poll-{next(self._numbers)}",
            "page_size": 500,
            "lease_seconds": LEASE_SECONDS,
            "sticky_execution": True,
            "hold_seconds": HOLD_SECONDS,
            "polling_seconds": POLLING_SECONDS,
            **members,
        }

    async def claim_all(self, *polls: dict[str, Any]) -> list[Reply]:
        """Claims workflow tasks for several polls at once."""
        answers = await self.store.call(t.CLAIM_WORKFLOW_TASK, {"polls": c.text_of(polls)})
        return [Reply.of(answer) for answer in answers]

    async def claim(self, worker: str = WORKER, **members: Any) -> Reply:
        (reply,) = await self.claim_all(self.poll(worker, **members))
        return reply

    async def claimed(self, worker: str = WORKER, **members: Any) -> WorkflowTask:
        """A claim that must find a task."""
        reply = await self.claim(worker, **members)
        assert reply.outcome == "leased", reply
        return workflow_task(reply)

    async def complete(
        self,
        task: WorkflowTask,
        *commands: dict[str, Any],
        sticky: dict[str, Any] | None = None,
        carried: dict[str, Any] | None = None,
    ) -> Reply:
        return await self.call(
            t.COMPLETE_WORKFLOW_TASK,
            **_workflow_fence(task),
            commands=c.text_of(commands),
            digest=digest([commands, sticky, carried]),
            sticky=None if sticky is None else c.text_of(sticky),
            carried=None if carried is None else c.text_of(carried),
        )

    async def fail(self, task: WorkflowTask, type: str = "ValueError", message: str = "no") -> Reply:
        failure = {"type": type, "message": message}
        return await self.call(
            t.FAIL_WORKFLOW_TASK, **_workflow_fence(task), failure=c.text_of(failure), digest=digest(failure)
        )

    async def wait_for_history(self, task: WorkflowTask) -> Reply:
        return await self.fail(task, "WorkflowTaskWaitingForHistory")

    async def release(self, task: WorkflowTask) -> Reply:
        return await self.call(t.RELEASE_WORKFLOW_TASK, **_workflow_fence(task))

    async def heartbeat(self, task: WorkflowTask, lease_seconds: int = LEASE_SECONDS) -> Reply:
        return await self.call(
            t.HEARTBEAT_WORKFLOW_TASK, **_workflow_fence(task), lease_seconds=lease_seconds
        )

    async def read_page(self, task: WorkflowTask, after: int = 0, page_size: int = 500) -> Reply:
        return await self.call(
            t.READ_HISTORY_PAGE, **_workflow_fence(task), after_sequence=after, page_size=page_size
        )

    async def begin(self, *commands: dict[str, Any], workflow_id: str = "order-1", **start: Any) -> str:
        """Starts a run and completes its first workflow task with the commands. The run's id."""
        started = await self.start(workflow_id, **start)
        assert started.outcome == "started_new", started
        await self.advance(*commands)
        run_id = started["run_id"]
        assert isinstance(run_id, str)
        return run_id

    async def advance(self, *commands: dict[str, Any]) -> Reply:
        """Claims the next workflow task and completes it with the commands."""
        reply = await self.complete(await self.claimed(), *commands)
        assert reply.outcome == "completed", reply
        return reply

    # Activities

    async def claim_all_activities(self, *polls: dict[str, Any]) -> list[Reply]:
        """Claims activities for several polls at once."""
        answers = await self.store.call(t.CLAIM_ACTIVITY_TASK, {"polls": c.text_of(polls)})
        return [Reply.of(answer) for answer in answers]

    async def claim_activity(self, worker: str = WORKER, **members: Any) -> Reply:
        (reply,) = await self.claim_all_activities(self.poll(worker, **members))
        return reply

    async def claimed_activity(self, worker: str = WORKER, **members: Any) -> ActivityTask:
        """A claim that must find an activity."""
        reply = await self.claim_activity(worker, **members)
        assert reply.outcome == "leased", reply
        return activity_task(reply)

    async def complete_activity(
        self, task: ActivityTask, result: Any = None, *, carried: dict[str, Any] | None = None
    ) -> Reply:
        result = c.envelope("result") if result is None else result
        return await self.call(
            t.COMPLETE_ACTIVITY,
            **_activity_fence(task),
            result=c.text_of(result),
            digest=digest([result, carried]),
            carried=None if carried is None else c.text_of(carried),
        )

    async def fail_activity(self, task: ActivityTask, message: str = "declined", **members: Any) -> Reply:
        failure = c.failure(message, **members)
        return await self.call(
            t.FAIL_ACTIVITY, **_activity_fence(task), failure=c.text_of(failure), digest=digest(failure)
        )

    async def release_activity(self, task: ActivityTask) -> Reply:
        return await self.call(t.RELEASE_ACTIVITY_TASK, **_activity_fence(task))

    async def heartbeat_activity(
        self, task: ActivityTask, *, details: Any = None, lease_seconds: int = LEASE_SECONDS
    ) -> Reply:
        return await self.call(
            t.HEARTBEAT_ACTIVITY,
            **_activity_fence(task),
            details=None if details is None else c.text_of(details),
            lease_seconds=lease_seconds,
        )

    # Maintenance

    async def fire_timers(self, batch_size: int = 100) -> Reply:
        return await self.call(t.FIRE_DUE_TIMERS, batch_size=batch_size)

    async def expire_leases(self, batch_size: int = 100) -> Reply:
        return await self.call(t.EXPIRE_LEASES, batch_size=batch_size)

    async def enforce_timeouts(self, batch_size: int = 100) -> Reply:
        return await self.call(t.ENFORCE_TIMEOUTS, batch_size=batch_size)

    async def prune_receipts(self, seconds: int, batch_size: int = 100) -> Reply:
        return await self.call(t.PRUNE_RECEIPTS, batch_size=batch_size, receipt_seconds=seconds)

    async def probe(self, *queues: list[str]) -> list[list[str]]:
        """Those of the queues that have something which any worker may claim."""
        reply = await self._probe(queues=queues)
        ready: list[list[str]] = reply["ready"]
        assert reply["grown"] == []
        return ready

    async def probe_held(self, *queues: list[str]) -> list[list[str]]:
        """The workers for whom something is held in one of the queues."""
        held: list[list[str]] = (await self._probe(queues=queues))["held"]
        return held

    async def probe_runs(self, *runs: tuple[str, int]) -> list[str]:
        """Those of the runs whose history is longer than the sequence beside them."""
        reply = await self._probe(runs=runs)
        grown: list[str] = reply["grown"]
        assert reply["ready"] == reply["held"] == []
        return grown

    async def _probe(self, *, queues: Sequence[object] = (), runs: Sequence[object] = ()) -> Reply:
        return await self.call(
            t.PROBE_WAKEUPS, queues=c.text_of(queues), runs=c.text_of(runs), hold_seconds=HOLD_SECONDS
        )

    async def sticky_metrics(self, namespace: str = "default") -> dict[str, Any]:
        """What the store says of sticky execution in a namespace."""
        namespaces = (await self.call(t.READ_STICKY_METRICS))["namespaces"]
        (metrics,) = [one for one in namespaces if one["namespace"] == namespace]
        assert isinstance(metrics, dict)
        return metrics


def workflow_task(reply: Reply) -> WorkflowTask:
    """The claim in a poll's answer."""
    task = reply["task"]
    return WorkflowTask(
        task["task_id"], task["lease_owner"], task["workflow_task_attempt"], task, task["namespace"]
    )


def activity_task(reply: Reply) -> ActivityTask:
    """The claim in a poll's answer."""
    task = reply["task"]
    return ActivityTask(
        task["task_id"], task["activity_attempt_id"], task["lease_owner"], task, task["namespace"]
    )


def page_token(token: str) -> str:
    """What a page token says."""
    return base64.b64decode(token).decode()


def _workflow_fence(task: WorkflowTask) -> dict[str, str | int | None]:
    return {
        "namespace": task.namespace,
        "task_id": task.task_id,
        "lease_owner": task.lease_owner,
        "attempt": task.attempt,
    }


def _activity_fence(task: ActivityTask) -> dict[str, str | int | None]:
    return {
        "namespace": task.namespace,
        "task_id": task.task_id,
        "activity_attempt_id": task.attempt_id,
        "lease_owner": task.lease_owner,
    }
