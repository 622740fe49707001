"""What a workflow does with an activity's result, computed by the worker that has run the activity."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import durable_workflow
from durable_workflow import Client
from durable_workflow._sticky_workflow_cache import StickyWorkflowCache
from durable_workflow.workflow import LocalActivityExecutionAborted, RecordLocalActivity

from byssus.worker.histories import EncodedHistory, Event, Key

_COMMANDS = frozenset(
    {"schedule_activity", "start_timer", "record_side_effect", "complete_workflow", "fail_workflow"}
)
"""What a continuation may consist of. Local activities run under a claimed workflow task alone."""

_TERMINAL = frozenset({"complete_workflow", "fail_workflow"})

_START = (
    "namespace",
    "workflow_id",
    "run_id",
    "workflow_type",
    "task_queue",
    "payload_codec",
    "arguments",
)


def start_of(task: Mapping[str, Any]) -> bytes:
    """What a workflow task says of the run itself, the same in all of the run's tasks, as JSON.

    Raises ValueError for arguments that are not JSON (NaN).
    """
    start = {name: task[name] for name in _START if name in task}
    return json.dumps(start, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


@dataclass(frozen=True, slots=True)
class Basis:
    """That a worker keeps all history of a run, through `last_sequence`, while it runs an activity of it.

    `position` is the activity's own sequence, by which the workflow's code finds its result.
    """

    key: Key
    last_sequence: int
    position: int

    def workflow_task(
        self, history: EncodedHistory, activity: Mapping[str, Any], result: object
    ) -> dict[str, Any]:
        """The workflow task that there will be when the activity has completed with this result."""
        sequence = self.last_sequence + 1
        completed = {
            "id": f"{activity['run_id']}:e{sequence}",
            "sequence": sequence,
            "event_type": "ActivityCompleted",
            # When it will be recorded is not known, so workflow code that asks for it is not continued.
            "payload": {
                "sequence": self.position,
                "activity_execution_id": activity["activity_execution_id"],
                "activity_type": activity["activity_type"],
                "activity_attempt_id": activity["activity_attempt_id"],
                "attempt_number": activity["attempt_number"],
                "result": result,
                "payload_codec": "avro",
            },
        }
        return {
            **json.loads(history.start),
            "task_id": f"{activity['run_id']}:k{sequence}",
            "workflow_task_attempt": 1,
            "lease_owner": activity["lease_owner"],
            "last_history_sequence": sequence,
            "total_history_events": sequence,
            "history_events": [*history.events(), completed],
            "next_history_page_token": None,
        }


def scheduled_position(activity: Mapping[str, Any], events: list[Event]) -> int | None:
    """The position at which these events schedule the activity, if its result alone wakes the workflow.

    None when they do not schedule it, or in a parallel group: that wakes the workflow when all of it is over.
    """
    for event in events:
        payload = event.get("payload")
        if (
            event.get("event_type") == "ActivityScheduled"
            and isinstance(payload, Mapping)
            and payload.get("activity_execution_id") == activity["activity_execution_id"]
            and "parallel_group_path" not in payload
        ):
            position: int = payload["sequence"]
            return position
    return None


def may_continue(commands: list[dict[str, Any]]) -> bool:
    """Whether commands may be sent ahead of their workflow task."""
    return bool(commands) and all(command.get("type") in _COMMANDS for command in commands)


def is_terminal(commands: list[dict[str, Any]]) -> bool:
    """Whether the run is over with these commands."""
    return any(command.get("type") in _TERMINAL for command in commands)


class Rehearsal(durable_workflow.Worker):
    """A copy of a worker that runs a workflow task which nobody has claimed, and sends nothing.

    It is the SDK's own way from a task to its commands, with interceptors, codecs and checks. Where that
    ends, at the client, the commands are noted instead.
    """

    def __init__(self, worker: durable_workflow.Worker) -> None:
        # A second worker would be counted, and threads and slots are those of the first.
        vars(self).update(vars(worker))
        self.client = cast(Client, _Silence(worker.client))
        # With no cache of its own, the SDK replays just what the task brings.
        self._sticky_cache = StickyWorkflowCache(0, 1, 1)
        self._noted: list[dict[str, Any]] = []

    async def commands(self, task: dict[str, Any]) -> list[dict[str, Any]]:
        """The commands that the task would be completed with; none unless by them, and by them alone."""
        await self._run_workflow_task(task)
        return self._noted

    async def _complete_workflow_task_with_retry(
        self,
        *,
        task_id: str,
        attempt: int,
        commands: list[dict[str, Any]],
        message_stream_cursors: list[dict[str, Any]] | None = None,
        message_stream_waits: list[dict[str, Any]] | None = None,
        sticky_cache: dict[str, Any] | None = None,
    ) -> None:
        if not message_stream_cursors and not message_stream_waits:
            self._noted = commands

    async def _execute_local_activity(
        self, task: dict[str, Any], command: RecordLocalActivity, *, payload_codec: str
    ) -> Any:
        raise LocalActivityExecutionAborted("it runs when its workflow task has been claimed")


class _Silence:
    """What a rehearsal needs of a client. Whatever else is asked of it fails, and so does the rehearsal."""

    def __init__(self, client: Client) -> None:
        self.namespace = client.namespace
        self.payload_size_warning_config = client.payload_size_warning_config

    async def fail_workflow_task(self, **failure: Any) -> None:
        """Leave it to the workflow task itself, which will fail in the same way."""
