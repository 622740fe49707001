-- The hint that a queue has something to claim.
--
-- p_kind          workflow or activity.
-- p_namespace     the queue's namespace.
-- p_task_queue    the queue.
-- p_available_at  when it can be claimed; null: at once.
-- Result          one element of an answer's hints.
-- Locks           none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS ready_hint//

CREATE FUNCTION ready_hint(
    p_kind VARCHAR(16), p_namespace VARCHAR(255), p_task_queue VARCHAR(255), p_available_at DATETIME(6)
)
RETURNS LONGTEXT
DETERMINISTIC NO SQL
COMMENT 'A wake-up hint for the pollers of a task queue.'
BEGIN
    RETURN CONCAT(
        '["', p_kind, '",', json_string(p_namespace), ',', json_string(p_task_queue),
        COALESCE(CONCAT(',"', wire_time(p_available_at), '"'), ''), ']'
    );
END//

DELIMITER ;
