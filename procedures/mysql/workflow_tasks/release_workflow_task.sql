-- Gives back a claim whose answer could not be delivered: the task is ready again at once.
--
-- p_namespace    the namespace.
-- p_task_id      the workflow task.
-- p_lease_owner  for whom it was claimed.
-- p_attempt      the attempt that was claimed.
-- Outcomes       released; the fence's refusals (workflow_task_refusal), namespace_not_found.
-- Locks          the run. Writes workflow_tasks, and what was held meanwhile: inbox, runs, history_events.
DELIMITER //

DROP PROCEDURE IF EXISTS release_workflow_task//

CREATE PROCEDURE release_workflow_task(
    p_namespace VARCHAR(300), p_task_id VARCHAR(300), p_lease_owner VARCHAR(300), p_attempt INT
)
MODIFIES SQL DATA
SQL SECURITY DEFINER
COMMENT 'Offers a workflow task again whose claim did not reach its worker.'
BEGIN
    DECLARE v_run_id VARCHAR(36);
    DECLARE v_now DATETIME(6);
    DECLARE v_reason VARCHAR(64);
    DECLARE v_hint LONGTEXT;
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
        SELECT r.run_id INTO v_run_id FROM runs AS r
        WHERE r.run_id = SUBSTRING_INDEX(p_task_id, ':k', 1) AND r.namespace = p_namespace
        FOR UPDATE;
        SET v_now = current_instant();

        SET v_reason = workflow_task_refusal(p_namespace, p_task_id, p_lease_owner, p_attempt, v_now);
        IF v_reason IS NOT NULL THEN
            CALL refuse_workflow_task(p_namespace, v_reason, p_task_id, p_attempt, v_outcome, v_body);
            LEAVE steps;
        END IF;

        CALL end_workflow_lease(v_run_id, v_now, v_now, v_hint);
        SET v_outcome = 'released';
        SET v_body = CONCAT('{"task_id":', json_string(p_task_id), ',"outcome":"released"}');
        SET v_hints = CONCAT('[', v_hint, ']');
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
