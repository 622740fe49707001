-- Finds a command of a parallel group that does not get the authored position it was written for. A position that
-- the run has already allotted is a command sent again, and in place.
--
-- p_run_id    the run, whose row the caller has locked.
-- p_commands  the completion's commands.
-- Result      the index of the first misplaced command, or null.
-- Locks       none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS misplaced_command//

CREATE FUNCTION misplaced_command(p_run_id VARCHAR(36), p_commands LONGTEXT)
RETURNS INT
READS SQL DATA
COMMENT 'The index of the first group command out of its authored position, or null.'
BEGIN
    DECLARE v_next INT DEFAULT (SELECT r.last_authored_position + 1 FROM runs AS r WHERE r.run_id = p_run_id);
    DECLARE v_keeps_wait BOOLEAN DEFAULT keeps_open_wait(p_run_id, p_commands);
    DECLARE v_index, v_position INT;
    DECLARE v_type VARCHAR(64);
    DECLARE v_done BOOLEAN DEFAULT FALSE;
    DECLARE v_commands CURSOR FOR
        SELECT c.number - 1, c.type, c.place
        FROM JSON_TABLE(
            p_commands, '$[*]' COLUMNS (
                number FOR ORDINALITY,
                type VARCHAR(64) PATH '$.type',
                place INT PATH '$.group_position'
            )
        ) AS c
        ORDER BY c.number;
    DECLARE CONTINUE HANDLER FOR NOT FOUND SET v_done = TRUE;

    OPEN v_commands;
    LOOP
        FETCH v_commands INTO v_index, v_type, v_position;
        IF v_done THEN
            RETURN NULL;
        ELSEIF v_position > v_next THEN
            RETURN v_index;
        ELSEIF v_position IS NULL OR v_position = v_next THEN
            SET v_next = v_next + (
                v_type NOT IN ('complete_workflow', 'fail_workflow', 'continue_as_new')
                AND NOT (v_index = 0 AND v_keeps_wait)
            );
        END IF;
    END LOOP;
END//

DELIMITER ;
