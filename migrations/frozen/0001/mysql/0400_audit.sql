-- What auditors may read: everything but payloads.

-- Runs without their payloads.
CREATE VIEW audit_runs AS
SELECT
    r.namespace, r.workflow_id, r.run_id, r.run_number, r.workflow_type, r.task_queue, r.status,
    r.closed_reason, r.last_history_sequence, r.history_size_bytes, r.last_authored_position,
    r.deadline_at, r.started_at, r.last_progress_at, r.closed_at
FROM runs AS r;

-- Which event was recorded when, without its payload.
CREATE VIEW audit_history AS
SELECT r.namespace, r.workflow_id, e.run_id, e.sequence, e.event_type, e.recorded_at
FROM history_events AS e
INNER JOIN runs AS r ON e.run_id = r.run_id;

-- Open workflow tasks and who holds them.
CREATE VIEW audit_workflow_tasks AS
SELECT
    t.namespace, t.task_queue, t.run_id, CONCAT(t.run_id, ':k', t.task_number) AS task_id, t.workflow_type,
    t.priority, t.status, t.available_at, t.held_until, t.attempt, t.failure_count, t.lease_owner, t.lease_expires_at,
    t.sticky_worker_id, t.sticky_until, t.sticky_replay_mode, t.after_sequence, t.claimed_sequence, t.delivered_sequence
FROM workflow_tasks AS t;

-- Which worker holds which run in its cache; no tokens.
CREATE VIEW audit_affinities AS
SELECT
    a.namespace, a.run_id, a.sticky_worker_id, a.build_id, a.sticky_until, a.hold_seconds, a.reported_sequence,
    a.delivered_sequence
FROM affinities AS a;

-- Activities and who runs them, without arguments and details.
CREATE VIEW audit_activities AS
SELECT
    a.namespace, a.task_queue, a.run_id, CONCAT(a.run_id, ':a', a.position) AS activity_execution_id,
    a.activity_type, a.priority, a.status, a.available_at, a.attempt_number, a.max_attempts, a.lease_owner,
    a.lease_expires_at, a.started_at, a.last_heartbeat_at, a.timeout_at, a.closed_at
FROM activities AS a;

-- Pending timers.
CREATE VIEW audit_timers AS
SELECT t.run_id, t.position, t.kind, t.fire_at FROM timers AS t;

-- Registered workers and their last signs of life; no tokens.
CREATE VIEW audit_workers AS
SELECT
    w.namespace, w.worker_id, w.task_queue, w.runtime, w.sdk_version, w.build_id, w.protocol_version,
    w.workflow_types, w.activity_types, w.sticky_execution, w.sticky_history_suffix, w.registered_at,
    l.last_heartbeat_at, l.stale_at, l.polling_until
FROM worker_registrations AS w
LEFT JOIN worker_liveness AS l ON w.namespace = l.namespace AND w.worker_id = l.worker_id;
