-- The payload of an activity's event: what all of them have in common, and what this one adds.
--
-- p_run_id, p_position  the activity.
-- p_members             the event's own members, with a leading comma.
-- Result                the payload. The parallel group is copied from the command, byte for byte.
-- Locks                 none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS activity_event//

CREATE FUNCTION activity_event(p_run_id VARCHAR(36), p_position INT, p_members LONGTEXT)
RETURNS LONGTEXT
READS SQL DATA
COMMENT 'The payload of an event of an activity.'
BEGIN
    RETURN (
        SELECT CONCAT(
            '{"sequence":', a.position,
            ',"activity_execution_id":"', a.run_id, ':a', a.position,
            '","activity_type":', json_string(a.activity_type),
            IF(
                a.attempt_number = 0,
                '',
                CONCAT(
                    ',"activity_attempt_id":"', a.run_id, ':a', a.position, '.', a.attempt_number,
                    '","attempt_number":', a.attempt_number
                )
            ),
            p_members, a.group_members, '}'
        )
        FROM activities AS a
        WHERE a.run_id = p_run_id AND a.position = p_position
    );
END//

DELIMITER ;
