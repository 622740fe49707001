-- Renews the lease of a workflow task.
--
-- p_namespace      the namespace.
-- p_task_id        the workflow task.
-- p_lease_owner    who calls.
-- p_attempt        the attempt that was claimed.
-- p_lease_seconds  how long the lease lasts from now.
-- Outcomes         renewed; the fence's refusals (workflow_task_refusal), namespace_not_found.
-- Locks            the run. Writes workflow_tasks.
DELIMITER //

DROP PROCEDURE IF EXISTS heartbeat_workflow_task//

CREATE PROCEDURE heartbeat_workflow_task(
    p_namespace VARCHAR(300), p_task_id VARCHAR(300), p_lease_owner VARCHAR(300), p_attempt INT, p_lease_seconds INT
)
MODIFIES SQL DATA
SQL SECURITY DEFINER
COMMENT 'Renews the lease of a workflow task for its holder.'
BEGIN
    DECLARE v_run_id VARCHAR(36);
    DECLARE v_status VARCHAR(16);
    DECLARE v_now, v_expires_at DATETIME(6);
    DECLARE v_reason VARCHAR(64);
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
        SELECT r.run_id, r.status INTO v_run_id, v_status FROM runs AS r
        WHERE r.run_id = SUBSTRING_INDEX(p_task_id, ':k', 1) AND r.namespace = p_namespace
        FOR UPDATE;
        SET v_now = current_instant();

        SET v_reason = workflow_task_refusal(p_namespace, p_task_id, p_lease_owner, p_attempt, v_now);
        IF v_reason IS NOT NULL THEN
            CALL refuse_workflow_task(p_namespace, v_reason, p_task_id, p_attempt, v_outcome, v_body);
            LEAVE steps;
        END IF;

        SET v_expires_at = v_now + INTERVAL p_lease_seconds SECOND;
        UPDATE workflow_tasks AS t SET t.lease_expires_at = v_expires_at WHERE t.run_id = v_run_id;
        SET v_outcome = 'renewed';
        SET v_body = CONCAT(
            '{"task_id":', json_string(p_task_id),
            ',"workflow_task_attempt":', p_attempt,
            ',"lease_owner":', json_string(p_lease_owner),
            ',"renewed":true,"lease_expires_at":"', wire_time(v_expires_at),
            '","run_status":"', v_status, '","cancel_requested":false}'
        );
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
