"""What a worker's client has sent and received, as it went over the wire."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
from durable_workflow import Client

POLL = "/api/worker/workflow-tasks/poll"
TASKS = "/api/worker/workflow-tasks/"
ACTIVITIES = "/api/worker/activity-tasks/"
WHOLE_HISTORY_TOKEN = "MA=="

Document = dict[str, Any]


@dataclass(frozen=True)
class Exchange:
    """A request and its answer. `wire_bytes` is the size of the answer's body as sent, maybe compressed."""

    path: str
    request: Document
    status: int
    answer: Document
    wire_bytes: int

    @property
    def is_about_tasks(self) -> bool:
        """Whether it is a poll or an answer to a task."""
        return self.path.startswith((TASKS, ACTIVITIES))

    def carried(self, part: str) -> Document | None:
        """What the answer says of a carried part; None when the request carried none."""
        assert (part in self.answer) == (part in self.request)
        carried: Document | None = self.answer.get(part)
        return carried


@dataclass
class Delivery:
    """A workflow task as a worker got it: the task, pages of history read for it, and its completion."""

    task: Document
    pages: list[Exchange] = field(default_factory=list)
    completion: Exchange | None = None

    @property
    def after(self) -> int:
        """The sequence after which it begins; 0 too when the server says nothing of it."""
        after: int = self.task.get("history_after_sequence", 0)
        return after

    @property
    def mode(self) -> str | None:
        """What the server expects of the worker's cache."""
        mode: str | None = self.task.get("sticky_replay_mode")
        return mode

    @property
    def is_refetched(self) -> bool:
        """Whether the worker asked for the history from its beginning."""
        return any(page.request["next_history_page_token"] == WHOLE_HISTORY_TOKEN for page in self.pages)

    @property
    def sequences(self) -> list[int]:
        """The sequences of all events, in the order in which they came."""
        return [event["sequence"] for events in self._event_lists() for event in events]

    @property
    def history_bytes(self) -> int:
        """The size of the events as compact JSON."""
        return sum(len(compact(events)) for events in self._event_lists())

    @property
    def boundary(self) -> int | None:
        """The last sequence that the completion said is kept."""
        sticky_cache = self.completion.request.get("sticky_cache", {}) if self.completion else {}
        boundary: int | None = sticky_cache.get("history_last_sequence")
        return boundary

    def _event_lists(self) -> Iterator[list[Document]]:
        yield self.task["history_events"]
        for page in self.pages:
            yield page.answer["history_events"]


def listen(client: Client, note: Callable[[Exchange], None]) -> None:
    """Have every exchange of the client noted from now on, when its answer has come."""

    async def hook(response: httpx.Response) -> None:
        content = await response.aread()
        note(
            Exchange(
                response.request.url.path,
                json.loads(response.request.content or b"{}"),
                response.status_code,
                json.loads(content or b"{}"),
                response.num_bytes_downloaded,
            )
        )

    hooks = client._http.event_hooks
    hooks["response"].append(hook)
    client._http.event_hooks = hooks


def compact(events: list[Document]) -> bytes:
    """Events as compact JSON, which is what a history's size is measured by."""
    return json.dumps(events, ensure_ascii=False, separators=(",", ":")).encode()


class Traffic:
    """Everything that a client exchanges with its server from now on."""

    def __init__(self, client: Client) -> None:
        self.exchanges: list[Exchange] = []
        listen(client, self.exchanges.append)

    def registration(self) -> Document:
        """What the worker registered."""
        (registration,) = [each.request for each in self.exchanges if each.path == "/api/worker/register"]
        return registration

    def about_tasks(self) -> list[Exchange]:
        """Polls and answers to tasks, in order."""
        return [each for each in self.exchanges if each.is_about_tasks]

    def activities_completed(self) -> list[Exchange]:
        """The completions of activities that were accepted, in order."""
        return [
            each
            for each in self.exchanges
            if each.path.startswith(ACTIVITIES) and each.path.endswith("/complete") and each.status == 200
        ]

    def carries(self) -> bool:
        """Whether any request carried anything."""
        parts = {"workflow_poll", "activity_poll", "continuation"}
        return any(not parts.isdisjoint(each.request) for each in self.exchanges)

    def deliveries(self, run_id: str | None = None) -> list[Delivery]:
        """The workflow tasks of a run, or of all, in order."""
        deliveries: dict[tuple[str, int], Delivery] = {}
        for exchange in self.exchanges:
            if exchange.path == POLL:
                if task := exchange.answer.get("task"):
                    claim = (task["task_id"], task["workflow_task_attempt"])
                    deliveries.setdefault(claim, Delivery(task))
            elif exchange.path.startswith(TASKS):
                task_id, action = exchange.path.removeprefix(TASKS).split("/")
                delivery = deliveries[task_id, exchange.request["workflow_task_attempt"]]
                if action == "history" and exchange.status == 200:
                    delivery.pages.append(exchange)
                elif action == "complete" and exchange.status == 200:
                    delivery.completion = exchange
        return [each for each in deliveries.values() if run_id in (None, each.task["run_id"])]
