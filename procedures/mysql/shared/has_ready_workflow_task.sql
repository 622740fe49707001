-- Whether a queue has a workflow task that is due, be it held for one worker. Takes no lock.
--
-- p_namespace, p_task_queue  the queue.
-- p_now           the moment.
-- p_hold_seconds  the longest hold to look behind.
-- Result   true if there is one. One index probe per priority, whatever waits for later.
-- Locks    none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS has_ready_workflow_task//

CREATE FUNCTION has_ready_workflow_task(
    p_namespace VARCHAR(255), p_task_queue VARCHAR(255), p_now DATETIME(6), p_hold_seconds INT
)
RETURNS BOOLEAN
READS SQL DATA
COMMENT 'Whether a queue has a due workflow task.'
BEGIN
    DECLARE v_is_ready BOOLEAN;

    -- As a statement of its own it locks nothing; within an expression it would lock what it reads.
    SELECT EXISTS (
        SELECT 1 FROM workflow_tasks AS t FORCE INDEX (workflow_tasks_ready)
        WHERE t.namespace = p_namespace AND t.task_queue = p_task_queue AND t.status = 'ready'
            AND t.priority IN (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
            AND t.held_until <= p_now + INTERVAL p_hold_seconds SECOND AND t.available_at <= p_now
    ) INTO v_is_ready;
    RETURN v_is_ready;
END//

DELIMITER ;
