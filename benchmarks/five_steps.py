"""What workers send that play a workflow of five steps, which do nothing.

Each part is a generator with a connection of its own: it yields a request and is sent the body of the answer.
The play keeps of a run only how many of its steps were asked for: the least that workflow code would keep.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from typing import Any

import msgspec

STEPS = 5

Part = Generator[bytes, bytes, None]

_ENVELOPE = {"codec": "avro", "blob": "wwHioz3/VYAiNwwCAgA="}
_BUILD = "benchmark/1"
_STICKY_SECONDS = 300
_POLL_SECONDS = 30
_FLOOR = {"minimum_protocol_version": "1.18"}
_VERSION = {"supported": True, "version": 1}
_MERGING = ("sticky_execution", "sticky_history_suffix", "merged_transitions")


class Task(msgspec.Struct):
    """A task of either kind; one of an activity has an attempt id."""

    task_id: str
    run_id: str
    workflow_id: str
    workflow_task_attempt: int = 0
    activity_attempt_id: str = ""
    history_last_sequence: int = 0


class Tail(msgspec.Struct):
    last_sequence: int


class Poll(msgspec.Struct):
    """The answer of a poll, whether it was carried or not."""

    task: Task | None = None
    history_tail: Tail | None = None


class Continued(msgspec.Struct):
    outcome: str
    reason: str | None


class Answer(Poll):
    """The answer of a poll or of a completion."""

    workflow_poll: Poll | None = None
    activity_poll: Poll | None = None
    continuation: Continued | None = None

    @property
    def next_poll(self) -> Poll:
        """What was polled, by itself or with a completion."""
        for poll in (self.activity_poll, self.workflow_poll):
            if poll is not None and poll.task is not None:
                return poll
        return self


_answers = msgspec.json.Decoder(Answer)


class Play:
    """One worker, which is registered, and all that it and the clients of its workflows send."""

    def __init__(self, address: str, tokens: dict[str, str], name: str) -> None:
        self.finished = 0
        self.refusals: Counter[str] = Counter()
        self._name = name
        self._asked: Counter[str] = Counter()
        head = f"host: {address}\r\ncontent-type: application/json\r\nx-namespace: default\r\n"
        self._worker_head = (
            f"{head}authorization: Bearer {tokens['worker']}\r\nx-durable-workflow-protocol-version: 1.20\r\n"
        ).encode()
        self._client_head = (
            f"{head}authorization: Bearer {tokens['operator']}\r\n"
            "x-durable-workflow-control-plane-version: 2\r\n"
        ).encode()
        poll = {"worker_id": name, "task_queue": name}
        held_poll = {**poll, "timeout_seconds": _POLL_SECONDS}
        self._workflow_poll = self._to_worker(b"workflow-tasks/poll", _encode(held_poll))
        self._activity_poll = self._to_worker(b"activity-tasks/poll", _encode(held_poll))
        self._any_workflow = b',"workflow_poll":' + _encode(poll)
        self._open_poll = _encode(poll).removesuffix(b"}")
        self._schedule = _encode(
            {"type": "schedule_activity", "activity_type": "step", "queue": name, "arguments": _ENVELOPE}
        )
        self._finish = _encode({"type": "complete_workflow", "result": _ENVELOPE})
        self._local_steps = b",".join(_encode(_local_step(number)) for number in range(STEPS))

    def registration(self, *, merges: bool) -> bytes:
        """The worker's registration, which comes first."""
        able = ("local_activities", *(_MERGING if merges else ()))
        negotiated = ("local_activities", "worker_sessions", "sticky_execution")
        manifest: dict[str, Any] = {name: {"supported": name in able, **_FLOOR} for name in negotiated}
        if merges:
            manifest |= {"sticky_history_suffix": _VERSION, "merged_transitions": _VERSION}
        body = {
            "worker_id": self._name,
            "task_queue": self._name,
            "runtime": "python",
            "sdk_version": _BUILD,
            "supported_workflow_types": ["five_steps"],
            "supported_activity_types": ["step"],
            "capabilities": able,
            "capability_manifest": manifest,
        }
        return self._to_worker(b"register", _encode(body))

    def starter(self, numbers: Iterator[int]) -> Part:
        """A client that starts workflows while there are numbers, which it may share with others."""
        for number in numbers:
            body = {
                "workflow_id": f"{self._name}-{number}",
                "workflow_type": "five_steps",
                "task_queue": self._name,
                "input": _ENVELOPE,
            }
            yield _request(b"/api/workflows", self._client_head, _encode(body))

    def workflow_worker(self) -> Part:
        """Polls for workflow tasks, and completes each with the next command."""
        while True:
            task = _answers.decode((yield self._workflow_poll)).task
            if task is not None:
                yield self._completion(task, self._next_command(task.run_id))
                self._advance(task.run_id)

    def activity_worker(self) -> Part:
        """Polls for activities, and completes each at once."""
        while True:
            task = _answers.decode((yield self._activity_poll)).task
            if task is not None:
                yield self._activity_completion(task)

    def merged_worker(self, *, begins_with_activities: bool = False) -> Part:
        """Takes what its completions bring, and polls by itself when they bring nothing."""
        own_poll = self._activity_poll if begins_with_activities else self._workflow_poll
        while True:
            poll: Poll = _answers.decode((yield own_poll))
            while poll.task is not None:
                answer = _answers.decode((yield self._merged_completion(poll.task, poll.history_tail)))
                self._note(poll.task, answer)
                poll = answer.next_poll

    def local_worker(self) -> Part:
        """Answers each workflow task with five steps that it ran itself, and the end."""
        commands = b"%s,%s" % (self._local_steps, self._finish)
        while True:
            poll: Poll = _answers.decode((yield self._workflow_poll))
            while poll.task is not None:
                completion = self._completion(poll.task, commands, self._any_workflow)
                answer = _answers.decode((yield completion))
                self.finished += 1
                poll = answer.next_poll

    def _merged_completion(self, task: Task, tail: Tail | None) -> bytes:
        command = self._next_command(task.run_id)
        if not task.activity_attempt_id:
            return self._completion(task, command, self._onward(task, command, task.history_last_sequence))
        if tail is None:
            # Of a run that this connection does not hold: the run's own task says what comes next.
            return self._activity_completion(task, self._any_workflow)
        onward = self._onward(task, command, tail.last_sequence)
        continuation = b',"continuation":{"basis_sequence":%d,"commands":[%s]' % (tail.last_sequence, command)
        if command is self._finish:
            return self._activity_completion(task, continuation + b"}" + onward)
        return self._activity_completion(task, continuation + onward + b"}")

    def _onward(self, task: Task, command: bytes, through: int) -> bytes:
        """What goes with a command: the run is kept, and its activity asked for; or the next run."""
        if command is self._finish:
            return self._any_workflow
        return (
            b',"sticky_cache":{"worker_id":"%s","workflow_id":"%s","run_id":"%s","build_id":"%s",'
            b'"ttl_seconds":%d,"history_last_sequence":%d},"activity_poll":%s,"history_after_sequence":%d}'
        ) % (
            self._name.encode(),
            task.workflow_id.encode(),
            task.run_id.encode(),
            _BUILD.encode(),
            _STICKY_SECONDS,
            through,
            self._open_poll,
            through,
        )

    def _note(self, task: Task, answer: Answer) -> None:
        """See whether an answer says that the run went on."""
        continued = answer.continuation
        if not task.activity_attempt_id or (continued is not None and continued.outcome == "applied"):
            self._advance(task.run_id)
        elif continued is not None:
            self.refusals[continued.reason or ""] += 1

    def _next_command(self, run_id: str) -> bytes:
        return self._finish if self._asked[run_id] == STEPS else self._schedule

    def _advance(self, run_id: str) -> None:
        if self._asked[run_id] == STEPS:
            del self._asked[run_id]
            self.finished += 1
        else:
            self._asked[run_id] += 1

    def _completion(self, task: Task, commands: bytes, carried: bytes = b"") -> bytes:
        body = b'{"lease_owner":"%s","workflow_task_attempt":%d,"commands":[%s]%s}' % (
            self._name.encode(),
            task.workflow_task_attempt,
            commands,
            carried,
        )
        return self._to_worker(b"workflow-tasks/%s/complete" % task.task_id.encode(), body)

    def _activity_completion(self, task: Task, carried: bytes = b"") -> bytes:
        body = b'{"lease_owner":"%s","activity_attempt_id":"%s","result":%s%s}' % (
            self._name.encode(),
            task.activity_attempt_id.encode(),
            _RESULT,
            carried,
        )
        return self._to_worker(b"activity-tasks/%s/complete" % task.task_id.encode(), body)

    def _to_worker(self, path: bytes, body: bytes) -> bytes:
        return _request(b"/api/worker/" + path, self._worker_head, body)


