-- The command open_condition_wait: workflow code waits until something makes its condition true, or for a time.
--
-- p_run_id    the run, whose row the caller has locked.
-- p_position  the command's authored position.
-- p_sequence  the run's last history sequence, moved on.
-- p_command   the command.
-- p_now       the moment.
-- p_hint      when its timeout is due, or null.
-- p_wakes     whether the wait is over at once, because its timeout is 0.
-- Locks       none of its own. Writes timers, runs, history_events.
DELIMITER //

DROP PROCEDURE IF EXISTS open_condition_wait//

CREATE PROCEDURE open_condition_wait(
    p_run_id VARCHAR(36), p_position INT, INOUT p_sequence BIGINT, p_command LONGTEXT, p_now DATETIME(6),
    OUT p_hint LONGTEXT, OUT p_wakes BOOLEAN
)
MODIFIES SQL DATA
COMMENT 'Appends the events of an open_condition_wait command and inserts the timer of its timeout.'
BEGIN
    DECLARE v_timeout INT;
    DECLARE v_fields, v_members, v_payload LONGTEXT;
    DECLARE v_fire_at DATETIME(6);

    SELECT c.timeout, c.fields INTO v_timeout, v_fields
    FROM JSON_TABLE(
        p_command, '$' COLUMNS (timeout INT PATH '$.timeout_seconds', fields LONGTEXT PATH '$.fields')
    ) AS c;
    SET v_fire_at = p_now + INTERVAL v_timeout SECOND;
    SET v_payload = condition_wait_event(p_run_id, p_position, v_fields);
    SET p_wakes = COALESCE(v_timeout = 0, FALSE);
    SET p_hint = NULL;

    CALL append_history(p_run_id, p_sequence, p_now, 'ConditionWaitOpened', v_payload);
    IF p_wakes THEN
        CALL append_history(p_run_id, p_sequence, p_now, 'ConditionWaitTimedOut', v_payload);
    ELSEIF v_timeout IS NOT NULL THEN
        SET v_members = CONCAT(
            ',"timer_id":"', p_run_id, ':t', p_position,
            '","timer_kind":"condition_timeout","delay_seconds":', v_timeout,
            ',"condition_wait_id":"', p_run_id, ':w', p_position, '"', json_members(v_fields),
            ',"fire_at":"', wire_time(v_fire_at), '"'
        );
        INSERT INTO timers (run_id, position, kind, fire_at, event_members)
        VALUES (p_run_id, p_position, 'condition_timeout', v_fire_at, v_members);
        CALL append_history(
            p_run_id, p_sequence, p_now, 'TimerScheduled', CONCAT('{"sequence":', p_position, v_members, '}')
        );
        SET p_hint = CONCAT('["due","', wire_time(v_fire_at), '"]');
    END IF;
END//

DELIMITER ;
