"""What completions carry: polls of the worker that completes, and continuations of the run."""

from __future__ import annotations

from typing import Any

from tests.parity import documents
from tests.parity.callers import Callers, Lease
from tests.parity.comparison import Arguments
from tests.parity.draw import Draw
from tests.parity.polls import poll
from tests.transitions import commands as c

_QUEUES = {"Worker": "Main", "worker ": "main ", "wörker 🚲": "🚲"}


def with_workflow_task(draw: Draw, callers: Callers, fence: Arguments, lease: Lease | None) -> str | None:
    """What the completion of a workflow task carries; None: nothing."""
    if draw.percent(50):
        return None
    return c.text_of(_polls(draw, callers, fence, None if lease is None else lease.last_sequence))


def with_activity(draw: Draw, callers: Callers, fence: Arguments) -> str | None:
    """What the completion of an activity carries; None: nothing."""
    if draw.percent(35):
        return None
    run_id, _, place = str(fence["task_id"]).partition(":a")
    known = callers.tails.get(run_id)
    basis = (known or 2) + draw.of((0,) * 15 + (1, -1, documents.LATEST - 10))
    carried = _polls(draw, callers, fence, known)
    if draw.percent(75):
        carried["continuation"] = _continuation(draw, callers, fence, basis, run_id, place)
        if "activity_poll" in carried and draw.percent(20):
            carried["activity_poll"]["if_applied"] = True
    return c.text_of(carried)


def keeping(draw: Draw, callers: Callers, lease: Lease) -> str:
    """What brings the worker of a claim an activity of its run, with the tail of the run's history."""
    asked = _poll(draw, callers, lease.fence, "activity") | {"history_after_sequence": lease.last_sequence}
    return c.text_of({"activity_poll": asked})


def continuing(draw: Draw, callers: Callers, fence: Arguments) -> str:
    """A continuation of a run that is held, and what brings the next activity with the next tail."""
    run_id, _, place = str(fence["task_id"]).partition(":a")
    basis = callers.tails[run_id]
    asked = _poll(draw, callers, fence, "activity") | {"history_after_sequence": basis}
    carried = {
        "continuation": _continuation(draw, callers, fence, basis, run_id, place),
        "activity_poll": asked,
    }
    return c.text_of(carried)


def _poll(draw: Draw, callers: Callers, fence: Arguments, kind: str) -> dict[str, Any]:
    return {
        **poll(draw, callers, kind),
        "namespace": fence["namespace"],
        "worker_id": fence["lease_owner"],
        "task_queue": _QUEUES.get(str(fence["lease_owner"]), "main"),
    }


def _polls(draw: Draw, callers: Callers, fence: Arguments, held: int | None) -> dict[str, Any]:
    carried: dict[str, Any] = {}
    for kind in ("workflow", "activity"):
        if draw.percent(60):
            carried[f"{kind}_poll"] = _poll(draw, callers, fence, kind)
    if "activity_poll" in carried and draw.percent(80):
        carried["activity_poll"]["history_after_sequence"] = (held or 1) + draw.of((0,) * 12 + (1, 50))
    return carried


def _continuation(
    draw: Draw, callers: Callers, fence: Arguments, basis: int, run_id: str, place: str
) -> dict[str, Any]:
    position = int(place) if place.isascii() and place.isdigit() and len(place) < 6 else 0
    workflows = [run.workflow_id for run in callers.runs if run.run_id == run_id]
    lease = Lease(fence, position, None, workflows[0] if workflows else "a", run_id, basis)
    continuation: dict[str, Any] = {
        "basis_sequence": basis,
        "commands": documents.continuing_commands(draw, lease),
    }
    if draw.percent(85):
        continuation["sticky"] = documents.sticky_cache(draw, lease)
    return continuation
