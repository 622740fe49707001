"""The whole HTTP API as one table.

Routing, authentication, validation and the transition to run follow from it. The order of checks of every
request: size, media type, JSON; token; role; version; namespace; operation name; body; then the one call of
the store.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from byssus.http import activities, claims, workers, workflow_tasks, workflows
from byssus.http.call import Call
from byssus.store import Arguments
from byssus.store import transitions as t
from byssus.store.transitions import Transition

Plane = Literal["open", "any", "worker", "control"]
"""`open` asks for nothing, `any` for a token, the others also for their version and a namespace."""

Role = Literal["worker", "operator", "admin"]
Special = Literal[
    "health",
    "ready",
    "cluster_info",
    "schema",
    "metrics",
    "operator_metrics",
    "workflow_poll",
    "activity_poll",
    "history",
]

WORKER: tuple[Role, ...] = ("worker",)
CLIENT: tuple[Role, ...] = ("operator", "admin")
EVERYONE: tuple[Role, ...] = ("worker", "operator", "admin")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One row.

    `operation` names it in logs, in `control_plane` and in deferred answers. `request` is the struct of its
    body. `arguments` makes the transition's arguments. `statuses` are HTTP statuses of outcomes that differ
    from 200 and from the error table. `special` endpoints are not a plain call of their transition.
    `query` are the members of the query string, each with its JSON schema. `media_type` is that of a success.
    """

    method: Literal["GET", "POST", "DELETE"]
    path: str
    plane: Plane
    roles: tuple[Role, ...]
    operation: str
    transition: Transition | None = None
    request: type[msgspec.Struct] | None = None
    arguments: Callable[[Call[Any]], Arguments] | None = None
    statuses: Mapping[str, int] = field(default_factory=dict)
    special: Special | None = None
    query: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    media_type: str = "application/json"


_E = Endpoint
_TASK = "/api/worker/workflow-tasks"
_ACTIVITY = "/api/worker/activity-tasks"
_WORKFLOW = "/api/workflows/{workflow_id}"
_RUN = "/api/workflows/{workflow_id}/runs/{run_id}"
_SIGNALLED = {"signal_received": 202}
_UNKNOWN_WORKER = {"worker_not_registered": 404}
# The SDK tells an activity that it is cancelled only when a successful answer says so.
_CANCELLED = {"run_cancelled": 200, "run_terminated": 200}

_PAGE = {"page_size": {"type": "integer"}, "next_page_token": {"type": "string"}}
_LISTED = {**_PAGE, "workflow_type": {"type": "string"}, "status": {"type": "string"}}
_EVENTS = {**_PAGE, "wait_new_event": {"type": "boolean"}}

