-- Starts the next attempt of an activity for a worker.
--
-- p_namespace, p_worker_id, p_poll_request_id, p_lease_seconds  the poll of a registered worker.
-- p_run_id, p_position  the activity, whose row the caller has locked; it is pending, and the worker may have it.
-- p_now              the moment.
-- p_outcome, p_body  the attempt.
-- Locks              the activity's row (already held).
-- Writes             activities.
DELIMITER //

DROP PROCEDURE IF EXISTS grant_activity//

CREATE PROCEDURE grant_activity(
    p_namespace VARCHAR(255), p_worker_id VARCHAR(255), p_poll_request_id VARCHAR(255), p_lease_seconds INT,
    p_run_id VARCHAR(36), p_position INT, p_now DATETIME(6), OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT
)
MODIFIES SQL DATA
COMMENT 'Starts the next attempt of a pending activity for a worker.'
BEGIN
    DECLARE v_token CHAR(32);

    SELECT w.registration_token INTO v_token FROM worker_registrations AS w
    WHERE w.namespace = p_namespace AND w.worker_id = p_worker_id;
    -- A worker need not renew, so the lease outlasts the attempt's own timeout.
    UPDATE activities AS a
    SET a.status = 'running', a.attempt_number = a.attempt_number + 1, a.started_at = p_now,
        a.last_heartbeat_at = NULL, a.heartbeat_details = NULL, a.lease_owner = p_worker_id,
        a.lease_expires_at = p_now + INTERVAL (p_lease_seconds + COALESCE(a.start_to_close_timeout, 0)) SECOND,
        a.registration_token = v_token, a.poll_request_id = p_poll_request_id,
        a.timeout_at = activity_timeout_at(
            'running', a.available_at, p_now, NULL, a.schedule_to_close_deadline_at, a.schedule_to_start_timeout,
            a.start_to_close_timeout, a.heartbeat_timeout
        )
    WHERE a.run_id = p_run_id AND a.position = p_position;
    CALL leased_activity(p_run_id, p_position, p_outcome, p_body);
END//

DELIMITER ;
