-- The command record_side_effect: a value that workflow code must see again at every replay.
--
-- p_run_id    the run, whose row the caller has locked.
-- p_position  the command's authored position.
-- p_sequence  the run's last history sequence, moved on.
-- p_command   the command.
-- p_now       the moment.
-- Locks       none of its own. Writes runs, history_events.
DELIMITER //

DROP PROCEDURE IF EXISTS record_side_effect//

CREATE PROCEDURE record_side_effect(
    p_run_id VARCHAR(36), p_position INT, INOUT p_sequence BIGINT, p_command LONGTEXT, p_now DATETIME(6)
)
MODIFIES SQL DATA
COMMENT 'Appends the event of a record_side_effect command.'
BEGIN
    DECLARE v_fields LONGTEXT DEFAULT JSON_UNQUOTE(JSON_EXTRACT(p_command, '$.fields'));

    CALL append_history(
        p_run_id, p_sequence, p_now, 'SideEffectRecorded',
        CONCAT('{"sequence":', p_position, json_members(v_fields), '}')
    );
END//

DELIMITER ;