# fmt: off
ENDPOINTS: tuple[Endpoint, ...] = (
    _E("GET", "/api/health", "open", (), "health", t.READ_SCHEMA_STATE, special="health"),
    _E("GET", "/api/ready", "open", (), "ready", t.READ_SCHEMA_STATE, special="ready"),
    _E("GET", "/schema", "open", (), "schema", special="schema"),
    _E("GET", "/api/cluster/info", "any", EVERYONE, "cluster_info", special="cluster_info"),
    _E("GET", "/metrics", "any", EVERYONE, "metrics", t.READ_STICKY_METRICS, special="metrics",
       media_type="text/plain"),
    _E("GET", "/api/system/operator-metrics", "control", CLIENT, "operator_metrics",
       t.READ_STICKY_METRICS, special="operator_metrics"),

    _E("POST", "/api/worker/register", "worker", EVERYONE, "register_worker",
       t.REGISTER_WORKER, workers.Register, workers.register, {"registered": 201}),
    _E("POST", "/api/worker/heartbeat", "worker", WORKER, "heartbeat_worker",
       t.HEARTBEAT_WORKER, workers.Heartbeat, workers.heartbeat, _UNKNOWN_WORKER),
    _E("DELETE", "/api/worker/registrations/{worker_id}", "worker", WORKER, "deregister_worker",
       t.DEREGISTER_WORKER, None, workers.deregister),
    _E("POST", "/api/worker/registrations/{worker_id}/deregister", "worker", WORKER, "deregister_worker",
       t.DEREGISTER_WORKER, workers.Deregister, workers.deregister_fenced),

    _E("POST", f"{_TASK}/poll", "worker", WORKER, "poll_workflow_task",
       t.CLAIM_WORKFLOW_TASK, claims.PollWorkflowTask, special="workflow_poll"),
    _E("POST", f"{_TASK}/{{task_id}}/history", "worker", WORKER, "read_workflow_task_history",
       t.READ_HISTORY_PAGE, workflow_tasks.ReadHistoryPage, workflow_tasks.read_history_page),
    _E("POST", f"{_TASK}/{{task_id}}/heartbeat", "worker", WORKER, "heartbeat_workflow_task",
       t.HEARTBEAT_WORKFLOW_TASK, workflow_tasks.HeartbeatWorkflowTask, workflow_tasks.heartbeat),
    _E("POST", f"{_TASK}/{{task_id}}/complete", "worker", WORKER, "complete_workflow_task",
       t.COMPLETE_WORKFLOW_TASK, workflow_tasks.CompleteWorkflowTask, workflow_tasks.complete),
    _E("POST", f"{_TASK}/{{task_id}}/fail", "worker", WORKER, "fail_workflow_task",
       t.FAIL_WORKFLOW_TASK, workflow_tasks.FailWorkflowTask, workflow_tasks.fail),

    _E("POST", f"{_ACTIVITY}/poll", "worker", WORKER, "poll_activity_task",
       t.CLAIM_ACTIVITY_TASK, claims.PollActivityTask, special="activity_poll"),
    _E("POST", f"{_ACTIVITY}/{{task_id}}/complete", "worker", WORKER, "complete_activity_task",
       t.COMPLETE_ACTIVITY, activities.CompleteActivity, activities.complete),
    _E("POST", f"{_ACTIVITY}/{{task_id}}/fail", "worker", WORKER, "fail_activity_task",
       t.FAIL_ACTIVITY, activities.FailActivity, activities.fail),
    _E("POST", f"{_ACTIVITY}/{{task_id}}/heartbeat", "worker", WORKER, "heartbeat_activity_task",
       t.HEARTBEAT_ACTIVITY, activities.HeartbeatActivity, activities.heartbeat, _CANCELLED),

    _E("POST", "/api/workflows", "control", CLIENT, "start",
       t.START_RUN, workflows.StartWorkflow, workflows.start, {"started_new": 201}),
    _E("GET", "/api/workflows", "control", CLIENT, "list",
       t.LIST_RUNS, None, workflows.list_workflows, query=_LISTED),
    _E("GET", _WORKFLOW, "control", CLIENT, "describe", t.DESCRIBE_RUN, None, workflows.describe),
    _E("GET", _RUN, "control", CLIENT, "describe_run", t.DESCRIBE_RUN, None, workflows.describe),
    _E("GET", f"{_WORKFLOW}/runs", "control", CLIENT, "list_runs",
       t.LIST_WORKFLOW_RUNS, None, workflows.list_runs, query=_PAGE),
    _E("GET", f"{_RUN}/history", "control", CLIENT, "history",
       t.READ_HISTORY, special="history", query=_EVENTS),
    _E("GET", f"{_RUN}/history/export", "control", CLIENT, "export_history",
       t.EXPORT_RUN, None, workflows.describe),
    _E("POST", f"{_WORKFLOW}/signal/{{signal_name}}", "control", CLIENT, "signal",
       t.SIGNAL_RUN, workflows.Signal, workflows.signal, _SIGNALLED),
    _E("POST", f"{_RUN}/signal/{{signal_name}}", "control", CLIENT, "signal",
       t.SIGNAL_RUN, workflows.Signal, workflows.signal, _SIGNALLED),
    _E("POST", f"{_WORKFLOW}/cancel", "control", CLIENT, "cancel",
       t.CANCEL_RUN, workflows.Stop, workflows.stop),
    _E("POST", f"{_RUN}/cancel", "control", CLIENT, "cancel", t.CANCEL_RUN, workflows.Stop, workflows.stop),
    _E("POST", f"{_WORKFLOW}/terminate", "control", CLIENT, "terminate",
       t.TERMINATE_RUN, workflows.Stop, workflows.stop),
    _E("POST", f"{_RUN}/terminate", "control", CLIENT, "terminate",
       t.TERMINATE_RUN, workflows.Stop, workflows.stop),
)
# fmt: on
