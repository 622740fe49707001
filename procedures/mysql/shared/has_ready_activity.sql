-- Whether a queue has an activity that is due. Takes no lock.
--
-- p_namespace, p_task_queue  the queue.
-- p_now    the moment.
-- Result   true if there is one. One index probe per priority, whatever waits for later.
-- Locks    none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS has_ready_activity//

CREATE FUNCTION has_ready_activity(p_namespace VARCHAR(255), p_task_queue VARCHAR(255), p_now DATETIME(6))
RETURNS BOOLEAN
READS SQL DATA
COMMENT 'Whether a queue has a due activity.'
BEGIN
    DECLARE v_is_ready BOOLEAN;

    -- As a statement of its own it locks nothing; within an expression it would lock what it reads.
    SELECT EXISTS (
        SELECT 1 FROM activities AS a FORCE INDEX (activities_ready)
        WHERE a.namespace = p_namespace AND a.task_queue = p_task_queue AND a.status = 'pending'
            AND a.priority IN (0, 1, 2, 3, 4, 5, 6, 7, 8, 9) AND a.available_at <= p_now
    ) INTO v_is_ready;
    RETURN v_is_ready;
END//

DELIMITER ;
