-- Why a poll may not claim: its worker is unknown, or polls another queue or build than it registered for.
--
-- p_namespace, p_worker_id, p_task_queue, p_build_id  the poll.
-- p_outcome, p_body  worker_not_registered, task_queue_mismatch, build_id_mismatch, namespace_not_found; or null.
-- Locks              none. Writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS refuse_poll//

CREATE PROCEDURE refuse_poll(
    p_namespace VARCHAR(255), p_worker_id VARCHAR(255), p_task_queue VARCHAR(255), p_build_id VARCHAR(255),
    OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT
)
READS SQL DATA
COMMENT 'The refusal of a poll, or null.'
BEGIN
    DECLARE v_reason VARCHAR(64) DEFAULT 'worker_not_registered';
    DECLARE v_members LONGTEXT;

    SELECT CASE
        WHEN w.task_queue <> p_task_queue THEN 'task_queue_mismatch'
        WHEN w.build_id <> p_build_id THEN 'build_id_mismatch'
    END
    INTO v_reason
    FROM worker_registrations AS w
    WHERE w.namespace = p_namespace AND w.worker_id = p_worker_id;

    SET p_outcome = NULL;
    SET p_body = NULL;
    IF v_reason IS NOT NULL THEN
        SET v_members = CONCAT(
            ',"task":null,"poll_status":"rejected","worker_id":', json_string(p_worker_id),
            ',"task_queue":', json_string(p_task_queue)
        );
        IF v_reason = 'worker_not_registered' THEN
            CALL refuse_missing(p_namespace, v_reason, v_members, p_outcome, p_body);
        ELSE
            CALL refuse(v_reason, v_members, p_outcome, p_body);
        END IF;
    END IF;
END//

DELIMITER ;
