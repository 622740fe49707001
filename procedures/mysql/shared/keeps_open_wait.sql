-- Whether a completion merely says again that workflow code waits on the condition that is already open: nothing
-- came in since it opened, so nothing can have satisfied it, and the wait and its timeout stay.
--
-- p_run_id    the run, whose row the caller has locked.
-- p_commands  the completion's commands.
-- Result      true if the first command repeats the open wait and there is no news for it.
-- Locks       none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS keeps_open_wait//

CREATE FUNCTION keeps_open_wait(p_run_id VARCHAR(36), p_commands LONGTEXT)
RETURNS BOOLEAN
READS SQL DATA
COMMENT 'Whether a completion only repeats the open condition wait.'
BEGIN
    DECLARE v_open_fields, v_fields LONGTEXT;
    DECLARE v_type VARCHAR(64);

    SELECT r.open_wait_fields INTO v_open_fields
    FROM runs AS r
    WHERE r.run_id = p_run_id AND r.open_wait_position IS NOT NULL AND NOT r.open_wait_has_news;
    IF v_open_fields IS NULL THEN
        RETURN FALSE;
    END IF;

    SET v_type = JSON_UNQUOTE(JSON_EXTRACT(p_commands, '$[0].type'));
    SET v_fields = JSON_UNQUOTE(JSON_EXTRACT(p_commands, '$[0].fields'));
    RETURN v_type = 'open_condition_wait' AND v_fields = v_open_fields;
END//

DELIMITER ;
