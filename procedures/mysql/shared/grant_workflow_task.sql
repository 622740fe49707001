-- Leases a workflow task to a worker, with its first page of history: behind what the worker holds, or from the beginning.
--
-- p_namespace, p_worker_id, p_poll_request_id, p_page_size, p_lease_seconds  the poll of a registered worker.
-- p_is_sticky        whether sticky execution is switched on.
-- p_run_id           the run, whose row the caller has locked; its task is ready, and the worker may have it.
-- p_sequence         its last history sequence.
-- p_now              the moment.
-- p_outcome, p_body  the task with its first page of history.
-- Locks              the run's row and task (already held).
-- Writes             workflow_tasks, sticky_counts.
DELIMITER //

DROP PROCEDURE IF EXISTS grant_workflow_task//

CREATE PROCEDURE grant_workflow_task(
    p_namespace VARCHAR(255), p_worker_id VARCHAR(255), p_poll_request_id VARCHAR(255), p_page_size INT,
    p_lease_seconds INT, p_is_sticky BOOLEAN, p_run_id VARCHAR(36), p_sequence BIGINT, p_now DATETIME(6),
    OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT
)
MODIFIES SQL DATA
COMMENT 'Leases a ready workflow task to a worker.'
BEGIN
    DECLARE v_token CHAR(32);
    DECLARE v_takes_suffix BOOLEAN;
    DECLARE v_after, v_last, v_bytes BIGINT;
    DECLARE v_mode VARCHAR(24) DEFAULT 'cold_replay';
    DECLARE v_events LONGTEXT;
    DECLARE v_page_token VARCHAR(64);

    SELECT w.registration_token, w.sticky_history_suffix INTO v_token, v_takes_suffix
    FROM worker_registrations AS w
    WHERE w.namespace = p_namespace AND w.worker_id = p_worker_id;
    IF p_is_sticky THEN
        SET v_mode = sticky_replay_mode(p_run_id, p_namespace, p_worker_id, p_sequence, p_now);
    END IF;
    SET v_after = select_history_suffix(p_run_id, p_namespace, p_worker_id, v_mode, p_sequence);
    CALL history_page(p_run_id, v_after, p_sequence, p_page_size, v_events, v_last, v_page_token);
    IF p_is_sticky THEN
        SELECT a.history_size_bytes INTO v_bytes FROM affinities AS a WHERE a.run_id = p_run_id;
        CALL count_sticky_claim(p_namespace, v_mode, v_after, v_bytes, p_now);
    END IF;

    -- The delivered boundary begins with the page that goes out with the lease; record_delivery raises it.
    UPDATE workflow_tasks AS t
    SET t.status = 'leased', t.attempt = t.attempt + 1, t.lease_owner = p_worker_id,
        t.lease_expires_at = p_now + INTERVAL p_lease_seconds SECOND, t.registration_token = v_token,
        t.poll_request_id = p_poll_request_id, t.sticky_replay_mode = v_mode, t.sticky_claimed_at = p_now,
        t.after_sequence = v_after, t.claimed_sequence = p_sequence, t.delivered_sequence = COALESCE(v_last, v_after)
    WHERE t.run_id = p_run_id;
    CALL leased_workflow_task(p_run_id, v_takes_suffix, v_events, v_page_token, p_outcome, p_body);
END//

DELIMITER ;
