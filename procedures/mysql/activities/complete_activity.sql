-- Completes an activity with its result, and wakes its run.
--
-- p_namespace            the namespace.
-- p_task_id              the activity task.
-- p_activity_attempt_id  the attempt.
-- p_lease_owner          who calls.
-- p_result               the result as a payload envelope, or null.
-- p_digest               digest of the result, for repeats.
-- Outcomes               completed; the fence's refusals (activity_refusal), conflicting_completion,
--                        namespace_not_found.
-- Locks                  the run, then the activity.
-- Writes                 activities, receipts; inbox, or runs, history_events, workflow_tasks.
DELIMITER //

DROP PROCEDURE IF EXISTS complete_activity//

CREATE PROCEDURE complete_activity(
    p_namespace VARCHAR(300), p_task_id VARCHAR(300), p_activity_attempt_id VARCHAR(300), p_lease_owner VARCHAR(300),
    p_result LONGTEXT, p_digest VARCHAR(64)
)
MODIFIES SQL DATA
SQL SECURITY DEFINER
COMMENT 'Completes an activity attempt with its result and wakes its run.'
BEGIN
    DECLARE v_run_id VARCHAR(36);
    DECLARE v_position, v_group_base, v_group_size INT;
    DECLARE v_now DATETIME(6);
    DECLARE v_reason VARCHAR(64);
    DECLARE v_subject VARCHAR(300) DEFAULT SUBSTRING(p_activity_attempt_id, 38);
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
        WHERE r.run_id = SUBSTRING_INDEX(p_task_id, ':a', 1) AND r.namespace = p_namespace
        FOR UPDATE;
        SELECT a.position, a.group_base, a.group_size INTO v_position, v_group_base, v_group_size FROM activities AS a
        WHERE a.run_id = v_run_id AND a.position = activity_position(p_task_id)
        FOR UPDATE;
        SET v_now = current_instant();

        SET v_reason = activity_refusal(p_namespace, p_task_id, p_activity_attempt_id, p_lease_owner, v_now);
        IF v_reason IS NOT NULL THEN
            -- Whoever holds the attempt has not answered yet, so a receipt can only be there for another.
            CALL repeated_answer(
                v_run_id, v_subject, p_lease_owner, p_digest, 'conflicting_completion',
                CONCAT(
                    ',"task_id":', json_string(p_task_id),
                    ',"activity_attempt_id":', json_string(p_activity_attempt_id),
                    ',"outcome":"rejected","recorded":false'
                ),
                v_outcome, v_body
            );
            IF v_outcome IS NULL THEN
                CALL refuse_activity(
                    p_namespace, v_reason, v_run_id, p_task_id, p_activity_attempt_id, p_lease_owner, v_outcome, v_body
                );
            END IF;
            LEAVE steps;
        END IF;

        UPDATE activities AS a
        SET a.status = 'completed', a.closed_at = v_now, a.lease_owner = NULL, a.lease_expires_at = NULL,
            a.started_at = NULL, a.timeout_at = NULL
        WHERE a.run_id = v_run_id AND a.position = v_position;
        CALL record_event(
            v_run_id, v_now, 'result', 'ActivityCompleted',
            activity_event(
                v_run_id, v_position, CONCAT(',"result":', COALESCE(p_result, 'null'), ',"payload_codec":"avro"')
            ),
            v_group_base IS NULL OR NOT group_has_open_leaf(v_run_id, v_group_base, v_group_size),
            NULL, v_hints
        );

        SET v_outcome = 'completed';
        SET v_body = CONCAT(
            '{"task_id":', json_string(p_task_id),
            ',"activity_attempt_id":', json_string(p_activity_attempt_id),
            ',"outcome":"completed","recorded":true}'
        );
        SET v_hints = CONCAT('[', v_hints, ']');
        CALL record_receipt(v_run_id, v_subject, p_lease_owner, p_digest, v_now, v_outcome, v_body);
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
