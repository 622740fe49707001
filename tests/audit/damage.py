"""One kind of damage for each check."""

from __future__ import annotations

from dataclasses import dataclass

from tests.audit.population import PAST

TOKEN = "e" * 32


@dataclass(frozen=True)
class Damage:
    """Statements, in which `{name}` stands for a run of the population, and the check that tells of them.

    `about` is the run, workflow or worker that a finding names, `also` the checks that find something too.
    """

    code: str
    about: str
    statements: tuple[str, ...]
    also: frozenset[str] = frozenset()


def _damage(code: str, about: str, *statements: str, also: frozenset[str] = frozenset()) -> Damage:
    return Damage(code, about, statements, also)


def _task_of(run: str, as_run: str) -> str:
    return (
        "insert into workflow_tasks (run_id, task_number, namespace, task_queue, workflow_type, priority,"
        f" status, available_at, held_until) select '{as_run}', 1, namespace, task_queue, workflow_type,"
        f" priority, 'ready', started_at, started_at from runs where run_id = '{run}'"
    )


def _affinity_of(run: str, as_run: str) -> str:
    return (
        "insert into affinities (run_id, namespace, sticky_worker_id, registration_token, build_id,"
        f" sticky_until, hold_seconds, history_size_bytes, delivered_sequence) select '{as_run}', namespace,"
        f" 'keeper', '{TOKEN}', 'b', started_at, 5, 1, 1 from runs where run_id = '{run}'"
    )


def _activity(run: str, position: int) -> str:
    return (
        "insert into activities (run_id, position, namespace, activity_type, task_queue, priority, status,"
        " available_at, backoff_seconds, non_retryable_error_types, group_members)"
        f" select '{run}', {position}, namespace, activity_type, task_queue, priority, 'pending',"
        " available_at, backoff_seconds, non_retryable_error_types, '' from activities"
        " where run_id = '{busy}' and position = 1"
    )


def _timer(run: str, position: int) -> str:
    return (
        "insert into timers (run_id, position, kind, fire_at, event_members)"
        f" values ('{run}', {position}, 'timer', '{PAST}', '')"
    )


def _held(run: str) -> str:
    return (
        "insert into inbox (run_id, arrival, kind, event_type, payload, wakes)"
        f" values ('{run}', 99, 'signal', 'SignalReceived', '{{{{}}}}', true)"
    )


_WIRE = (
    '{{"id":"nobody:e1","sequence":1,"event_type":"WorkflowStarted","payload":{{}},'
    f'"recorded_at":"{PAST}"}}}}'
)

