"""One client: an operator and a worker in one, who does whatever comes to mind and notes the answers."""

from __future__ import annotations

import asyncio
from collections import deque
from random import Random
from typing import Any

import httpx

from tests.http.clients import MANIFEST, registration
from tests.traffic.ledger import Claim, Fate, Signal
from tests.traffic.requests import PARTS, Reply, Request
from tests.traffic.work import TERMINAL_EVENTS, Work, envelope
from tests.traffic.world import QUEUES, World

Document = dict[str, Any]

BUILD = "s/1"
_CAPABILITIES = ["local_activities", "sticky_execution", "sticky_history_suffix", "merged_transitions"]
_MOST_TASKS = 3
_MOST_TRIES = 5


class Client:
    """A client with a worker id, which others may have too. Each has its own choices, made by `seed`."""

    def __init__(self, world: World, number: int, worker_id: str, queue: str, seed: str) -> None:
        self._world = world
        self._ledger = world.ledger
        self._number = number
        self._worker_id = worker_id
        self._queue = queue
        self._queues = [queue, queue, *QUEUES]
        self._random = Random(seed)
        self._near = number % len(world.https)
        self._names = 0
        self._tokens: list[str] = []
        self._workflow_tasks: list[Document] = []
        self._activities: list[Document] = []
        self._histories: dict[str, list[Document]] = {}
        self._done: deque[tuple[Request, Reply]] = deque(maxlen=20)

    async def run(self) -> None:
        """Do one thing after the other, some at once, until the world is over."""
        await self._register_worker()
        steps = [step for step, weight in self._steps().items() for _ in range(weight)]
        while not self._world.is_over():
            at_once = self._random.choice([1, 1, 1, 3])
            await asyncio.gather(*(self._random.choice(steps)() for _ in range(at_once)))

    def _steps(self) -> dict[Any, int]:
        return {
            self._start: 8,
            self._signal: 5,
            self._stop: 1,
            self._poll_workflow: 10,
            self._poll_activity: 10,
            self._complete_workflow: 30,
            self._complete_activity: 30,
            self._fail_activity: 4,
            self._fail_workflow: 2,
            self._heartbeat_activity: 4,
            self._heartbeat_workflow: 2,
            self._heartbeat_worker: 1,
            self._repeat: 10,
            self._register: 1,
            self._deregister: 1,
            self._read: 2,
        }

    # Asking.

    async def _ask(self, request: Request) -> Reply | None:
        """Send a request until it is answered, or its outcome stays unknown (None); some to both servers."""
        after_unknown = False
        for _ in range(_MOST_TRIES):
            if request.is_recorded and self._random.random() < 0.1:
                reply = await self._ask_both(request)
            else:
                reply = await self._once(request, self._near)
            if reply is not None:
                return Reply(reply.status, reply.document, after_unknown)
            after_unknown = True
            self._near = 1 - self._near
            if not request.can_repeat or self._random.random() < 0.1:
                return None
        return None

    async def _ask_both(self, request: Request) -> Reply | None:
        one, other = await asyncio.gather(*(self._once(request, number) for number in (0, 1)))
        if one is None or other is None:
            return one or other
        if one.is_success and other.is_success:
            self._compare(request, one, other)
        # Where one was refused, the other came later: what it asks for had become possible.
        return one if one.is_success else other

    def _compare(self, request: Request, one: Reply, other: Reply) -> None:
        """Two answers to one request that was carried out have to say the same."""
        outcomes = {one.outcome, other.outcome}
        if "returned_existing_active" in outcomes and "started_new" not in outcomes:
            return  # it did nothing: the run that somebody else has started is described as it is
        if not (one.is_success and other.is_success) or one.recorded != other.recorded:
            self._ledger.faults.append(f"{request} was answered {one} and {other}")

    async def _once(self, request: Request, server: int) -> Reply | None:
        """The answer of one server, or None. One that cannot be reached was not asked: the other is then."""
        headers = self._world.headers(request.role)
        body = None if request.method == "GET" else request.body
        while True:
            try:
                response = await self._world.https[server].request(
                    request.method, request.path, json=body, headers=headers
                )
            except httpx.ConnectError:
                server = 1 - server
                await asyncio.sleep(0.01)
                continue
            except httpx.TransportError:
                self._ledger.answers[request.operation, "unknown"] += 1
                return None
            break
        reply = Reply(response.status_code, response.json())
        self._ledger.answers[request.operation, reply.outcome] += 1
        if (fault := reply.fault_of(request)) is not None:
            self._ledger.faults.append(fault)
        if reply.is_success:
            self._take_parts(request, reply)
        if request.can_repeat and reply.is_success:
            self._done.append((request, reply))
        return reply

    def _name(self, kind: str) -> str:
        """A name that nothing else has."""
        self._names += 1
        return f"{kind}-{self._number}-{self._names}"

    # Being a worker: what is claimed.

    async def _register(self) -> None:
        if self._random.random() < 0.3:
            await self._register_worker()

    async def _register_worker(self) -> None:
        supported = {"supported": True, "version": 1}
        manifest = {
            **MANIFEST,
            "sticky_execution": {"supported": True, "minimum_protocol_version": "1.18"},
            "sticky_history_suffix": supported,
            "merged_transitions": supported,
        }
        body = registration(
            self._worker_id,
            self._queue,
            sdk_version=BUILD,
            capabilities=_CAPABILITIES,
            capability_manifest=manifest,
        )
        reply = await self._ask(Request("register", "POST", "/worker/register", body))
        if reply is not None and reply.is_success:
            self._tokens.append(reply.document["registration_token"])

    async def _deregister(self) -> None:
        if self._random.random() < 0.7:
            return
        path = f"/worker/registrations/{self._worker_id}"
        if self._tokens and self._random.random() < 0.7:
            token = {"registration_token": self._random.choice(self._tokens[-3:])}
            await self._ask(Request("deregister", "POST", f"{path}/deregister", token))
        else:
            await self._ask(Request("deregister", "DELETE", path))

    async def _heartbeat_worker(self) -> None:
        body = {"worker_id": self._worker_id}
        await self._ask(Request("heartbeat worker", "POST", "/worker/heartbeat", body))

    def _poll_body(self, **members: Any) -> Document:
        return {"worker_id": self._worker_id, "task_queue": self._queue, **members}

    async def _poll_workflow(self) -> None:
        if len(self._workflow_tasks) < _MOST_TASKS:
            page = self._random.choice([{}, {}, {"history_page_size": 3}])
            await self._poll("workflow", **page)

    async def _poll_activity(self) -> None:
        if len(self._activities) < _MOST_TASKS:
            await self._poll("activity")

    async def _poll(self, kind: str, **members: Any) -> None:
        body = self._poll_body(
            poll_request_id=self._name("poll"), timeout_seconds=int(self._random.random() < 0.1), **members
        )
        request = Request(f"poll {kind}", "POST", f"/worker/{kind}-tasks/poll", body, can_repeat=True)
        if self._random.random() < 0.03:
            await self._hang_up(request)
            return
        reply = await self._ask(request)
        if reply is not None and not reply.is_success:
            await self._register_worker()

    async def _hang_up(self, request: Request) -> None:
        """Ask, and do not wait for the answer."""
        asking = asyncio.create_task(self._once(request, self._near))
        for _ in range(self._random.randrange(20)):
            await asyncio.sleep(0)
        if not asking.done():
            asking.cancel()
        await asyncio.wait([asking])

    def _take_parts(self, request: Request, reply: Reply) -> None:
        """Note what an answer brings: the task of a poll, or those of carried polls."""
        if request.operation.startswith("poll "):
            poll: tuple[str, ...] = ("polled", request.body["poll_request_id"])
            self._take(request.operation.removeprefix("poll "), reply.document, poll)
        for part in PARTS:
            if part in reply.document:
                # Also a carried poll without an id of its own is the same in all repeats.
                poll = ("carried", part, request.path, _attempt_of(request.body))
                self._take(part.removesuffix("_poll"), reply.document[part], poll)
                if reply.document[part]["poll_status"] not in ("leased", "empty"):
                    self._note_bad_part(request, reply.document[part])

    def _note_bad_part(self, request: Request, part: Document) -> None:
        if part["poll_status"] != "rejected" or part["reason"] != "worker_not_registered":
            self._ledger.faults.append(f"{request}: a carried poll was answered {part}")

    def _take(self, kind: str, answer: Document, poll: tuple[str, ...]) -> None:
        task = answer["task"]
        if task is None:
            return
        activity = task.get("activity_attempt_id")
        attempt = activity or f"{task['task_id']}.{task['workflow_task_attempt']}"
        claim = Claim(self._worker_id, poll)
        is_new = self._ledger.claimed(kind, attempt, claim, is_carried=poll[0] == "carried")
        if "history_tail" in answer:
            tail = answer["history_tail"]
            self._learn(task["run_id"], tail["after_sequence"], tail["events"])
        if not is_new:
            return
        if kind == "activity":
            self._activities.append(task)
        else:
            self._workflow_tasks.append(task)

    def _learn(self, run_id: str, after: int, events: list[Document]) -> bool:
        """Remember events that follow on what is known. Whether they do."""
        self._ledger.delivered(run_id, events)
        known = self._histories.setdefault(run_id, [])
        if after > len(known):
            return False
        sequences = [event["sequence"] for event in events]
        if sequences != list(range(after + 1, after + 1 + len(events))):
            self._ledger.faults.append(f"{run_id} after {after} was delivered as {sequences}")
        known[after : after + len(events)] = events
        return True

    async def _history_of(self, task: Document) -> list[Document] | None:
        """All of the history that a workflow task is about; None when it is the client's no more."""
        run_id, last = task["run_id"], task["last_history_sequence"]
        token = task["next_history_page_token"]
        if not self._learn(run_id, task["history_after_sequence"], task["history_events"]):
            token = "MA=="
        path = f"/worker/workflow-tasks/{task['task_id']}/history"
        while token is not None:
            body = {**_fence(task), "next_history_page_token": token}
            reply = await self._ask(Request("read page", "POST", path, body, can_repeat=True))
            if reply is None or not reply.is_success:
                return None
            events = reply.document["history_events"]
            self._learn(run_id, events[0]["sequence"] - 1 if events else 0, events)
            token = reply.document["next_history_page_token"]
        if len(self._histories[run_id]) < last:
            self._ledger.faults.append(
                f"{task['task_id']}: {last} events, given {len(self._histories[run_id])}"
            )
            return None
        return self._histories[run_id][:last]

    # Being a worker: what is answered.

    async def _complete_workflow(self) -> None:
        if not self._workflow_tasks:
            return
        task = self._workflow_tasks.pop(self._random.randrange(len(self._workflow_tasks)))
        events = await self._history_of(task)
        if events is None:
            return
        marker = self._name("marker")
        commands = Work(self._random, self._queues, events, marker).completion()
        body = {**_fence(task), "commands": commands, **self._sticky(task, len(events))}
        body |= self._carried_polls(len(events))
        path = f"/worker/workflow-tasks/{task['task_id']}/complete"
        request = Request("complete workflow", "POST", path, body, can_repeat=True)
        self._ledger.markers[marker] = Fate.PERHAPS
        reply = await self._ask(request)
        self._ledger.markers[marker] = _fate(reply)
        if reply is not None and reply.is_success:
            self._note_end(task, commands)

    async def _complete_activity(self) -> None:
        if not self._activities:
            return
        # Mostly the last one: the less has happened since, the better a continuation fits.
        any_of_them = self._random.randrange(len(self._activities))
        task = self._activities.pop(-1 if self._random.random() < 0.7 else any_of_them)
        result = self._name("result")
        body = {**_attempt(task), "result": envelope(result)}
        marker = self._name("marker")
        known = self._histories.get(task["run_id"], [])
        is_continued = bool(known) and self._random.random() < (0.9 if _has(known, task) else 0.3)
        if is_continued:
            body["continuation"] = self._continuation(task, known, marker)
        if self._random.random() < 0.7:
            polls = self._carried_polls(len(known))
            if is_continued and "activity_poll" in polls and self._random.random() < 0.6:
                body["continuation"]["activity_poll"] = polls.pop("activity_poll")
            body |= polls
        path = f"/worker/activity-tasks/{task['task_id']}/complete"
        request = Request("complete activity", "POST", path, body, can_repeat=True)
        if is_continued:
            self._ledger.markers[marker] = Fate.PERHAPS
        reply = await self._ask(request)
        if is_continued:
            self._ledger.markers[marker] = _fate(reply)
        if reply is None or not reply.is_success:
            return
        self._ledger.results[task["activity_attempt_id"]] = result
        if is_continued:
            self._note_continuation(request, reply, task, marker)

    def _continuation(self, task: Document, known: list[Document], marker: str) -> Document:
        basis = len(known)
        if self._random.random() < 0.15:
            basis = max(1, basis + self._random.choice([-2, -1, 1, 3]))
        commands = Work(self._random, self._queues, known, marker).continuation()
        return {"basis_sequence": basis, "commands": commands, **self._sticky(task, basis)}

    def _note_continuation(self, request: Request, reply: Reply, task: Document, marker: str) -> None:
        told = reply.document["continuation"]
        is_applied = told["outcome"] == "applied"
        self._ledger.continuations[told["outcome"] if is_applied else told["reason"]] += 1
        self._ledger.markers[marker] = Fate.ONCE if is_applied else Fate.NEVER
        if is_applied:
            basis = request.body["continuation"]["basis_sequence"]
            self._ledger.bases[task["activity_attempt_id"]] = basis
            self._note_end(task, request.body["continuation"]["commands"])
        elif told["reason"] == "failed":
            self._ledger.faults.append(f"{request}: {told}")

    def _note_end(self, task: Document, commands: list[Document]) -> None:
        end = TERMINAL_EVENTS.get(commands[-1]["type"])
        if end is not None:
            self._ledger.ends[task["run_id"]] = end
        if end not in (None, "WorkflowContinuedAsNew"):
            self._world.replace_workflow(task["workflow_id"])

    def _sticky(self, task: Document, last: int) -> Document:
        if self._random.random() < 0.2:
            return {}
        cache = {
            "worker_id": self._worker_id,
            "workflow_id": task["workflow_id"],
            "run_id": task["run_id"],
            "build_id": BUILD if self._random.random() < 0.97 else "another",
            "history_last_sequence": last,
        }
        return {"sticky_cache": cache}

    def _carried_polls(self, last: int) -> Document:
        polls: Document = {}
        if self._random.random() < 0.5 and len(self._workflow_tasks) < _MOST_TASKS:
            polls["workflow_poll"] = self._poll_body(**self._poll_name())
        if self._random.random() < 0.8 and len(self._activities) < _MOST_TASKS:
            after = {"history_after_sequence": last} if last and self._random.random() < 0.9 else {}
            polls["activity_poll"] = self._poll_body(**self._poll_name(), **after)
        return polls

    def _poll_name(self) -> Document:
        return {"poll_request_id": self._name("poll")} if self._random.random() < 0.5 else {}

    async def _fail_activity(self) -> None:
        if not self._activities:
            return
        task = self._activities.pop()
        body = {**_attempt(task), "failure": {"message": "no", "type": self._random.choice(["A", "B"])}}
        path = f"/worker/activity-tasks/{task['task_id']}/fail"
        reply = await self._ask(Request("fail activity", "POST", path, body, can_repeat=True))
        if reply is not None and reply.is_success:
            self._ledger.failures[task["activity_attempt_id"]] = reply.document["outcome"]

    async def _fail_workflow(self) -> None:
        if self._workflow_tasks:
            task = self._workflow_tasks.pop()
            kind = self._random.choice(["WorkflowTaskWaitingForHistory", "Other"])
            body = {**_fence(task), "failure": {"message": "no", "type": kind}}
            path = f"/worker/workflow-tasks/{task['task_id']}/fail"
            await self._ask(Request("fail workflow", "POST", path, body, can_repeat=True))

    async def _heartbeat_activity(self) -> None:
        if self._activities:
            task = self._random.choice(self._activities)
            path = f"/worker/activity-tasks/{task['task_id']}/heartbeat"
            await self._ask(Request("heartbeat activity", "POST", path, _attempt(task)))

    async def _heartbeat_workflow(self) -> None:
        if self._workflow_tasks:
            task = self._random.choice(self._workflow_tasks)
            path = f"/worker/workflow-tasks/{task['task_id']}/heartbeat"
            await self._ask(Request("heartbeat workflow", "POST", path, _fence(task)))

    async def _repeat(self) -> None:
        """Send something again that was done a while ago: the answer is that of the first time."""
        if not self._done:
            return
        request, first = self._random.choice(self._done)
        again = await self._once(request, self._random.randrange(2))
        if again is not None and request.is_recorded:
            self._compare(request, first, again)

    # Being an operator.

    async def _start(self) -> None:
        fresh = [name for name in self._world.workflow_ids if name not in self._ledger.starts.values()]
        if not fresh and self._random.random() < 0.8:
            return
        workflow_id = self._random.choice(fresh or self._world.workflow_ids)
        body = {
            "workflow_id": workflow_id,
            "workflow_type": "order",
            "task_queue": self._random.choice(QUEUES),
            "request_id": self._name("start"),
            "duplicate_policy": self._random.choice(["fail", "use-existing"]),
        }
        reply = await self._ask(Request("start", "POST", "/workflows", body, can_repeat=True))
        if reply is None or not reply.is_success:
            await self._replace_if_closed(workflow_id)
        elif reply.status == 201:
            self._ledger.starts[reply.document["run_id"]] = workflow_id

    async def _replace_if_closed(self, workflow_id: str) -> None:
        reply = await self._ask(Request("describe", "GET", f"/workflows/{workflow_id}", can_repeat=True))
        if reply is not None and reply.is_success and reply.document["closed_at"] is not None:
            self._world.replace_workflow(workflow_id)

    def _target(self) -> str:
        """The path of a workflow, or of one of its runs."""
        runs = list(self._ledger.starts.items())[-10:]
        if runs and self._random.random() < 0.3:
            run_id, workflow_id = self._random.choice(runs)
            return f"/workflows/{workflow_id}/runs/{run_id}"
        return f"/workflows/{self._random.choice(self._world.workflow_ids)}"

    async def _signal(self) -> None:
        name = self._name("signal")
        body: Document = {"input": envelope(name)}
        can_repeat = self._random.random() < 0.6
        if can_repeat:
            body["request_id"] = name
        self._ledger.signals[name] = Signal(Fate.PERHAPS)
        reply = await self._ask(Request("signal", "POST", f"{self._target()}/signal/paid", body, can_repeat))
        signal_id = reply.document["signal_id"] if reply is not None and reply.is_success else None
        self._ledger.signals[name] = Signal(_fate(reply), signal_id)

    async def _stop(self) -> None:
        if self._random.random() < 0.6:
            return
        operation, end = self._random.choice(
            [("cancel", "WorkflowCancelled"), ("terminate", "WorkflowTerminated")]
        )
        body = {"reason": "enough", "request_id": self._name(operation)}
        reply = await self._ask(Request(operation, "POST", f"{self._target()}/{operation}", body, True))
        if reply is not None and reply.is_success:
            self._ledger.ends[reply.document["run_id"]] = end
            self._world.replace_workflow(reply.document["workflow_id"])

    async def _read(self) -> None:
        runs = list(self._ledger.starts.items())[-20:]
        if not runs:
            return
        run_id, workflow_id = self._random.choice(runs)
        path = f"/workflows/{workflow_id}/runs/{run_id}/history"
        reply = await self._ask(Request("read history", "GET", path, can_repeat=True))
        if reply is not None and reply.is_success:
            self._ledger.delivered(run_id, reply.document["events"])


def _fate(reply: Reply | None) -> Fate:
    """How often the effect of a request has to be found."""
    if reply is None or (reply.after_unknown and not reply.is_success):
        return Fate.PERHAPS
    return Fate.ONCE if reply.is_success else Fate.NEVER


def _attempt_of(body: Document) -> str:
    return str(body.get("workflow_task_attempt") or body["activity_attempt_id"])


def _has(known: list[Document], task: Document) -> bool:
    """Whether a history goes as far as an activity's beginning: then a continuation may fit."""
    execution_id = task["activity_execution_id"]
    return any(event["payload"].get("activity_execution_id") == execution_id for event in known)


def _fence(task: Document) -> Document:
    return {"lease_owner": task["lease_owner"], "workflow_task_attempt": task["workflow_task_attempt"]}


def _attempt(task: Document) -> Document:
    return {"lease_owner": task["lease_owner"], "activity_attempt_id": task["activity_attempt_id"]}
