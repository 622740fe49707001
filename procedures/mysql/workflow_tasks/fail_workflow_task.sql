-- Records that a worker could not answer a workflow task. The run itself does not fail: the task is offered
-- again, later and later. A worker that merely waits for history is done with the task.
--
-- p_namespace    the namespace.
-- p_task_id      the workflow task.
-- p_lease_owner  who calls.
-- p_attempt      the attempt that was claimed.
-- p_failure      type?, message, reason?
-- p_digest       digest of the failure, for repeats.
-- Outcomes       failed, waiting_for_history; the fence's refusals (workflow_task_refusal), conflicting_completion,
--                namespace_not_found.
-- Locks          the run.
-- Writes         workflow_tasks, receipts, and what was held meanwhile: inbox, runs, history_events.
DELIMITER //

DROP PROCEDURE IF EXISTS fail_workflow_task//

CREATE PROCEDURE fail_workflow_task(
    p_namespace VARCHAR(300), p_task_id VARCHAR(300), p_lease_owner VARCHAR(300), p_attempt INT, p_failure LONGTEXT,
    p_digest VARCHAR(64)
)
MODIFIES SQL DATA
SQL SECURITY DEFINER
COMMENT 'Records a failed workflow task and offers it again later, or acknowledges that its worker waits for history.'
BEGIN
    DECLARE v_run_id VARCHAR(36);
    DECLARE v_status VARCHAR(16);
    DECLARE v_now, v_available_at DATETIME(6);
    DECLARE v_reason VARCHAR(64);
    DECLARE v_subject VARCHAR(300) DEFAULT CONCAT(SUBSTRING(p_task_id, 38), '.', p_attempt);
    DECLARE v_type LONGTEXT DEFAULT JSON_UNQUOTE(JSON_EXTRACT(p_failure, '$.type'));
    DECLARE v_failures INT;
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
        SELECT r.run_id, r.status INTO v_run_id, v_status FROM runs AS r
        WHERE r.run_id = SUBSTRING_INDEX(p_task_id, ':k', 1) AND r.namespace = p_namespace
        FOR UPDATE;
        SET v_now = current_instant();

        SET v_reason = workflow_task_refusal(p_namespace, p_task_id, p_lease_owner, p_attempt, v_now);
        IF v_reason IS NOT NULL THEN
            -- Whoever holds the lease has not answered yet, so a receipt can only be there for another.
            CALL repeated_answer(
                v_run_id, v_subject, p_lease_owner, p_digest, 'conflicting_completion',
                CONCAT(
                    ',"task_id":', json_string(p_task_id), ',"workflow_task_attempt":', p_attempt,
                    ',"outcome":"rejected","recorded":false'
                ),
                v_outcome, v_body
            );
            IF v_outcome IS NULL THEN
                CALL refuse_workflow_task(p_namespace, v_reason, p_task_id, p_attempt, v_outcome, v_body);
            END IF;
            LEAVE steps;
        END IF;

        IF v_type = 'WorkflowTaskWaitingForHistory' THEN
            CALL acknowledge_workflow_task(v_run_id, v_now, v_outcome, v_body, v_hints);
        ELSE
            SELECT t.failure_count INTO v_failures FROM workflow_tasks AS t WHERE t.run_id = v_run_id;
            SET v_available_at = v_now + INTERVAL IF(
                v_type IN ('NonDeterministicReplayError', 'WorkflowEntryArgumentsMismatchError'),
                60,
                LEAST(60, POWER(2, LEAST(v_failures, 6)))
            ) SECOND;
            CALL end_workflow_lease(v_run_id, v_now, v_available_at, v_hint);
            UPDATE workflow_tasks AS t
            SET t.failure_count = t.failure_count + 1, t.last_failure = p_failure
            WHERE t.run_id = v_run_id;
            SET v_outcome = 'failed';
            SET v_body = CONCAT(
                '{"task_id":', json_string(p_task_id),
                ',"outcome":"failed","recorded":true,"run_status":"', v_status,
                '","retry_available_at":"', wire_time(v_available_at), '"}'
            );
            SET v_hints = CONCAT('[', v_hint, ',["run","', v_run_id, '"]]');
        END IF;
        CALL record_receipt(v_run_id, v_subject, p_lease_owner, p_digest, v_now, v_outcome, v_body);
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