Way = Callable[[Play, int], list[Part]]


def unmerged(play: Play, slots: int) -> list[Part]:
    return [play.workflow_worker() for _ in range(slots)] + [play.activity_worker() for _ in range(slots)]


def merged(play: Play, slots: int) -> list[Part]:
    """One more part waits for activities that are left over: those of a continuation that was refused."""
    return [play.merged_worker() for _ in range(slots)] + [play.merged_worker(begins_with_activities=True)]


def local(play: Play, slots: int) -> list[Part]:
    return [play.local_worker() for _ in range(slots)]


WAYS: dict[str, Way] = {"unmerged": unmerged, "merged": merged, "local": local}


def _encode(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _request(path: bytes, head: bytes, body: bytes) -> bytes:
    return b"POST %s HTTP/1.1\r\n%scontent-length: %d\r\n\r\n%s" % (path, head, len(body), body)


def _local_step(number: int) -> dict[str, Any]:
    return {
        "type": "record_local_activity",
        "activity_type": "step",
        "execution_mode": "local",
        "arguments": _ENVELOPE,
        "outcome": "completed",
        "attempts": [
            {
                "attempt_id": f"{number:064x}",
                "attempt_number": 1,
                "outcome": "completed",
                "duration_ms": 0,
                "heartbeats": [],
            }
        ],
        "result": _ENVELOPE,
    }


_RESULT = _encode(_ENVELOPE)
