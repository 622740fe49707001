-- Starts the next attempt of the first due activity of a queue that a worker can run.
--
-- p_namespace, p_worker_id, p_poll_request_id, p_lease_seconds  the poll of a registered worker.
-- p_now              the moment.
-- p_outcome, p_body  the attempt, or null.
-- Locks              the activity, skipping what others hold; no run, since whoever closes a run waits for this.
-- Writes             activities.
DELIMITER //

DROP PROCEDURE IF EXISTS lease_activity//

CREATE PROCEDURE lease_activity(
    p_namespace VARCHAR(255), p_worker_id VARCHAR(255), p_poll_request_id VARCHAR(255), p_lease_seconds INT,
    p_now DATETIME(6), OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT
)
MODIFIES SQL DATA
COMMENT 'Starts the next attempt of the first due activity that a worker can run, or leaves the answer null.'
BEGIN
    DECLARE v_task_queue, v_build_id VARCHAR(255);
    DECLARE v_types LONGTEXT;
    DECLARE v_run_id VARCHAR(36);
    DECLARE v_position INT;

    SELECT w.task_queue, w.build_id, w.activity_types INTO v_task_queue, v_build_id, v_types
    FROM worker_registrations AS w
    WHERE w.namespace = p_namespace AND w.worker_id = p_worker_id;

    -- Each priority is one range of the index, up to the present moment, and their order is the order asked for. The
    -- index is given, since a scan of any other kind would lock what it passes.
    SELECT a.run_id, a.position INTO v_run_id, v_position
    FROM activities AS a FORCE INDEX (activities_ready)
    WHERE a.namespace = p_namespace AND a.task_queue = v_task_queue AND a.status = 'pending'
        AND a.priority IN (0, 1, 2, 3, 4, 5, 6, 7, 8, 9) AND a.available_at <= p_now
        AND JSON_CONTAINS(v_types, JSON_QUOTE(a.activity_type))
        AND (a.build_id IS NULL OR a.build_id = v_build_id)
        AND (a.timeout_at IS NULL OR a.timeout_at > p_now)
    ORDER BY a.priority, a.available_at, a.run_id, a.position
    LIMIT 1
    FOR UPDATE SKIP LOCKED;

    SET p_outcome = NULL;
    SET p_body = NULL;
    IF v_run_id IS NOT NULL THEN
        CALL grant_activity(
            p_namespace, p_worker_id, p_poll_request_id, p_lease_seconds, v_run_id, v_position, p_now, p_outcome, p_body
        );
    END IF;
END//

DELIMITER ;
