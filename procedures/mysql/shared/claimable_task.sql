-- A run's workflow task, if a worker may have it now.
--
-- p_run_id                  the run, whose row the caller has locked.
-- p_namespace, p_worker_id  the worker.
-- p_now                     the moment.
-- Result                    the task's number; null when there is none, or when it is leased, not due, held for another,
--                           or not one that the worker can run.
-- Locks                     none of its own. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS claimable_task//

CREATE FUNCTION claimable_task(
    p_run_id VARCHAR(36), p_namespace VARCHAR(255), p_worker_id VARCHAR(255), p_now DATETIME(6)
)
RETURNS BIGINT
READS SQL DATA
COMMENT 'The workflow task of a run if a worker may claim it now, or null.'
BEGIN
    DECLARE v_task_number BIGINT;

    SELECT t.task_number INTO v_task_number
    FROM workflow_tasks AS t
    INNER JOIN runs AS r ON t.run_id = r.run_id
    INNER JOIN worker_registrations AS w
        ON t.namespace = w.namespace AND t.task_queue = w.task_queue
        AND JSON_CONTAINS(w.workflow_types, JSON_QUOTE(t.workflow_type))
        AND (t.build_id IS NULL OR t.build_id = w.build_id)
    WHERE t.run_id = p_run_id AND w.namespace = p_namespace AND w.worker_id = p_worker_id
        AND t.status = 'ready' AND t.available_at <= p_now
        AND (
            t.held_until <= p_now
            OR (t.sticky_registration_token = w.registration_token AND t.sticky_until > p_now)
        )
        AND (r.deadline_at IS NULL OR r.deadline_at > p_now);
    RETURN v_task_number;
END//

DELIMITER ;
