-- An activity that the present transition has scheduled, if a worker may have it before what waits in the queue.
--
-- p_run_id     the run, whose row the caller has locked.
-- p_namespace, p_worker_id  the worker.
-- p_now        the moment of the transition.
-- Result       the position of the first one, by priority and position; null when there is none that the worker can run,
--              or when something of a higher priority waits for it.
-- Locks        none: nobody else sees the activity yet. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS claimable_activity//

CREATE FUNCTION claimable_activity(
    p_run_id VARCHAR(36), p_namespace VARCHAR(255), p_worker_id VARCHAR(255), p_now DATETIME(6)
)
RETURNS INT
READS SQL DATA
COMMENT 'The activity that a transition has just scheduled if a worker may have it first, or null.'
BEGIN
    DECLARE v_task_queue, v_build_id VARCHAR(255);
    DECLARE v_types LONGTEXT;
    DECLARE v_position, v_priority INT;
    DECLARE CONTINUE HANDLER FOR NOT FOUND SET v_position = NULL;

    SELECT w.task_queue, w.build_id, w.activity_types INTO v_task_queue, v_build_id, v_types
    FROM worker_registrations AS w
    WHERE w.namespace = p_namespace AND w.worker_id = p_worker_id;

    SELECT a.position, a.priority INTO v_position, v_priority
    FROM activities AS a FORCE INDEX (activities_ready)
    WHERE a.namespace = p_namespace AND a.task_queue = v_task_queue AND a.status = 'pending'
        AND a.priority IN (0, 1, 2, 3, 4, 5, 6, 7, 8, 9) AND a.available_at = p_now AND a.run_id = p_run_id
        AND a.attempt_number = 0
        AND JSON_CONTAINS(v_types, JSON_QUOTE(a.activity_type))
        AND (a.build_id IS NULL OR a.build_id = v_build_id)
    ORDER BY a.priority, a.position
    LIMIT 1;

    IF EXISTS (
        SELECT 1
        FROM activities AS a FORCE INDEX (activities_ready)
        WHERE a.namespace = p_namespace AND a.task_queue = v_task_queue AND a.status = 'pending'
            AND a.priority IN (0, 1, 2, 3, 4, 5, 6, 7, 8, 9) AND a.priority < v_priority AND a.available_at <= p_now
            AND JSON_CONTAINS(v_types, JSON_QUOTE(a.activity_type))
            AND (a.build_id IS NULL OR a.build_id = v_build_id)
            AND (a.timeout_at IS NULL OR a.timeout_at > p_now)
        LIMIT 1
    ) THEN
        SET v_position = NULL;
    END IF;
    RETURN v_position;
END//

DELIMITER ;
