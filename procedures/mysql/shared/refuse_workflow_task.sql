-- The answer to a caller that does not hold the workflow task.
--
-- p_namespace        the namespace of the request.
-- p_reason           the fence's reason.
-- p_task_id          the task the caller named.
-- p_attempt          the attempt the caller named.
-- p_outcome, p_body  the refusal, saying that nothing was recorded. Locks none, writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS refuse_workflow_task//

CREATE PROCEDURE refuse_workflow_task(
    p_namespace VARCHAR(255), p_reason VARCHAR(64), p_task_id VARCHAR(255), p_attempt INT,
    OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT
)
READS SQL DATA
COMMENT 'The refusal of a call on a workflow task, with the run''s status.'
BEGIN
    DECLARE v_run_status VARCHAR(16);
    DECLARE v_members LONGTEXT;

    -- As a statement of its own it does not wait for the run; within an expression it would.
    SELECT r.status INTO v_run_status FROM runs AS r
    WHERE r.run_id = SUBSTRING_INDEX(p_task_id, ':k', 1) AND r.namespace = p_namespace;
    SET v_members = CONCAT(
        ',"task_id":', json_string(p_task_id),
        ',"workflow_task_attempt":', p_attempt,
        ',"outcome":"rejected","recorded":false,"can_continue":false',
        json_member('run_status', json_string(v_run_status)),
        IF(v_run_status IN ('cancelled', 'terminated'), ',"cancel_requested":true', '')
    );

    IF p_reason = 'task_not_found' THEN
        CALL refuse_missing(p_namespace, p_reason, v_members, p_outcome, p_body);
    ELSE
        CALL refuse(p_reason, v_members, p_outcome, p_body);
    END IF;
END//

DELIMITER ;
