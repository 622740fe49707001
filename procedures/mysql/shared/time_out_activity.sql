-- Times out an activity, if one of its timeouts has truly struck: heartbeats have moved on since its row said so.
--
-- p_run_id    its run, whose row the caller has locked.
-- p_position  its authored position.
-- p_now       the moment.
-- p_hints     the wake-up hints, as elements joined by commas; null when no timeout had struck.
-- Locks       the run's row (already held), then the activity.
-- Writes      activities; inbox, or runs, history_events, workflow_tasks.
DELIMITER //

DROP PROCEDURE IF EXISTS time_out_activity//

CREATE PROCEDURE time_out_activity(p_run_id VARCHAR(36), p_position INT, p_now DATETIME(6), OUT p_hints LONGTEXT)
MODIFIES SQL DATA
COMMENT 'Retries or ends an activity whose timeout has struck.'
BEGIN
    DECLARE v_found INT;
    DECLARE v_timeout_at, v_available_at DATETIME(6);
    DECLARE v_kind VARCHAR(32);
    DECLARE v_outcome VARCHAR(64);

    SELECT
        a.position,
        activity_timeout_at(
            a.status, a.available_at, a.started_at, a.last_heartbeat_at, a.schedule_to_close_deadline_at,
            a.schedule_to_start_timeout, a.start_to_close_timeout, a.heartbeat_timeout
        ),
        CASE
            WHEN a.schedule_to_close_deadline_at <= p_now THEN 'schedule_to_close'
            WHEN a.status = 'pending' THEN 'schedule_to_start'
            WHEN COALESCE(a.last_heartbeat_at, a.started_at) + INTERVAL a.heartbeat_timeout SECOND <= p_now THEN 'heartbeat'
            ELSE 'start_to_close'
        END
    INTO v_found, v_timeout_at, v_kind
    FROM activities AS a
    WHERE a.run_id = p_run_id AND a.position = p_position AND a.closed_at IS NULL
    FOR UPDATE SKIP LOCKED;

    SET p_hints = NULL;
    IF v_timeout_at > p_now THEN
        UPDATE activities AS a SET a.timeout_at = v_timeout_at
        WHERE a.run_id = p_run_id AND a.position = p_position;
    ELSEIF v_found IS NOT NULL THEN
        CALL retry_or_close_activity(
            p_run_id, p_position, p_now, v_kind IN ('heartbeat', 'start_to_close'), 'timed_out', 'ActivityTimedOut',
            CONCAT(
                ',"timeout_kind":"', v_kind, '","message":"The activity''s ', REPLACE(v_kind, '_', '-'),
                ' timeout has passed.","exception_type":"ActivityTimedOut","failure_category":"timeout"'
            ),
            v_outcome, v_available_at, p_hints
        );
    END IF;
END//

DELIMITER ;
