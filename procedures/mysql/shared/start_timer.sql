-- The command start_timer: a pending timer at the run's new authored position.
--
-- p_run_id    the run, whose row the caller has locked.
-- p_position  the command's authored position.
-- p_sequence  the run's last history sequence, moved on.
-- p_command   the command.
-- p_now       the moment.
-- p_hint      when it is due.
-- Locks       none of its own. Writes timers, runs, history_events.
DELIMITER //

DROP PROCEDURE IF EXISTS start_timer//

CREATE PROCEDURE start_timer(
    p_run_id VARCHAR(36), p_position INT, INOUT p_sequence BIGINT, p_command LONGTEXT, p_now DATETIME(6),
    OUT p_hint LONGTEXT
)
MODIFIES SQL DATA
COMMENT 'Inserts the timer of a start_timer command and appends its event.'
BEGIN
    DECLARE v_delay BIGINT;
    DECLARE v_group_base, v_group_size INT;
    DECLARE v_fields, v_group, v_members LONGTEXT;
    DECLARE v_fire_at DATETIME(6);

    SELECT c.delay, c.fields, c.members, c.group_base, c.group_size
    INTO v_delay, v_fields, v_group, v_group_base, v_group_size
    FROM JSON_TABLE(
        p_command, '$' COLUMNS (
            delay BIGINT PATH '$.delay_seconds',
            fields LONGTEXT PATH '$.fields',
            members LONGTEXT PATH '$.group',
            group_base INT PATH '$.group_base',
            group_size INT PATH '$.group_size'
        )
    ) AS c;
    SET v_fire_at = p_now + INTERVAL v_delay SECOND;
    SET v_members = CONCAT(
        ',"timer_id":"', p_run_id, ':t', p_position, '"', json_members(v_fields),
        ',"fire_at":"', wire_time(v_fire_at), '"', json_members(v_group)
    );

    INSERT INTO timers (run_id, position, kind, fire_at, event_members, group_base, group_size)
    VALUES (p_run_id, p_position, 'timer', v_fire_at, v_members, v_group_base, v_group_size);
    CALL append_history(
        p_run_id, p_sequence, p_now, 'TimerScheduled', CONCAT('{"sequence":', p_position, v_members, '}')
    );
    SET p_hint = CONCAT('["due","', wire_time(v_fire_at), '"]');
END//

DELIMITER ;
