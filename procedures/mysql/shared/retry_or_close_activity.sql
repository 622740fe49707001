-- Ends a failed or timed-out attempt: another attempt later if the retry policy allows one, else the end of the activity.
--
-- p_run_id        the run, whose row the caller has locked.
-- p_position      the activity, running or pending.
-- p_now           when the attempt ended.
-- p_retryable     whether this kind of end may be retried at all.
-- p_status        failed or timed_out: what the activity becomes when it is not retried.
-- p_type          ActivityFailed or ActivityTimedOut.
-- p_members       what the event says of the failure, with a leading comma.
-- p_outcome       retry_scheduled or p_status.
-- p_available_at  when the next attempt may start, or null.
-- p_hints         wake-ups.
-- Locks           the run's row (already held), then the activity.
-- Writes          activities; through record_event inbox, runs, history_events, workflow_tasks.
DELIMITER //

DROP PROCEDURE IF EXISTS retry_or_close_activity//

CREATE PROCEDURE retry_or_close_activity(
    p_run_id VARCHAR(36), p_position INT, p_now DATETIME(6), p_retryable BOOLEAN, p_status VARCHAR(16),
    p_type VARCHAR(64), p_members LONGTEXT,
    OUT p_outcome VARCHAR(64), OUT p_available_at DATETIME(6), OUT p_hints LONGTEXT
)
MODIFIES SQL DATA
COMMENT 'Schedules the next attempt of an activity, or ends it with its final failure or timeout.'
BEGIN
    DECLARE v_namespace, v_task_queue VARCHAR(255);
    DECLARE v_attempt, v_max_attempts, v_pauses, v_group_base, v_group_size INT;
    DECLARE v_backoff LONGTEXT;
    DECLARE v_deadline_at DATETIME(6);

    SELECT
        a.namespace, a.task_queue, a.attempt_number, a.max_attempts, a.backoff_seconds,
        a.schedule_to_close_deadline_at, a.group_base, a.group_size
    INTO v_namespace, v_task_queue, v_attempt, v_max_attempts, v_backoff, v_deadline_at, v_group_base, v_group_size
    FROM activities AS a WHERE a.run_id = p_run_id AND a.position = p_position;

    -- The last pause of the list serves all later attempts.
    SET v_pauses = LEAST(v_attempt, JSON_LENGTH(v_backoff));
    SET p_available_at = p_now + INTERVAL IF(
        v_pauses = 0, 0, CAST(JSON_EXTRACT(v_backoff, CONCAT('$[', GREATEST(v_pauses, 1) - 1, ']')) AS SIGNED)
    ) SECOND;

    IF p_retryable
        AND (v_max_attempts IS NULL OR v_attempt < v_max_attempts)
        AND (v_deadline_at IS NULL OR p_available_at < v_deadline_at)
    THEN
        SET p_outcome = 'retry_scheduled';
        UPDATE activities AS a
        SET a.status = 'pending', a.available_at = p_available_at, a.lease_owner = NULL, a.lease_expires_at = NULL,
            a.started_at = NULL, a.last_heartbeat_at = NULL, a.heartbeat_details = NULL,
            a.timeout_at = activity_timeout_at(
                'pending', p_available_at, NULL, NULL, a.schedule_to_close_deadline_at, a.schedule_to_start_timeout,
                a.start_to_close_timeout, a.heartbeat_timeout
            )
        WHERE a.run_id = p_run_id AND a.position = p_position;

        CALL record_event(
            p_run_id, p_now, 'result', 'ActivityRetryScheduled',
            activity_event(
                p_run_id, p_position, CONCAT(p_members, ',"retry_available_at":"', wire_time(p_available_at), '"')
            ),
            FALSE, NULL, p_hints
        );
        SET p_hints = CONCAT_WS(
            ',', NULLIF(p_hints, ''), ready_hint('activity', v_namespace, v_task_queue, p_available_at)
        );
    ELSE
        SET p_outcome = p_status;
        SET p_available_at = NULL;
        UPDATE activities AS a
        SET a.status = p_status, a.closed_at = p_now, a.lease_owner = NULL, a.lease_expires_at = NULL,
            a.started_at = NULL, a.timeout_at = NULL
        WHERE a.run_id = p_run_id AND a.position = p_position;

        CALL record_event(
            p_run_id, p_now, 'result', p_type, activity_event(p_run_id, p_position, p_members),
            v_group_base IS NULL OR NOT group_has_open_leaf(p_run_id, v_group_base, v_group_size),
            NULL, p_hints
        );
    END IF;
END//

DELIMITER ;
