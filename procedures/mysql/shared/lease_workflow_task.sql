-- Leases the first due workflow task of a queue that a worker can run.
--
-- p_namespace, p_worker_id, p_poll_request_id, p_page_size, p_lease_seconds  the poll of a registered worker.
-- p_now              the moment.
-- p_outcome, p_body  the task with its first page of history, or null.
-- Locks              run and task together, skipping what others hold.
-- Writes             workflow_tasks.
DELIMITER //

DROP PROCEDURE IF EXISTS lease_workflow_task//

CREATE PROCEDURE lease_workflow_task(
    p_namespace VARCHAR(255), p_worker_id VARCHAR(255), p_poll_request_id VARCHAR(255), p_page_size INT,
    p_lease_seconds INT, p_now DATETIME(6), OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT
)
MODIFIES SQL DATA
COMMENT 'Leases the first due workflow task that a worker can run, or leaves the answer null.'
BEGIN
    DECLARE v_task_queue, v_build_id VARCHAR(255);
    DECLARE v_token CHAR(32);
    DECLARE v_types LONGTEXT;
    DECLARE v_run_id VARCHAR(36);
    DECLARE v_sequence BIGINT;

    SELECT w.task_queue, w.build_id, w.registration_token, w.workflow_types
    INTO v_task_queue, v_build_id, v_token, v_types
    FROM worker_registrations AS w
    WHERE w.namespace = p_namespace AND w.worker_id = p_worker_id;

    -- Each priority is one range of the index, up to the present moment, and their order is the order asked for. Indexes
    -- and order of the tables are given, since a scan of any other kind would lock what it passes.
    SELECT r.run_id, r.last_history_sequence INTO v_run_id, v_sequence
    FROM workflow_tasks AS t FORCE INDEX (workflow_tasks_ready)
    STRAIGHT_JOIN runs AS r FORCE INDEX (`PRIMARY`) ON t.run_id = r.run_id
    WHERE t.namespace = p_namespace AND t.task_queue = v_task_queue AND t.status = 'ready'
        AND t.priority IN (0, 1, 2, 3, 4, 5, 6, 7, 8, 9) AND t.available_at <= p_now
        AND JSON_CONTAINS(v_types, JSON_QUOTE(t.workflow_type))
        AND (t.build_id IS NULL OR t.build_id = v_build_id)
        AND (r.deadline_at IS NULL OR r.deadline_at > p_now)
    ORDER BY t.priority, t.available_at, t.run_id
    LIMIT 1
    FOR UPDATE SKIP LOCKED;

    SET p_outcome = NULL;
    SET p_body = NULL;
    IF v_run_id IS NOT NULL THEN
        UPDATE workflow_tasks AS t
        SET t.status = 'leased', t.attempt = t.attempt + 1, t.lease_owner = p_worker_id,
            t.lease_expires_at = p_now + INTERVAL p_lease_seconds SECOND, t.registration_token = v_token,
            t.poll_request_id = p_poll_request_id, t.claimed_sequence = v_sequence
        WHERE t.run_id = v_run_id;
        CALL leased_workflow_task(v_run_id, p_page_size, p_outcome, p_body);
    END IF;
END//

DELIMITER ;
