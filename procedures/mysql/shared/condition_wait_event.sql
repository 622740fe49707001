-- The payload of an event of the condition wait that a run has open.
--
-- p_run_id    the run.
-- p_position  the wait's authored position.
-- p_fields    the command's key and fingerprint.
-- Result      authored position, wait id, and the fields, byte for byte.
-- Locks       none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS condition_wait_event//

CREATE FUNCTION condition_wait_event(p_run_id VARCHAR(36), p_position INT, p_fields LONGTEXT)
RETURNS LONGTEXT
DETERMINISTIC NO SQL
COMMENT 'The payload of an event of the open condition wait.'
BEGIN
    RETURN CONCAT(
        '{"sequence":', p_position, ',"condition_wait_id":"', p_run_id, ':w', p_position, '"', json_members(p_fields), '}'
    );
END//

DELIMITER ;
