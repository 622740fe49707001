-- When the first of an activity's timeouts strikes.
--
-- p_status .. p_heartbeat_timeout  the activity.
-- Result     the earliest of schedule-to-close, schedule-to-start (while pending), start-to-close and heartbeat
--            (while running), or null.
-- Locks      none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS activity_timeout_at//

CREATE FUNCTION activity_timeout_at(
    p_status VARCHAR(16), p_available_at DATETIME(6), p_started_at DATETIME(6), p_last_heartbeat_at DATETIME(6),
    p_schedule_to_close_deadline_at DATETIME(6), p_schedule_to_start_timeout INT, p_start_to_close_timeout INT,
    p_heartbeat_timeout INT
)
RETURNS DATETIME(6)
DETERMINISTIC NO SQL
COMMENT 'The moment of an open activity''s earliest timeout.'
BEGIN
    DECLARE v_close DATETIME(6) DEFAULT p_schedule_to_close_deadline_at;
    DECLARE v_start, v_attempt, v_heartbeat DATETIME(6);

    -- LEAST is null as soon as one of its arguments is: so each stands in for those that are.
    IF p_status = 'pending' THEN
        SET v_start = p_available_at + INTERVAL p_schedule_to_start_timeout SECOND;
        RETURN LEAST(COALESCE(v_close, v_start), COALESCE(v_start, v_close));
    ELSEIF p_status = 'running' THEN
        SET v_attempt = p_started_at + INTERVAL p_start_to_close_timeout SECOND;
        SET v_heartbeat = COALESCE(p_last_heartbeat_at, p_started_at) + INTERVAL p_heartbeat_timeout SECOND;
        RETURN LEAST(
            COALESCE(v_close, v_attempt, v_heartbeat),
            COALESCE(v_attempt, v_heartbeat, v_close),
            COALESCE(v_heartbeat, v_close, v_attempt)
        );
    END IF;
    RETURN NULL;
END//

DELIMITER ;
