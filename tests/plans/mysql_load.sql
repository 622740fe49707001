-- Fills the tables of MySQL and MariaDB as load.sql does those of PostgreSQL: finished runs, runs that wait, a long
-- history. The guards stay on, so a run comes without history, then says how much it has, and then gets its events.
CREATE TABLE test_numbers (n INT NOT NULL PRIMARY KEY);

INSERT INTO test_numbers (n)
WITH digits AS (
    SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4
    UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9
)
SELECT a.d * 1000 + b.d * 100 + c.d * 10 + e.d + 1
FROM digits AS a CROSS JOIN digits AS b CROSS JOIN digits AS c CROSS JOIN digits AS e;

DELIMITER //

-- Ids that follow each other, as those of version 7 do.
CREATE FUNCTION test_run_id(p_kind VARCHAR(32), p_number INT) RETURNS VARCHAR(36)
DETERMINISTIC NO SQL
BEGIN
    RETURN CONCAT(LEFT(SHA2(p_kind, 256), 8), '-0000-7000-8000-', LPAD(p_number, 12, '0'));
END//

-- Runs 1 to p_count of a kind, with five events each; closed, or open with a deadline at p_at. Half of them belong
-- to workflows of their own, the others follow each other in one workflow named like the kind.
CREATE PROCEDURE test_load_runs(p_kind VARCHAR(32), p_count INT, p_status VARCHAR(16), p_at DATETIME(6))
MODIFIES SQL DATA
BEGIN
    INSERT INTO workflows (namespace, workflow_id, workflow_type, first_run_id, current_run_id)
    SELECT 'default', CONCAT(p_kind, n), 'order', test_run_id(p_kind, n), test_run_id(p_kind, n)
    FROM test_numbers WHERE n <= p_count AND n % 2 = 1
    UNION ALL
    SELECT 'default', p_kind, 'order', test_run_id(p_kind, 2), test_run_id(p_kind, p_count);

    INSERT INTO runs (
        run_id, namespace, workflow_id, run_number, first_run_id, workflow_type, task_queue, priority,
        fairness_weight, status, closed_reason, closed_at, last_authored_position, applied_through_sequence,
        has_answered_task, execution_deadline_at, started_at, last_progress_at
    )
    SELECT
        test_run_id(p_kind, n), 'default', IF(n % 2 = 1, CONCAT(p_kind, n), p_kind), n, test_run_id(p_kind, n),
        CONCAT('type', n % 20), 'main', 5, 1, p_status, IF(p_status = 'completed', 'completed', NULL),
        IF(p_status = 'completed', p_at, NULL), 3, 5, TRUE, p_at, p_at, p_at
    FROM test_numbers WHERE n <= p_count;

    INSERT INTO run_payloads (run_id, input)
    SELECT test_run_id(p_kind, n), '{"codec":"avro","blob":"AA=="}' FROM test_numbers WHERE n <= p_count;

    UPDATE runs SET last_history_sequence = 5 WHERE last_history_sequence = 0;
    INSERT INTO history_events (run_id, sequence, event_type, recorded_at, wire)
    SELECT test_run_id(p_kind, r.n), s.n, 'Happened', p_at, CONCAT('{"sequence":', s.n, '}')
    FROM test_numbers AS r CROSS JOIN test_numbers AS s
    WHERE r.n <= p_count AND s.n <= 5
    ORDER BY r.n, s.n;

    INSERT INTO receipts (run_id, subject, caller, digest, outcome, body, recorded_at)
    SELECT test_run_id(p_kind, n), 'k1.1', 'w1', 'd', 'completed', '{}', LEAST(p_at, UTC_TIMESTAMP(6))
    FROM test_numbers WHERE n <= p_count;
END//

