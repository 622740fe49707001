-- What auditors may read, and what `byssus audit` reads: everything but payloads and tokens. Payloads appear as numbers
-- of bytes, tokens as what became of the registration that they belong to.

-- Namespaces.
CREATE VIEW audit_namespaces AS
SELECT n.name, n.created_at FROM namespaces AS n;

-- Workflow ids and their current runs.
CREATE VIEW audit_workflows AS
SELECT w.namespace, w.workflow_id, w.workflow_type, w.first_run_id, w.current_run_id, w.run_count
FROM workflows AS w;

-- Runs without their payloads.
CREATE VIEW audit_runs AS
SELECT
    r.namespace, r.workflow_id, r.run_id, r.run_number, r.first_run_id, r.workflow_type, r.task_queue, r.build_id,
    r.priority, r.status, r.closed_reason, r.last_history_sequence, r.history_size_bytes, r.last_authored_position,
    r.has_answered_task, r.open_wait_position, r.continued_from_run_id, r.continued_to_run_id,
    r.deadline_at, r.started_at, r.last_progress_at, r.closed_at
FROM runs AS r;

-- How large the payloads of a run are.
CREATE VIEW audit_run_payloads AS
SELECT
    p.run_id, OCTET_LENGTH(p.input) AS input_bytes, OCTET_LENGTH(p.output) AS output_bytes,
    OCTET_LENGTH(p.memo) AS memo_bytes, OCTET_LENGTH(p.search_attributes) AS search_attributes_bytes
FROM run_payloads AS p;

-- Which event was recorded when, without its payload. size_bytes counts as history_size_bytes of its run does.
-- The wire form is head, payload, and a tail of 45 bytes (`,"recorded_at":"..."}`). fits_wire: whether the head is that
-- of the row. authored_position: the payload's first member, where that is `sequence`.
CREATE VIEW audit_history AS
SELECT
    r.namespace, r.workflow_id, e.run_id, e.sequence, e.event_type, e.recorded_at,
    OCTET_LENGTH(e.event_type) + OCTET_LENGTH(e.wire) - OCTET_LENGTH(e.head) - 45 AS size_bytes,
    LEFT(e.wire, CHAR_LENGTH(e.head)) = e.head AS fits_wire,
    CASE
        WHEN SUBSTRING(e.wire, CHAR_LENGTH(e.head) + 1, 24) REGEXP '^[{]"sequence":[0-9]{1,9}[,}]' THEN
            CAST(REGEXP_SUBSTR(SUBSTRING(e.wire, CHAR_LENGTH(e.head) + 1, 24), '[0-9]+') AS SIGNED)
    END AS authored_position
FROM (
    SELECT
        h.run_id, h.sequence, h.event_type, h.recorded_at, h.wire,
        CONCAT(
            '{"id":"', h.run_id, ':e', h.sequence, '","sequence":', h.sequence,
            ',"event_type":"', h.event_type, '","payload":'
        ) AS head
    FROM history_events AS h
) AS e
LEFT JOIN runs AS r ON e.run_id = r.run_id;

-- Open workflow tasks and who holds them. lease_registration: what became of the registration that leased it.
CREATE VIEW audit_workflow_tasks AS
SELECT
    t.namespace, t.task_queue, t.run_id, CONCAT(t.run_id, ':k', t.task_number) AS task_id, t.task_number, t.workflow_type,
    t.build_id, t.priority, t.status, t.available_at, t.held_until, t.attempt, t.failure_count, t.lease_owner,
    t.lease_expires_at, i.status AS lease_registration, t.sticky_worker_id, t.sticky_until, t.sticky_replay_mode,
    t.sticky_claimed_at, t.after_sequence, t.claimed_sequence, t.delivered_sequence
FROM workflow_tasks AS t
LEFT JOIN worker_incarnations AS i
    ON t.registration_token = i.registration_token AND t.namespace = i.namespace AND t.lease_owner = i.worker_id;

-- Which worker holds which run in its cache; no tokens.
CREATE VIEW audit_affinities AS
SELECT
    a.namespace, a.run_id, a.sticky_worker_id, a.build_id, a.sticky_until, a.hold_seconds, a.reported_sequence,
    a.delivered_sequence, a.history_size_bytes
FROM affinities AS a;

-- Activities and who runs them, without arguments and details. lease_registration: as in audit_workflow_tasks.
CREATE VIEW audit_activities AS
SELECT
    a.namespace, a.task_queue, a.run_id, a.position, CONCAT(a.run_id, ':a', a.position) AS activity_execution_id,
    a.activity_type, a.build_id, a.priority, a.status, a.available_at, a.attempt_number, a.max_attempts, a.lease_owner,
    a.lease_expires_at, i.status AS lease_registration, a.started_at, a.last_heartbeat_at, a.timeout_at, a.closed_at
FROM activities AS a
LEFT JOIN worker_incarnations AS i
    ON a.registration_token = i.registration_token AND a.namespace = i.namespace AND a.lease_owner = i.worker_id;

-- Pending timers.
CREATE VIEW audit_timers AS
SELECT t.run_id, t.position, t.kind, t.fire_at FROM timers AS t;

-- Held events, without their payloads.
CREATE VIEW audit_inbox AS
SELECT
    i.run_id, i.arrival, i.kind, i.event_type, i.wakes, i.wait_position, OCTET_LENGTH(i.payload) AS payload_bytes,
    CASE
        WHEN LEFT(i.payload, 24) REGEXP '^[{]"sequence":[0-9]{1,9}[,}]' THEN
            CAST(REGEXP_SUBSTR(LEFT(i.payload, 24), '[0-9]+') AS SIGNED)
    END AS authored_position
FROM inbox AS i;

-- Which requests have a recorded answer, without the answers.
CREATE VIEW audit_receipts AS
SELECT
    c.run_id, c.subject, c.outcome, c.recorded_at, OCTET_LENGTH(c.body) AS body_bytes,
    c.subject REGEXP '^([ka][1-9][0-9]*[.][1-9][0-9]*|(signal|cancel|terminate):.+)$' AS fits_form
FROM receipts AS c;

-- Registered workers and their last signs of life; no tokens.
CREATE VIEW audit_workers AS
SELECT
    w.namespace, w.worker_id, w.task_queue, w.runtime, w.sdk_version, w.build_id, w.protocol_version,
    w.workflow_types, w.activity_types, w.sticky_execution, w.sticky_history_suffix, w.merged_transitions,
    w.registered_at,
    l.last_heartbeat_at, l.stale_at, l.polling_until, i.status AS registration_status
FROM worker_registrations AS w
LEFT JOIN worker_liveness AS l ON w.namespace = l.namespace AND w.worker_id = l.worker_id
LEFT JOIN worker_incarnations AS i
    ON w.registration_token = i.registration_token AND w.namespace = i.namespace AND w.worker_id = i.worker_id;

-- The signs of life of workers, registered or not.
CREATE VIEW audit_liveness AS
SELECT l.namespace, l.worker_id, l.last_heartbeat_at, l.stale_at, l.polling_until
FROM worker_liveness AS l;

-- What became of each registration; no tokens.
CREATE VIEW audit_incarnations AS
SELECT i.namespace, i.worker_id, i.status, i.finished_at, w.worker_id IS NOT NULL AS is_registered
FROM worker_incarnations AS i
LEFT JOIN worker_registrations AS w
    ON i.registration_token = w.registration_token AND i.namespace = w.namespace AND i.worker_id = w.worker_id;

-- Which routines this database was given: the checksums of their files.
CREATE VIEW audit_routines AS
SELECT s.name, s.checksum FROM schema_routines AS s;
