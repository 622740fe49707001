-- Notes that a worker lives.
--
-- p_namespace        the worker's namespace.
-- p_worker_id        its id.
-- p_task_slots       its free slots.
-- p_process_metrics  what its process uses.
-- p_stale_seconds    for how long the heartbeat counts.
-- Outcomes           acknowledged; worker_not_registered, namespace_not_found.
-- Locks              the worker's liveness row. Writes worker_liveness.
DELIMITER //

DROP PROCEDURE IF EXISTS heartbeat_worker//

CREATE PROCEDURE heartbeat_worker(
    p_namespace VARCHAR(300), p_worker_id VARCHAR(300), p_task_slots LONGTEXT, p_process_metrics LONGTEXT,
    p_stale_seconds INT
)
MODIFIES SQL DATA
SQL SECURITY DEFINER
COMMENT 'Records a worker''s heartbeat, slots and metrics.'
BEGIN
    DECLARE v_now DATETIME(6) DEFAULT current_instant();
    DECLARE v_worker_id VARCHAR(255);
    DECLARE v_outcome VARCHAR(64);
    DECLARE v_body, v_hints LONGTEXT;
    DECLARE EXIT HANDLER FOR SQLEXCEPTION, 1265
    BEGIN
        ROLLBACK;
        RESIGNAL;
    END;

    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    START TRANSACTION;
    steps: BEGIN
        SELECT l.worker_id INTO v_worker_id FROM worker_liveness AS l
        WHERE l.namespace = p_namespace AND l.worker_id = p_worker_id
        FOR UPDATE;

        IF v_worker_id IS NULL THEN
            CALL refuse_missing(
                p_namespace, 'worker_not_registered', CONCAT(',"worker_id":', json_string(p_worker_id)),
                v_outcome, v_body
            );
            LEAVE steps;
        END IF;
        UPDATE worker_liveness AS l
        SET l.last_heartbeat_at = v_now, l.stale_at = v_now + INTERVAL p_stale_seconds SECOND,
            l.task_slots = p_task_slots, l.process_metrics = p_process_metrics
        WHERE l.namespace = p_namespace AND l.worker_id = p_worker_id;
        SET v_outcome = 'acknowledged';
        SET v_body = CONCAT('{"worker_id":', json_string(p_worker_id), ',"acknowledged":true}');
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
