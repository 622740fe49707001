-- What auditors may read: everything but payloads.

-- Runs without their payloads.
create view audit_runs as
select
    r.namespace, r.workflow_id, r.run_id, r.run_number, r.workflow_type, r.task_queue, r.status,
    r.closed_reason, r.last_history_sequence, r.history_size_bytes, r.last_authored_position,
    r.deadline_at, r.started_at, r.last_progress_at, r.closed_at
from runs as r;

-- Which event was recorded when, without its payload.
create view audit_history as
select r.namespace, r.workflow_id, e.run_id, e.sequence, e.event_type, e.recorded_at
from history_events as e
inner join runs as r on e.run_id = r.run_id;

-- Open workflow tasks and who holds them.
create view audit_workflow_tasks as
select
    t.namespace, t.task_queue, t.run_id, t.run_id || ':k' || t.task_number as task_id, t.workflow_type,
    t.priority, t.status, t.available_at, t.held_until, t.attempt, t.failure_count, t.lease_owner, t.lease_expires_at,
    t.sticky_worker_id, t.sticky_until, t.sticky_replay_mode, t.after_sequence, t.claimed_sequence, t.delivered_sequence
from workflow_tasks as t;

-- Which worker holds which run in its cache; no tokens.
create view audit_affinities as
select
    a.namespace, a.run_id, a.sticky_worker_id, a.build_id, a.sticky_until, a.hold_seconds, a.reported_sequence,
    a.delivered_sequence
from affinities as a;

-- Activities and who runs them, without arguments and details.
create view audit_activities as
select
    a.namespace, a.task_queue, a.run_id, a.run_id || ':a' || a.position as activity_execution_id,
    a.activity_type, a.priority, a.status, a.available_at, a.attempt_number, a.max_attempts, a.lease_owner,
    a.lease_expires_at, a.started_at, a.last_heartbeat_at, a.timeout_at, a.closed_at
from activities as a;

-- Pending timers.
create view audit_timers as
select t.run_id, t.position, t.kind, t.fire_at from timers as t;

-- Registered workers and their last signs of life; no tokens.
create view audit_workers as
select
    w.namespace, w.worker_id, w.task_queue, w.runtime, w.sdk_version, w.build_id, w.protocol_version,
    w.workflow_types, w.activity_types, w.sticky_execution, w.sticky_history_suffix, w.registered_at,
    l.last_heartbeat_at, l.stale_at, l.polling_until
from worker_registrations as w
left join worker_liveness as l on w.namespace = l.namespace and w.worker_id = l.worker_id;