DAMAGES = (
    _damage(
        "history.numbers", "failed", "delete from history_events where run_id = '{failed}' and sequence = 3"
    ),
    _damage(
        "history.length",
        "done",
        "update runs set last_history_sequence = last_history_sequence + 1 where run_id = '{done}'",
    ),
    _damage(
        "history.size",
        "done",
        "update runs set history_size_bytes = history_size_bytes + 1 where run_id = '{done}'",
    ),
    _damage(
        "history.order",
        "done",
        f"update history_events set recorded_at = '{PAST}' where run_id = '{{done}}' and sequence = 3",
    ),
    _damage(
        "history.wire",
        "busy",
        "update history_events set wire = replace(wire, ':e2\"', ':e3\"')"
        " where run_id = '{busy}' and sequence = 2",
    ),
    _damage(
        "history.start",
        "done",
        "update history_events set event_type = 'WorkflowStartled',"
        " wire = replace(wire, '\"WorkflowStarted\"', '\"WorkflowStartled\"')"
        " where run_id = '{done}' and sequence = 1",
        "update runs set history_size_bytes = history_size_bytes + 1 where run_id = '{done}'",
    ),
    _damage(
        "history.end",
        "cancelled",
        "update runs set status = 'terminated', closed_reason = 'terminated' where run_id = '{cancelled}'",
    ),
    _damage(
        "history.after_end",
        "cancelled",
        "update history_events set event_type = 'SignalReceived',"
        " wire = replace(wire, '\"SignalRejected\"', '\"SignalReceived\"')"
        " where run_id = '{cancelled}' and event_type = 'SignalRejected'",
    ),
    _damage("run.status", "done", "update runs set status = 'failed' where run_id = '{done}'"),
    _damage("run.answered", "pending", "update runs set status = 'waiting' where run_id = '{pending}'"),
    _damage("run.first_task", "pending", "delete from workflow_tasks where run_id = '{pending}'"),
    _damage("run.payloads", "done", "delete from run_payloads where run_id = '{done}'"),
    _damage(
        "run.positions",
        "done",
        "update runs set last_authored_position = last_authored_position + 1 where run_id = '{done}'",
    ),
    _damage("run.open_wait", "busy", "update runs set open_wait_position = 2 where run_id = '{busy}'"),
    _damage("run.held_events", "busy", _held("{busy}")),
    _damage("timer.extra", "busy", _timer("{busy}", 1)),
    _damage("timer.lost", "busy", "delete from timers where run_id = '{busy}' and position = 3"),
    _damage(
        "receipt.subject",
        "failed",
        "update receipts set subject = 'k1' where run_id = '{failed}' and subject like 'k1.%'",
    ),
    _damage("closed_run.workflow_task", "done", _task_of("{done}", "{done}")),
    _damage(
        "closed_run.activities",
        "left",
        "update activities set status = 'pending', closed_at = null"
        " where run_id = '{left}' and status = 'cancelled'",
    ),
    _damage("closed_run.timers", "done", _timer("{done}", 1)),
    _damage("closed_run.held_events", "done", _held("{done}")),
    _damage("closed_run.affinity", "done", _affinity_of("{done}", "{done}")),
    _damage(
        "closed_run.open_wait",
        "failed",
        "update runs set open_wait_position = 1, open_wait_fields = '' where run_id = '{failed}'",
    ),
    _damage(
        "workflow.first_run",
        "chain_2",
        "update runs set first_run_id = '{done}' where run_id = '{chain_2}'",
    ),
    _damage(
        "workflow.current_run",
        "chain_1",
        "update workflows set current_run_id = '{chain_1}' where workflow_id = 'chain'",
    ),
    _damage(
        "workflow.run_numbers",
        "chain_3",
        "update runs set run_number = 5 where run_id = '{chain_3}'",
        "update workflows set run_count = 5 where workflow_id = 'chain'",
        also=frozenset({"workflow.continued_to"}),
    ),
    _damage(
        "workflow.continued_to",
        "done",
        "update runs set continued_to_run_id = '{failed}' where run_id = '{done}'",
    ),
    _damage(
        "workflow.continued_from",
        "done",
        "update runs set continued_from_run_id = '{failed}' where run_id = '{done}'",
    ),
    _damage(
        "workflow.no_run",
        "empty",
        "insert into workflows (namespace, workflow_id, workflow_type, first_run_id, current_run_id)"
        " values ('default', 'empty', 'order', 'nobody', 'nobody')",
    ),
    _damage("task.run", "pending", "update workflow_tasks set priority = 9 where run_id = '{pending}'"),
    _damage(
        "task.number", "pending", "update workflow_tasks set task_number = 99 where run_id = '{pending}'"
    ),
    _damage(
        "task.lease",
        "pending",
        "update workflow_tasks set lease_owner = 'worker-1' where run_id = '{pending}'",
    ),
    _damage(
        "task.lease_owner",
        "worker-1",
        f"update workflow_tasks set registration_token = '{TOKEN}' where run_id = '{{leased}}'",
    ),
    _damage(
        "task.claimed_sequence",
        "worker-1",
        "update workflow_tasks set claimed_sequence = claimed_sequence + 1 where run_id = '{leased}'",
    ),
    _damage(
        "task.delivered_sequence",
        "worker-1",
        "update workflow_tasks set delivered_sequence = claimed_sequence + 1 where run_id = '{leased}'",
    ),
    _damage(
        "task.held_until",
        "pending",
        f"update workflow_tasks set held_until = '{PAST}' where run_id = '{{pending}}'",
    ),
    _damage("task.affinity", "keeper", "delete from affinities where run_id = '{kept_ready}'"),
    _damage(
        "activity.run", "busy", "update activities set priority = 9 where run_id = '{busy}' and position = 1"
    ),
    _damage(
        "activity.status",
        "busy",
        "update activities set closed_at = available_at where run_id = '{busy}' and position = 1",
    ),
    _damage(
        "activity.lease",
        "worker-1",
        "update activities set lease_owner = 'worker-1' where run_id = '{busy}' and position = 1",
    ),
    _damage(
        "activity.lease_owner",
        "worker-1",
        f"update activities set registration_token = '{TOKEN}' where run_id = '{{busy}}' and position = 2",
    ),
    _damage("activity.scheduled", "busy", _activity("{busy}", 3)),
    _damage("activity.lost", "busy", "delete from activities where run_id = '{busy}' and position = 1"),
    _damage("activity.ended", "done", "update activities set status = 'failed' where run_id = '{done}'"),
    _damage("affinity.run", "keeper", "update affinities set namespace = 'other' where run_id = '{kept}'"),
    _damage(
        "affinity.delivered_sequence",
        "keeper",
        "update affinities set delivered_sequence = 99 where run_id = '{kept}'",
    ),
    _damage(
        "affinity.reported_sequence",
        "keeper",
        "update affinities set reported_sequence = 99 where run_id = '{kept}'",
    ),
    _damage(
        "affinity.size", "keeper", "update affinities set history_size_bytes = 99999 where run_id = '{kept}'"
    ),
    _damage("worker.liveness", "idle", "delete from worker_liveness where worker_id = 'idle'"),
    _damage(
        "worker.registration",
        "idle",
        f"update worker_incarnations set status = 'superseded', finished_at = '{PAST}'"
        " where worker_id = 'idle' and status = 'active'",
    ),
    _damage(
        "worker.incarnation",
        "ghost",
        "insert into worker_incarnations (registration_token, namespace, worker_id, status)"
        f" values ('{TOKEN}', 'default', 'ghost', 'active')",
    ),
    _damage("orphan.workflow", "elsewhere", "update namespaces set name = 'renamed' where name = 'other'"),
    _damage("orphan.run", "done", "delete from workflows where workflow_id = 'done'"),
    _damage("orphan.payloads", "nobody", "insert into run_payloads (run_id) values ('nobody')"),
    _damage(
        "orphan.history",
        "nobody",
        "insert into history_events (run_id, sequence, event_type, recorded_at, wire)"
        f" values ('nobody', 1, 'WorkflowStarted', '{PAST}', '{_WIRE}')",
    ),
    _damage("orphan.workflow_task", "nobody", _task_of("{done}", "nobody")),
    _damage("orphan.activities", "nobody", _activity("nobody", 1)),
    _damage("orphan.timers", "nobody", _timer("nobody", 1)),
    _damage("orphan.held_events", "nobody", _held("nobody")),
    _damage("orphan.affinity", "nobody", _affinity_of("{done}", "nobody")),
    _damage(
        "orphan.receipts",
        "nobody",
        "insert into receipts (run_id, subject, caller, digest, outcome, body, recorded_at)"
        f" values ('nobody', 'k1.1', 'worker-1', '', 'completed', '{{{{}}}}', '{PAST}')",
    ),
    _damage(
        "orphan.liveness",
        "ghost",
        "insert into worker_liveness (namespace, worker_id, last_heartbeat_at, stale_at, task_slots,"
        f" process_metrics) values ('default', 'ghost', '{PAST}', '{PAST}', '{{{{}}}}', '{{{{}}}}')",
    ),
)
