-- Which task of its run a workflow task id names.
--
-- p_task_id  <run_id>:k<number>
-- Result     the number, or null for what is no such id.
-- Locks      none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS workflow_task_number//

CREATE FUNCTION workflow_task_number(p_task_id VARCHAR(255))
RETURNS BIGINT
DETERMINISTIC NO SQL
COMMENT 'The number in a workflow task id, or null.'
BEGIN
    IF p_task_id REGEXP '^[0-9a-f-]{36}:k[0-9]{1,18}\\z' THEN
        RETURN CAST(SUBSTRING(p_task_id, 39) AS SIGNED);
    END IF;
    RETURN NULL;
END//

DELIMITER ;
