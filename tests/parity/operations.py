"""The next call of somebody: a client, a worker, or maintenance."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence

from byssus.store import transitions as t
from byssus.store.transitions import Transition
from tests.parity import carried, documents
from tests.parity.callers import Callers, Lease
from tests.parity.comparison import Arguments
from tests.parity.draw import Draw
from tests.parity.polls import PAGE_SIZES, poll

Call = tuple[Transition, Arguments]
Operation = Callable[[Draw, Callers], Call]

UNKNOWN_RUN = "01900000-0000-7000-8000-000000000000"
_NAMESPACES = ("default",) * 40 + ("other", "missing", "Default", "default ")
_TEAMS = (
    *[("default", "worker", "main")] * 24,
    *[("default", "worker-2", "main")] * 6,
    *[("other", "worker", "main")] * 2,
    ("default", "Worker", "Main"),
    ("default", "worker ", "main "),
    ("default", "wörker 🚲", "🚲"),
    ("missing", "worker", "main"),
)
"""Namespace, worker and the queue that it works on."""

_WORKFLOW_IDS = ("a", "A", *"bcdefghijk", "x" * 128, "a.b:c_d-e")
_REQUEST_IDS = (None, None, "r", "r2", "R", "r ")
_DIGESTS = ("d", "d", "d2")
_JUNK = ("x", " ", "0", "é", UNKNOWN_RUN)
_FORGED_TASKS = ("k1", "k007", "k", "a1", "k1 ", "k1\n", "k999", "K1", "k\u0661", "k-1", "k" + "9" * 30)
_FORGED_ACTIVITIES = ("a1", "a01", "a999", "A1", "k1", "a1 ", "a1\n", "a+1", "a" + "9" * 30)
_FORGED_ATTEMPTS = (
    "a1.1",
    "a1.9",
    "a1.01",
    "a01.1",
    "a1",
    "a1.",
    "a1.1 ",
    "a1.1\n",
    "a1.1.1",
    "a1." + "9" * 30,
)


def first_worker(draw: Draw, callers: Callers) -> Call:
    """The worker that does most of the work says what it can do."""
    return _register("default", "worker", "main", documents.registration(draw))


def second_worker(draw: Draw, callers: Callers) -> Call:
    return _register("default", "worker-2", "main", documents.registration(draw))


def register(draw: Draw, callers: Callers) -> Call:
    namespace, worker, queue = draw.of(tuple(dict.fromkeys(_TEAMS)))
    if draw.percent(5):
        queue = documents.queue(draw)
    return _register(namespace, worker, queue, documents.registration(draw))


def heartbeat_worker(draw: Draw, callers: Callers) -> Call:
    namespace, worker, _ = draw.of(_TEAMS)
    return t.HEARTBEAT_WORKER, {
        "namespace": namespace,
        "worker_id": documents.name(draw, worker),
        "task_slots": draw.of(('{"a": 1}', "{}")),
        "process_metrics": draw.of(("{}", '{"cpu_percent":1.50}')),
        "stale_seconds": draw.of((60, 60, 5)),
    }


def record_polls(draw: Draw, callers: Callers) -> Call:
    polls = {(namespace, worker) for namespace, worker, _ in (draw.of(_TEAMS) for _ in range(4))}
    return t.RECORD_POLLS, {"polls": _text(sorted(polls)), "polling_seconds": draw.of((10, 10, 3))}


def deregister(draw: Draw, callers: Callers) -> Call:
    namespace, worker, _ = draw.of(_TEAMS)
    token = "0" * 32
    if callers.registrations and draw.percent(80):
        known = draw.latest(callers.registrations)
        namespace, worker, token = known.namespace, known.worker_id, known.token
    return t.DEREGISTER_WORKER, {
        "namespace": namespace,
        "worker_id": documents.name(draw, worker),
        "registration_token": None if draw.percent(30) else token,
        "receipt_seconds": draw.of((600, 600, 1)),
    }


def start(draw: Draw, callers: Callers) -> Call:
    namespace, _, queue = draw.of(_TEAMS)
    return t.START_RUN, {
        "namespace": namespace,
        "workflow_id": draw.of(_WORKFLOW_IDS),
        "workflow_type": documents.workflow_type(draw),
        "task_queue": queue,
        "duplicate_policy": draw.of(("fail", "use-existing")),
        "request_id": draw.of(_REQUEST_IDS),
        "digest": draw.of(_DIGESTS),
        "start": documents.start(draw),
    }


def describe(draw: Draw, callers: Callers) -> Call:
    return t.DESCRIBE_RUN, _target(draw, callers)


def list_runs(draw: Draw, callers: Callers) -> Call:
    after = draw.of((None, None, None, *_JUNK))
    if callers.runs and draw.percent(40):
        after = draw.of(callers.runs).run_id
    return t.LIST_RUNS, {
        "namespace": draw.of(_NAMESPACES),
        "workflow_type": None if draw.percent(50) else documents.workflow_type(draw),
        "status_bucket": draw.of((None, "running", "completed", "failed")),
        "page_size": draw.of((100, 1, 2)),
        "page_token": after,
    }


def list_workflow_runs(draw: Draw, callers: Callers) -> Call:
    target = _target(draw, callers)
    del target["run_id"]
    return t.LIST_WORKFLOW_RUNS, target | {
        "after_number": draw.of((0, 0, 1, documents.LATEST)),
        "page_size": draw.of((100, 1)),
    }


def export_run(draw: Draw, callers: Callers) -> Call:
    target = _target(draw, callers)
    if target["run_id"] is None:
        target["run_id"] = draw.latest(callers.runs).run_id if callers.runs else UNKNOWN_RUN
    return t.EXPORT_RUN, target


def read_history(draw: Draw, callers: Callers) -> Call:
    target = _target(draw, callers)
    if target["run_id"] is None:
        target["run_id"] = draw.latest(callers.runs).run_id if callers.runs else UNKNOWN_RUN
    return t.READ_HISTORY, target | _page(draw)


def cancel(draw: Draw, callers: Callers) -> Call:
    return t.CANCEL_RUN, _stop(draw, callers)


def terminate(draw: Draw, callers: Callers) -> Call:
    return t.TERMINATE_RUN, _stop(draw, callers)


def signal(draw: Draw, callers: Callers) -> Call:
    return t.SIGNAL_RUN, {
        **_target(draw, callers),
        "signal_name": documents.name(draw, "pay", "Pay"),
        "input": documents.optional_payload(draw),
        "request_id": draw.of(_REQUEST_IDS),
        "digest": draw.of(_DIGESTS),
    }


def claim_workflow_task(draw: Draw, callers: Callers) -> Call:
    if not callers.ready_queues("workflow") and draw.percent(60):
        return draw.of((signal, signal, start, fire_due_timers))(draw, callers)
    return t.CLAIM_WORKFLOW_TASK, _polls(draw, callers, "workflow")


def read_history_page(draw: Draw, callers: Callers) -> Call:
    return t.READ_HISTORY_PAGE, _lease(draw, callers)[0] | _page(draw)


def heartbeat_workflow_task(draw: Draw, callers: Callers) -> Call:
    if _rather_claims(draw, callers.held_leases):
        return claim_workflow_task(draw, callers)
    return t.HEARTBEAT_WORKFLOW_TASK, _lease(draw, callers)[0] | {"lease_seconds": draw.of((10, 60))}


def complete_workflow_task(draw: Draw, callers: Callers) -> Call:
    if _rather_claims(draw, callers.held_leases):
        return claim_workflow_task(draw, callers)
    fence, lease = _lease(draw, callers)
    commands = documents.commands(draw, lease)
    sticky = documents.sticky_cache(draw, lease) if lease is not None and draw.percent(75) else None
    parts = carried.with_workflow_task(draw, callers, fence, lease)
    return t.COMPLETE_WORKFLOW_TASK, {
        **fence,
        **_body("commands", commands, parts),
        "sticky": sticky,
        "carried": parts,
    }


def fail_workflow_task(draw: Draw, callers: Callers) -> Call:
    if _rather_claims(draw, callers.held_leases):
        return claim_workflow_task(draw, callers)
    return t.FAIL_WORKFLOW_TASK, _lease(draw, callers)[0] | _body("failure", documents.task_failure(draw))


def release_workflow_task(draw: Draw, callers: Callers) -> Call:
    if _rather_claims(draw, callers.held_leases):
        return claim_workflow_task(draw, callers)
    return t.RELEASE_WORKFLOW_TASK, _lease(draw, callers)[0]


def claim_activity_task(draw: Draw, callers: Callers) -> Call:
    if not callers.ready_queues("activity") and draw.percent(70):
        return complete_workflow_task(draw, callers)
    return t.CLAIM_ACTIVITY_TASK, _polls(draw, callers, "activity")


def heartbeat_activity(draw: Draw, callers: Callers) -> Call:
    if _rather_claims(draw, callers.held_attempts):
        return claim_activity_task(draw, callers)
    return t.HEARTBEAT_ACTIVITY, _attempt(draw, callers) | {
        "details": documents.optional_payload(draw),
        "lease_seconds": draw.of((30, 10, 7)),
    }


def complete_activity(draw: Draw, callers: Callers) -> Call:
    if _rather_claims(draw, callers.held_attempts):
        return claim_activity_task(draw, callers)
    fence = _attempt(draw, callers)
    result, parts = documents.optional_payload(draw), carried.with_activity(draw, callers, fence)
    return t.COMPLETE_ACTIVITY, {**fence, **_body("result", result, parts), "carried": parts}


def keep_run(draw: Draw, callers: Callers) -> Call:
    """A worker answers a task so that it holds the run from then on, and gets its activity."""
    if not callers.held_leases:
        return claim_workflow_task(draw, callers)
    lease = draw.latest(callers.held_leases)
    parts = carried.keeping(draw, callers, lease)
    return t.COMPLETE_WORKFLOW_TASK, {
        **lease.fence,
        **_body("commands", documents.scheduling_commands(draw, lease), parts),
        "sticky": documents.sticky_cache(draw, lease),
        "carried": parts,
    }


def continue_run(draw: Draw, callers: Callers) -> Call:
    """A worker completes the activity of a run that it holds, and says how the run goes on."""
    held = [fence for fence in callers.held_attempts if str(fence["task_id"])[:36] in callers.tails]
    if not held:
        return keep_run(draw, callers)
    fence = dict(draw.latest(held))
    result, parts = documents.optional_payload(draw), carried.continuing(draw, callers, fence)
    return t.COMPLETE_ACTIVITY, {**fence, **_body("result", result, parts), "carried": parts}


def fail_activity(draw: Draw, callers: Callers) -> Call:
    if _rather_claims(draw, callers.held_attempts):
        return claim_activity_task(draw, callers)
    return t.FAIL_ACTIVITY, _attempt(draw, callers) | _body("failure", documents.activity_failure(draw))


def release_activity_task(draw: Draw, callers: Callers) -> Call:
    if _rather_claims(draw, callers.held_attempts):
        return claim_activity_task(draw, callers)
    return t.RELEASE_ACTIVITY_TASK, _attempt(draw, callers)


def fire_due_timers(draw: Draw, callers: Callers) -> Call:
    return t.FIRE_DUE_TIMERS, _batch(draw)


def expire_leases(draw: Draw, callers: Callers) -> Call:
    return t.EXPIRE_LEASES, _batch(draw)


def enforce_timeouts(draw: Draw, callers: Callers) -> Call:
    return t.ENFORCE_TIMEOUTS, _batch(draw)


def prune_receipts(draw: Draw, callers: Callers) -> Call:
    return t.PRUNE_RECEIPTS, _batch(draw) | {"receipt_seconds": draw.of((600, 60, 1, documents.LATEST))}


def probe_wakeups(draw: Draw, callers: Callers) -> Call:
    teams = [draw.of(_TEAMS) for _ in range(3)]
    queues = [[draw.of(("workflow", "activity")), namespace, queue] for namespace, _, queue in teams]
    runs = [[draw.of(callers.runs).run_id, draw.of((0, 2, 5))] for _ in range(3 if callers.runs else 0)]
    return t.PROBE_WAKEUPS, {
        "queues": _text(queues),
        "runs": _text([*runs, [UNKNOWN_RUN, 0]]),
        "hold_seconds": draw.of((5, 5, 0)),
    }


def read_sticky_metrics(draw: Draw, callers: Callers) -> Call:
    return t.READ_STICKY_METRICS, {}


def read_schema_state(draw: Draw, callers: Callers) -> Call:
    return t.READ_SCHEMA_STATE, {}


def repeat(draw: Draw, callers: Callers) -> Call:
    """A call that somebody made before, word for word."""
    name, arguments = draw.of(callers.calls)
    return next(transition for transition in t.TRANSITIONS if transition.name == name), arguments


WEIGHTS: dict[Operation, int] = {
    complete_workflow_task: 36,
    claim_workflow_task: 24,
    claim_activity_task: 28,
    complete_activity: 18,
    continue_run: 24,
    start: 10,
    signal: 14,
    fail_activity: 12,
    fire_due_timers: 12,
    repeat: 10,
    enforce_timeouts: 8,
    fail_workflow_task: 6,
    read_history_page: 6,
    heartbeat_activity: 10,
    list_runs: 5,
    list_workflow_runs: 3,
    export_run: 3,
    read_history: 5,
    heartbeat_workflow_task: 4,
    describe: 4,
    release_workflow_task: 3,
    release_activity_task: 3,
    register: 3,
    deregister: 2,
    heartbeat_worker: 2,
    record_polls: 2,
    read_sticky_metrics: 3,
    cancel: 2,
    terminate: 2,
    probe_wakeups: 2,
    read_schema_state: 1,
    prune_receipts: 2,
    expire_leases: 6,
}
"""How often each operation comes. Most of them move work on, so that runs get far."""

FIRST: tuple[Operation, ...] = (first_worker, second_worker, register, register, start, start)
"""What every sequence begins with."""

SWEEPS: tuple[Operation, ...] = (fire_due_timers, enforce_timeouts, expire_leases)
"""What has something to do when a moment has come."""

OPERATIONS = tuple(operation for operation, weight in WEIGHTS.items() for _ in range(weight))


def _rather_claims(draw: Draw, held: Sequence[object]) -> bool:
    """Whether a worker that holds nothing looks for work, rather than act on what it has no more."""
    return not held and draw.percent(70)


def _register(namespace: str, worker: str, queue: str, registration: str) -> Call:
    return t.REGISTER_WORKER, {
        "namespace": namespace,
        "worker_id": worker,
        "task_queue": queue,
        "registration": registration,
    }


def _target(draw: Draw, callers: Callers) -> Arguments:
    """A workflow and perhaps one of its runs, or something that is not there."""
    if not callers.runs or draw.percent(8):
        return {
            "namespace": draw.of(_NAMESPACES),
            "workflow_id": draw.of(_WORKFLOW_IDS),
            "run_id": draw.of((None, *_JUNK)),
        }
    run = draw.latest(callers.runs)
    any_run = draw.of(callers.runs).run_id
    run_id = draw.of((*[None] * 14, *[run.run_id] * 6, any_run, run.run_id + " ", run.run_id + "\n"))
    return {"namespace": run.namespace, "workflow_id": run.workflow_id, "run_id": run_id}


def _stop(draw: Draw, callers: Callers) -> Arguments:
    return {
        **_target(draw, callers),
        "reason": draw.of((None, documents.text(draw))),
        "request_id": draw.of(_REQUEST_IDS),
        "digest": draw.of(_DIGESTS),
    }


def _page(draw: Draw) -> Arguments:
    return {
        "after_sequence": draw.of((0, 0, 1, 3, 1000, documents.LATEST)),
        "page_size": draw.of(PAGE_SIZES),
    }


def _batch(draw: Draw) -> Arguments:
    return {"batch_size": draw.of((100, 100, 1))}


def _body(name: str, document: str | None, parts: str | None = None) -> Arguments:
    told_apart = (document or "") + (parts or "")
    return {name: document, "digest": hashlib.sha256(told_apart.encode()).hexdigest()}


def _polls(draw: Draw, callers: Callers, kind: str) -> Arguments:
    """Up to three polls of one queue, mostly one where something waits."""
    namespace, worker, queue = draw.of(_TEAMS)
    if (ready := callers.ready_queues(kind)) and draw.percent(80):
        namespace, queue = draw.latest(ready)
        workers = [w for n, w, q in _TEAMS if (n, q) == (namespace, queue)]
        worker = draw.of(workers) if workers else worker
    if draw.percent(3):
        queue = documents.queue(draw)
    polls = []
    for _ in range(draw.of((1, 1, 1, 2, 3))):
        polls.append(
            poll(draw, callers, kind) | {"namespace": namespace, "worker_id": worker, "task_queue": queue}
        )
        worker = draw.of((worker, "worker", "worker-2"))
    return {"polls": _text(polls)}


def _lease(draw: Draw, callers: Callers) -> tuple[Arguments, Lease | None]:
    """What the holder of a workflow task says of itself, and what it holds, or a stranger's invention."""
    if not callers.leases or draw.percent(3):
        run_id = draw.of(callers.runs).run_id if callers.runs else UNKNOWN_RUN
        task_id = draw.of(_FORGED_TASKS)
        forged = f"{run_id}:{task_id}" if draw.percent(90) else "x"
        return {"namespace": "default", "task_id": forged, "lease_owner": "worker", "attempt": 1}, None
    stale = not callers.held_leases or draw.percent(10)
    lease = draw.latest(callers.leases if stale else callers.held_leases)
    fence = dict(lease.fence)
    changed = draw.of((None,) * 30 + ("lease_owner", "attempt", "namespace"))
    if changed == "lease_owner":
        fence["lease_owner"] = documents.name(draw, "worker-2", "Worker", "worker ", odd=20)
    elif changed == "attempt":
        fence["attempt"] = draw.of((int(fence["attempt"] or 0) + 1, 0, documents.LATEST))
    elif changed == "namespace":
        fence["namespace"] = draw.of(("other", "missing", "default "))
    return fence, lease


