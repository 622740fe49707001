-- Makes sure that the run has an open workflow task; an open one takes the news along.
--
-- p_run_id    the run, whose row the caller has locked.
-- p_sequence  the run's last history sequence, which names the task.
-- p_now       from when on the task may be claimed.
-- p_hint      the hint for the run's queue.
-- Locks       the run's row (already held).
-- Writes      workflow_tasks.
DELIMITER //

DROP PROCEDURE IF EXISTS wake_run//

CREATE PROCEDURE wake_run(p_run_id VARCHAR(36), p_sequence BIGINT, p_now DATETIME(6), OUT p_hint LONGTEXT)
MODIFIES SQL DATA
COMMENT 'Opens a workflow task for a run unless one is open, inheriting queue, build and priority from the run.'
BEGIN
    IF NOT EXISTS (SELECT 1 FROM workflow_tasks AS t WHERE t.run_id = p_run_id) THEN
        INSERT INTO workflow_tasks (
            run_id, task_number, namespace, task_queue, workflow_type, build_id, priority, status, available_at
        )
        SELECT
            r.run_id, p_sequence, r.namespace, r.task_queue, r.workflow_type, r.build_id, r.priority, 'ready', p_now
        FROM runs AS r WHERE r.run_id = p_run_id;
    END IF;

    SELECT ready_hint('workflow', r.namespace, r.task_queue, NULL) INTO p_hint
    FROM runs AS r WHERE r.run_id = p_run_id;
END//

DELIMITER ;
