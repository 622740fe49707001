"""Sequences on which engines once disagreed, shrunk, in the form in which a Difference shows them."""

from __future__ import annotations

import json

from tests.parity.comparison import Step
from tests.transitions import commands as c

_WORKER = c.registration_text(c.registration())
_REGISTRATION: Step = (
    0.001,
    "register_worker",
    {"namespace": "default", "worker_id": "worker", "task_queue": "main", "registration": _WORKER},
)


def _start(workflow_id: str, *, priority: int = 5) -> Step:
    return (
        0.001,
        "start_run",
        {
            "namespace": "default",
            "workflow_id": workflow_id,
            "workflow_type": "order",
            "task_queue": "main",
            "duplicate_policy": "fail",
            "request_id": None,
            "digest": "d",
            "start": c.text_of({"priority": priority, "fairness_weight": 1}),
        },
    )


def _claim(*poll_request_ids: str, kind: str = "workflow") -> Step:
    polls = [
        {
            "namespace": "default",
            "worker_id": "worker",
            "task_queue": "main",
            "poll_request_id": poll_request_id,
            "page_size": 1000,
            "lease_seconds": 60,
            "sticky_execution": True,
            "hold_seconds": 5,
            "polling_seconds": 10,
        }
        for poll_request_id in poll_request_ids
    ]
    return 0.001, f"claim_{kind}_task", {"polls": json.dumps(polls)}


def _complete(task_id: str, *commands: c.Document, seconds: float = 0.001) -> Step:
    return (
        seconds,
        "complete_workflow_task",
        {
            "namespace": "default",
            "task_id": task_id,
            "lease_owner": "worker",
            "attempt": 1,
            "commands": c.text_of(commands),
            "digest": "d",
            "sticky": None,
            "carried": None,
        },
    )


_SIGNAL: Step = (
    0.001,
    "signal_run",
    {
        "namespace": "default",
        "workflow_id": "a",
        "run_id": None,
        "signal_name": "pay",
        "input": None,
        "request_id": None,
        "digest": "d",
    },
)

REGRESSIONS: dict[str, list[Step]] = {
    "leases of workflow tasks that end at one moment end in the order of their runs": [
        _REGISTRATION,
        _start("a"),
        _start("b", priority=0),
        _claim("1", "2"),
        (61, "expire_leases", {"batch_size": 1}),
    ],
    "leases of activities that end at one moment end in the order of their runs": [
        _REGISTRATION,
        _start("a"),
        _start("b", priority=0),
        _claim("1", "2"),
        _complete("<run 2>:k1", c.schedule()),
        _complete("<run 1>:k1", c.schedule()),
        _claim("3", "4", kind="activity"),
        (61, "expire_leases", {"batch_size": 1}),
    ],
    "timeouts of activities that pass at one moment pass in the order of their runs": [
        _REGISTRATION,
        _start("a"),
        _start("b"),
        _claim("1", "2"),
        _complete("<run 2>:k1", c.schedule(schedule_to_start_timeout=8)),
        _complete("<run 1>:k1", c.schedule(schedule_to_start_timeout=8), seconds=0),
        (9, "enforce_timeouts", {"batch_size": 1}),
    ],
    "a sweep whose timeouts wake nobody has no hints": [
        _REGISTRATION,
        _start("a"),
        _claim("1"),
        _complete("<run 1>:k1", c.schedule(schedule_to_start_timeout=8)),
        _SIGNAL,
        _claim("2"),
        (9, "enforce_timeouts", {"batch_size": 100}),
    ],
}