def _attempt(draw: Draw, callers: Callers) -> Arguments:
    """What the holder of an activity attempt says of itself, or a stranger's invention."""
    if not callers.attempts or draw.percent(3):
        run_id = draw.of(callers.runs).run_id if callers.runs else UNKNOWN_RUN
        task_id = f"{run_id}:" + draw.of(_FORGED_ACTIVITIES)
        attempt_id = f"{run_id}:" + draw.of(_FORGED_ATTEMPTS)
        return {
            "namespace": "default",
            "task_id": task_id if draw.percent(90) else "x",
            "activity_attempt_id": attempt_id if draw.percent(90) else "x",
            "lease_owner": "worker",
        }
    stale = not callers.held_attempts or draw.percent(10)
    fence = dict(draw.latest(callers.attempts if stale else callers.held_attempts))
    changed = draw.of((None,) * 30 + ("lease_owner", "activity_attempt_id", "namespace"))
    if changed == "lease_owner":
        fence["lease_owner"] = documents.name(draw, "worker-2", "Worker", "worker ", odd=20)
    elif changed == "activity_attempt_id":
        fence["activity_attempt_id"] = draw.of(callers.attempts)["activity_attempt_id"]
    elif changed == "namespace":
        fence["namespace"] = draw.of(("other", "missing", "default "))
    return fence


def _text(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))