CREATE PROCEDURE test_load_activities(
    p_kind VARCHAR(32), p_count INT, p_position INT, p_status VARCHAR(16), p_at DATETIME(6)
)
MODIFIES SQL DATA
BEGIN
    INSERT INTO activities (
        run_id, position, namespace, activity_type, task_queue, priority, status, available_at, backoff_seconds,
        non_retryable_error_types, group_members, timeout_at, schedule_to_close_deadline_at, closed_at, lease_owner,
        lease_expires_at, started_at, poll_request_id, registration_token
    )
    SELECT
        test_run_id(p_kind, n), p_position, 'default', 'charge', 'main', 5, p_status, p_at, '[]',
        '[]', '', IF(p_status = 'completed', NULL, p_at), p_at, IF(p_status = 'completed', p_at, NULL),
        IF(p_status = 'running', CONCAT('other', n % 100), NULL), IF(p_status = 'running', p_at, NULL),
        IF(p_status = 'running', p_at, NULL), IF(p_status = 'running', CONCAT('p', n), NULL),
        IF(p_status = 'running', 't', NULL)
    FROM test_numbers WHERE n <= p_count;
END//

-- Runs that have ended, with an activity each.
CREATE PROCEDURE test_load_finished(p_count INT)
MODIFIES SQL DATA
BEGIN
    CALL test_load_runs('finished', p_count, 'completed', UTC_TIMESTAMP(6) - INTERVAL 1 DAY);
    CALL test_load_activities('finished', p_count, 1, 'completed', UTC_TIMESTAMP(6) - INTERVAL 1 DAY);
END//

-- Runs for which everything comes at p_at: their deadline, a pending and a running activity, a timer, and a
-- workflow task that becomes ready (odd numbers) or whose lease ends (even ones).
CREATE PROCEDURE test_load_waiting(p_kind VARCHAR(32), p_count INT, p_at DATETIME(6))
MODIFIES SQL DATA
BEGIN
    CALL test_load_runs(p_kind, p_count, 'waiting', p_at);
    CALL test_load_activities(p_kind, p_count, 1, 'pending', p_at);
    CALL test_load_activities(p_kind, p_count, 2, 'running', p_at);

    INSERT INTO timers (run_id, position, kind, fire_at, event_members)
    SELECT test_run_id(p_kind, n), 3, 'timer', p_at, '' FROM test_numbers WHERE n <= p_count;

    INSERT INTO workflow_tasks (
        run_id, task_number, namespace, task_queue, workflow_type, priority, status, available_at, held_until,
        lease_owner, lease_expires_at, registration_token, poll_request_id, sticky_replay_mode, sticky_claimed_at,
        after_sequence, claimed_sequence, delivered_sequence
    )
    SELECT
        test_run_id(p_kind, n), 5, 'default', 'main', 'order', 5, IF(n % 2 = 1, 'ready', 'leased'), p_at, p_at,
        IF(n % 2 = 1, NULL, CONCAT('other', n % 100)), IF(n % 2 = 1, NULL, p_at), IF(n % 2 = 1, NULL, 't'),
        IF(n % 2 = 1, NULL, CONCAT('p', n)), IF(n % 2 = 1, NULL, 'cold_replay'), IF(n % 2 = 1, NULL, p_at),
        IF(n % 2 = 1, NULL, 0), IF(n % 2 = 1, NULL, 5), IF(n % 2 = 1, NULL, 5)
    FROM test_numbers WHERE n <= p_count;

    -- A worker had them in its cache once.
    INSERT INTO affinities (
        run_id, namespace, sticky_worker_id, registration_token, build_id, sticky_until, hold_seconds,
        reported_sequence, history_size_bytes, delivered_sequence
    )
    SELECT test_run_id(p_kind, n), 'default', 'holder', 'h', 'b', UTC_TIMESTAMP(6) - INTERVAL 1 HOUR, 5, 5, 5, 5
    FROM test_numbers WHERE n <= p_count;
END//

