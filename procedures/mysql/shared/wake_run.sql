-- Makes sure that the run has an open workflow task; an open one takes the news along. A new one waits a while for the
-- worker that has the run in its cache.
--
-- p_run_id    the run, whose row the caller has locked.
-- p_sequence  the run's last history sequence, which names the task.
-- p_now       from when on the task may be claimed.
-- p_hint      the hint for the run's queue, or for the worker that the task is held for.
-- Locks       the run's row (already held).
-- Writes      workflow_tasks.
DELIMITER //

DROP PROCEDURE IF EXISTS wake_run//

CREATE PROCEDURE wake_run(p_run_id VARCHAR(36), p_sequence BIGINT, p_now DATETIME(6), OUT p_hint LONGTEXT)
MODIFIES SQL DATA
COMMENT 'Opens a workflow task for a run unless one is open, inheriting queue, build, priority and affinity from the run.'
BEGIN
    DECLARE v_worker_id VARCHAR(255);
    DECLARE v_token CHAR(32);
    DECLARE v_sticky_until, v_held_until DATETIME(6);

    CALL sticky_hold(p_run_id, p_now, p_now, v_worker_id, v_token, v_sticky_until, v_held_until);
    IF NOT EXISTS (SELECT 1 FROM workflow_tasks AS t WHERE t.run_id = p_run_id) THEN
        INSERT INTO workflow_tasks (
            run_id, task_number, namespace, task_queue, workflow_type, build_id, priority, status, available_at,
            sticky_worker_id, sticky_registration_token, sticky_until, held_until
        )
        SELECT
            r.run_id, p_sequence, r.namespace, r.task_queue, r.workflow_type, r.build_id, r.priority, 'ready', p_now,
            v_worker_id, v_token, v_sticky_until, v_held_until
        FROM runs AS r WHERE r.run_id = p_run_id;
    END IF;

    SELECT held_hint(r.namespace, r.task_queue, v_worker_id, v_held_until, p_now) INTO p_hint
    FROM runs AS r WHERE r.run_id = p_run_id;
END//

DELIMITER ;
