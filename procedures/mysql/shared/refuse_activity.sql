-- The answer to a caller that does not hold the activity attempt.
--
-- p_namespace        the namespace of the request.
-- p_reason           the fence's reason.
-- p_run_id           the run, or null.
-- p_task_id          the task the caller named.
-- p_attempt_id       the attempt the caller named.
-- p_lease_owner      who calls.
-- p_outcome, p_body  the refusal, saying that nothing was recorded and whether the activity should stop because its
--                    run was cancelled. Locks none, writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS refuse_activity//

CREATE PROCEDURE refuse_activity(
    p_namespace VARCHAR(255), p_reason VARCHAR(64), p_run_id VARCHAR(36), p_task_id VARCHAR(255),
    p_attempt_id VARCHAR(255), p_lease_owner VARCHAR(255), OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT
)
READS SQL DATA
COMMENT 'The refusal of a call on an activity attempt, with the run''s status.'
BEGIN
    DECLARE v_run_status VARCHAR(16);
    DECLARE v_members LONGTEXT;

    -- As a statement of its own it does not wait for the run; within an expression it would.
    SELECT r.status INTO v_run_status FROM runs AS r WHERE r.run_id = p_run_id;
    SET v_members = CONCAT(
        ',"task_id":', json_string(p_task_id),
        ',"activity_attempt_id":', json_string(p_attempt_id),
        ',"lease_owner":', json_string(p_lease_owner),
        ',"outcome":"', IF(COALESCE(v_run_status, 'waiting') IN ('pending', 'waiting'), 'rejected', 'ignored'),
        '","recorded":false,"heartbeat_recorded":false,"can_continue":false,"cancel_requested":',
        IF(v_run_status IN ('cancelled', 'terminated'), 'true', 'false'),
        json_member('run_status', json_string(v_run_status))
    );

    IF p_reason = 'attempt_not_found' THEN
        CALL refuse_missing(p_namespace, p_reason, v_members, p_outcome, p_body);
    ELSE
        CALL refuse(p_reason, v_members, p_outcome, p_body);
    END IF;
END//

DELIMITER ;
