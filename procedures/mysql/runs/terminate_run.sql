-- Terminates a run at once, for when it must not go on whatever it is doing.
--
-- p_namespace    the namespace.
-- p_workflow_id  the workflow.
-- p_run_id       one of its runs; null: the current one.
-- p_reason       why, for people; or null.
-- p_request_id   repeats of one request get one answer; null: not repeatable.
-- p_digest       digest of the request's body.
-- Outcomes       terminated; instance_not_found, run_not_found, historical_run_command_rejected,
--                request_id_conflict, run_not_active, namespace_not_found.
-- Locks          the run, then its activities.
-- Writes         through close_run; receipts.
DELIMITER //

DROP PROCEDURE IF EXISTS terminate_run//

CREATE PROCEDURE terminate_run(
    p_namespace VARCHAR(300), p_workflow_id VARCHAR(300), p_run_id VARCHAR(300), p_reason LONGTEXT,
    p_request_id VARCHAR(300), p_digest VARCHAR(64)
)
MODIFIES SQL DATA
SQL SECURITY DEFINER
COMMENT 'Terminates a run and closes it.'
BEGIN
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
        CALL stop_run(
            p_namespace, p_workflow_id, p_run_id, p_reason, p_request_id, p_digest,
            'terminated', 'terminate', 'TerminateRequested', 'WorkflowTerminated', v_outcome, v_body, v_hints
        );
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