-- Runs in the cache of one worker, each with a workflow task that is held for it.
CREATE PROCEDURE test_load_held(p_count INT)
MODIFIES SQL DATA
BEGIN
    DECLARE v_until DATETIME(6) DEFAULT UTC_TIMESTAMP(6) + INTERVAL 1 DAY;
    DECLARE v_token CHAR(32) DEFAULT REPEAT('0', 32);

    CALL test_load_runs('held', p_count, 'waiting', v_until);

    INSERT INTO worker_registrations (
        namespace, worker_id, registration_token, task_queue, runtime, build_id, protocol_version, workflow_types,
        activity_types, workflow_definition_fingerprints, workflow_command_contracts, capabilities,
        capability_manifest, sticky_execution, sticky_history_suffix, merged_transitions,
        max_concurrent_workflow_tasks, max_concurrent_activity_tasks, max_concurrent_worker_sessions, registered_at
    ) VALUES (
        'default', 'holder', v_token, 'main', 'python', 'b', '1.20', '["order"]', '[]', '{}', '{}', '[]', '{}', TRUE,
        TRUE, TRUE, 10, 10, 0, UTC_TIMESTAMP(6)
    );

    INSERT INTO affinities (
        run_id, namespace, sticky_worker_id, registration_token, build_id, sticky_until, hold_seconds,
        reported_sequence, history_size_bytes, delivered_sequence
    )
    SELECT test_run_id('held', n), 'default', 'holder', v_token, 'b', v_until, 5, 5, 5, 5
    FROM test_numbers WHERE n <= p_count;

    INSERT INTO workflow_tasks (
        run_id, task_number, namespace, task_queue, workflow_type, priority, status, available_at, sticky_worker_id,
        sticky_registration_token, sticky_until, held_until
    )
    SELECT
        test_run_id('held', n), 5, 'default', 'main', 'order', 0, 'ready', UTC_TIMESTAMP(6), 'holder', v_token, v_until,
        v_until
    FROM test_numbers WHERE n <= p_count;
END//

-- Claims that were counted an hour ago.
CREATE PROCEDURE test_load_counts(p_count INT)
MODIFIES SQL DATA
BEGIN
    INSERT INTO sticky_counts
    SELECT 'default', UTC_TIMESTAMP(6) - INTERVAL 1 HOUR, n, 1, 1, 1, 1, 1, 1 FROM test_numbers WHERE n <= p_count;
END//

-- Runs that wait in a queue of their own, each for a worker to take its workflow task, and one its activity.
CREATE PROCEDURE test_load_backlog(p_count INT)
MODIFIES SQL DATA
BEGIN
    CALL test_load_runs('backlog', p_count, 'waiting', UTC_TIMESTAMP(6) + INTERVAL 1 DAY);

    INSERT INTO workflow_tasks (
        run_id, task_number, namespace, task_queue, workflow_type, priority, status, available_at, held_until
    )
    SELECT test_run_id('backlog', n), 5, 'default', 'backlog', 'order', 5, 'ready', UTC_TIMESTAMP(6), UTC_TIMESTAMP(6)
    FROM test_numbers WHERE n <= p_count;

    INSERT INTO activities (
        run_id, position, namespace, activity_type, task_queue, priority, status, available_at, backoff_seconds,
        non_retryable_error_types, group_members
    )
    SELECT
        test_run_id('backlog', n), 1, 'default', 'charge', 'backlog', 5, 'pending', UTC_TIMESTAMP(6), '[]', '[]', ''
    FROM test_numbers WHERE n <= p_count;
END//

-- Prolongs the history of a run to p_events.
CREATE PROCEDURE test_load_history(p_run_id VARCHAR(36), p_events INT)
MODIFIES SQL DATA
BEGIN
    DECLARE v_last INT DEFAULT (SELECT last_history_sequence FROM runs WHERE run_id = p_run_id);

    UPDATE runs SET last_history_sequence = p_events, applied_through_sequence = p_events WHERE run_id = p_run_id;
    INSERT INTO history_events (run_id, sequence, event_type, recorded_at, wire)
    SELECT p_run_id, n, 'Happened', UTC_TIMESTAMP(6), CONCAT('{"sequence":', n, '}')
    FROM test_numbers WHERE n > v_last AND n <= p_events
    ORDER BY n;
END//

-- Events held for the even ones of waiting runs 1 to p_count.
CREATE PROCEDURE test_load_inbox(p_kind VARCHAR(32), p_count INT)
MODIFIES SQL DATA
BEGIN
    INSERT INTO inbox (run_id, arrival, kind, event_type, payload, wakes)
    SELECT test_run_id(p_kind, r.n), a.n, 'signal', 'SignalReceived', '{"signal_id":"s","signal_name":"go"}', TRUE
    FROM test_numbers AS r CROSS JOIN test_numbers AS a
    WHERE r.n <= p_count AND r.n % 2 = 0 AND a.n <= 5;
END//
