-- Which activity of its run an activity task id names.
--
-- p_task_id  <run_id>:a<position>
-- Result     the authored position, or null for what is no such id.
-- Locks      none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS activity_position//

CREATE FUNCTION activity_position(p_task_id VARCHAR(255))
RETURNS INT
DETERMINISTIC NO SQL
COMMENT 'The authored position in an activity task id, or null.'
BEGIN
    IF p_task_id REGEXP '^[0-9a-f-]{36}:a[0-9]{1,9}\\z' THEN
        RETURN CAST(SUBSTRING(p_task_id, 39) AS SIGNED);
    END IF;
    RETURN NULL;
END//

DELIMITER ;
