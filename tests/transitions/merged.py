"""What a completion carries, and a run whose worker holds it through its end."""

from __future__ import annotations

from typing import Any

from tests.transitions import commands as c
from tests.transitions.driver import (
    WORKER,
    ActivityTask,
    Driver,
    Reply,
    WorkflowTask,
    activity_task,
    workflow_task,
)
from tests.transitions.sticky import register_suffix_worker, sticky_cache


async def register_merging_worker(driver: Driver, worker: str = WORKER, **members: Any) -> Reply:
    """A worker that carries what it asks for next, and keeps runs."""
    return await register_suffix_worker(driver, worker, merged_transitions=True, **members)


def part(reply: Reply, name: str) -> dict[str, Any]:
    """What a carried part got."""
    answer: dict[str, Any] = reply[name]
    return answer


def got_activity(reply: Reply) -> ActivityTask:
    """The activity that the carried poll of an answer got."""
    return activity_task(_leased(part(reply, "activity_poll")))


def got_task(reply: Reply) -> WorkflowTask:
    """The workflow task that the carried poll of an answer got."""
    return workflow_task(_leased(part(reply, "workflow_poll")))


def _leased(answer: dict[str, Any]) -> Reply:
    assert answer["poll_status"] == "leased", answer
    return Reply("leased", answer, [], c.text_of(answer))


async def begin_held(
    driver: Driver, *commands: dict[str, Any], **start: Any
) -> tuple[WorkflowTask, ActivityTask, int]:
    """Starts a run and answers its first task with an activity, which its worker gets with the tail.

    The answered task, the activity, and the last sequence that the worker holds.
    """
    await driver.start(**start)
    task = await driver.claimed()
    reply = await driver.complete(
        task,
        *(commands or (c.schedule(),)),
        sticky=sticky_cache(task, 1),
        carried={"activity_poll": driver.poll(task.lease_owner, history_after_sequence=1)},
    )
    assert reply.outcome == "completed", reply
    tail = part(reply, "activity_poll")["history_tail"]
    return task, got_activity(reply), tail["last_sequence"]


def continuation(
    basis: int, *commands: dict[str, Any], sticky: dict[str, Any] | None = None
) -> dict[str, Any]:
    """A continuation as the transition reads it."""
    document: dict[str, Any] = {"basis_sequence": basis, "commands": c.text_of(commands)}
    if sticky is not None:
        document["sticky"] = c.text_of(sticky)
    return document
