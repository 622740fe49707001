-- The hint that a queue has a workflow task: one that any worker may claim, or one that is held for a worker.
--
-- p_namespace, p_task_queue  the queue.
-- p_sticky_worker_id  whom it is held for.
-- p_held_until        when any worker may claim it.
-- p_now               the moment.
-- Result              one element of an answer's hints: ["held",namespace,task_queue,worker,until] while it is held.
-- Locks               none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS held_hint//

CREATE FUNCTION held_hint(
    p_namespace VARCHAR(255), p_task_queue VARCHAR(255), p_sticky_worker_id VARCHAR(255), p_held_until DATETIME(6),
    p_now DATETIME(6)
)
RETURNS LONGTEXT
DETERMINISTIC NO SQL
COMMENT 'A wake-up hint for the pollers of a workflow task queue, or for the one worker that a task is held for.'
BEGIN
    IF p_held_until > p_now THEN
        RETURN CONCAT(
            '["held",', json_string(p_namespace), ',', json_string(p_task_queue),
            ',', json_string(p_sticky_worker_id), ',"', wire_time(p_held_until), '"]'
        );
    END IF;
    RETURN ready_hint('workflow', p_namespace, p_task_queue, NULL);
END//

DELIMITER ;
