"""What a continuation is computed from, and what it may be."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from byssus.worker.continuation import Basis, is_terminal, may_continue, scheduled_position, start_of
from byssus.worker.histories import EncodedHistory, Event

RUN = "01900000-0000-7000-8000-000000000001"
WORKFLOW_TASK = {
    "task_id": f"{RUN}:k1",
    "task_kind": "workflow",
    "namespace": "default",
    "workflow_id": "order-1",
    "run_id": RUN,
    "workflow_type": "order",
    "task_queue": "orders",
    "payload_codec": "avro",
    "arguments": {"codec": "avro", "blob": "AA=="},
    "workflow_task_attempt": 3,
    "lease_owner": "worker",
    "sticky_replay_mode": "cold_replay",
    "cancel_requested": False,
    "history_events": [],
    "next_history_page_token": None,
}
ACTIVITY = {
    "task_id": f"{RUN}:a1",
    "run_id": RUN,
    "activity_execution_id": f"{RUN}:a1",
    "activity_attempt_id": f"{RUN}:a1.1",
    "attempt_number": 1,
    "activity_type": "charge",
    "lease_owner": "worker",
}


def _scheduled(**members: Any) -> Event:
    payload = {"sequence": 1, "activity_execution_id": f"{RUN}:a1", "activity_type": "charge", **members}
    return {"sequence": 2, "event_type": "ActivityScheduled", "payload": payload}


STARTED = {"sequence": 1, "event_type": "WorkflowStarted", "payload": {}}


def test_the_workflow_task_to_come_is_that_of_the_run_with_one_event_more() -> None:
    history = EncodedHistory.of(start_of(WORKFLOW_TASK)).extended([STARTED, _scheduled()])
    basis = Basis(("order-1", RUN, "build"), history.last_sequence, 1)
    result = {"codec": "avro", "blob": "AQ=="}
    task = basis.workflow_task(history, ACTIVITY, result)
    assert task["history_events"][:-1] == history.events()
    assert task["history_events"][-1] == {
        "id": f"{RUN}:e3",
        "sequence": 3,
        "event_type": "ActivityCompleted",
        "payload": {
            "sequence": 1,
            "activity_execution_id": f"{RUN}:a1",
            "activity_type": "charge",
            "activity_attempt_id": f"{RUN}:a1.1",
            "attempt_number": 1,
            "result": result,
            "payload_codec": "avro",
        },
    }
    same = ("namespace", "workflow_id", "run_id", "workflow_type", "task_queue", "payload_codec", "arguments")
    assert {name: task[name] for name in same} == {name: WORKFLOW_TASK[name] for name in same}
    assert (task["task_id"], task["workflow_task_attempt"]) == (f"{RUN}:k3", 1)
    assert "cancel_requested" not in task
    assert task["arguments"] is not WORKFLOW_TASK["arguments"]


def test_what_is_not_json_does_not_start_a_history() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        start_of({**WORKFLOW_TASK, "arguments": math.inf})
    assert json.loads(start_of(WORKFLOW_TASK))["workflow_id"] == "order-1"


def test_an_activity_alone_is_found_where_it_is_scheduled() -> None:
    assert scheduled_position(ACTIVITY, [STARTED, _scheduled()]) == 1
    assert scheduled_position(ACTIVITY, [STARTED]) is None
    assert scheduled_position(ACTIVITY, []) is None
    another = _scheduled(activity_execution_id=f"{RUN}:a11")
    assert scheduled_position(ACTIVITY, [another]) is None
    completed = {**_scheduled(), "event_type": "ActivityCompleted"}
    assert scheduled_position(ACTIVITY, [completed]) is None
    assert scheduled_position(ACTIVITY, [{"sequence": 2, "event_type": "ActivityScheduled"}]) is None


def test_a_member_of_a_parallel_group_is_left_to_the_workflow_task() -> None:
    assert scheduled_position(ACTIVITY, [_scheduled(parallel_group_path=[{}])]) is None


def test_only_some_commands_are_sent_ahead() -> None:
    ahead = ["schedule_activity", "start_timer", "record_side_effect", "complete_workflow", "fail_workflow"]
    assert may_continue([{"type": kind} for kind in ahead])
    for kind in ("open_condition_wait", "record_local_activity", "continue_as_new", "upsert_memo", None):
        assert not may_continue([{"type": "start_timer"}, {"type": kind}])
    assert not may_continue([])


def test_some_commands_end_the_run() -> None:
    assert is_terminal([{"type": "record_side_effect"}, {"type": "complete_workflow"}])
    assert is_terminal([{"type": "fail_workflow"}])
    assert not is_terminal([{"type": "schedule_activity"}, {"type": "start_timer"}])
