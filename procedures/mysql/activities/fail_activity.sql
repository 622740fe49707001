-- Ends an activity attempt with a failure: another attempt later, if the retry policy allows one, else the end of
-- the activity.
--
-- p_namespace            the namespace.
-- p_task_id              the activity task.
-- p_activity_attempt_id  the attempt.
-- p_lease_owner          who calls.
-- p_failure              type?, non_retryable, fields: what the event says of it.
-- p_digest               digest of the failure, for repeats.
-- Outcomes               failed, retry_scheduled; the fence's refusals (activity_refusal), conflicting_completion,
--                        namespace_not_found.
-- Locks                  the run, then the activity.
-- Writes                 activities, receipts; inbox, or runs, history_events, workflow_tasks.
DELIMITER //

DROP PROCEDURE IF EXISTS fail_activity//

CREATE PROCEDURE fail_activity(
    p_namespace VARCHAR(300), p_task_id VARCHAR(300), p_activity_attempt_id VARCHAR(300), p_lease_owner VARCHAR(300),
    p_failure LONGTEXT, p_digest VARCHAR(64)
)
MODIFIES SQL DATA
SQL SECURITY DEFINER
COMMENT 'Ends an activity attempt with a failure and retries or fails the activity.'
BEGIN
    DECLARE v_run_id VARCHAR(36);
    DECLARE v_position INT;
    DECLARE v_error_types, v_type, v_fields LONGTEXT;
    DECLARE v_final VARCHAR(8);
    DECLARE v_now, v_available_at DATETIME(6);
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
        SELECT a.position, a.non_retryable_error_types INTO v_position, v_error_types FROM activities AS a
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

        SELECT f.type, f.final, f.fields INTO v_type, v_final, v_fields
        FROM JSON_TABLE(
            p_failure, '$' COLUMNS (
                type LONGTEXT PATH '$.type', final VARCHAR(8) PATH '$.non_retryable', fields LONGTEXT PATH '$.fields'
            )
        ) AS f;
        CALL retry_or_close_activity(
            v_run_id, v_position, v_now,
            v_final NOT IN ('true', '1') AND NOT EXISTS (
                SELECT 1 FROM JSON_TABLE(v_error_types, '$[*]' COLUMNS (type LONGTEXT PATH '$')) AS n WHERE n.type = v_type
            ),
            'failed', 'ActivityFailed', CONCAT(json_members(v_fields), ',"failure_category":"activity"'),
            v_outcome, v_available_at, v_hints
        );
        SET v_body = CONCAT(
            '{"task_id":', json_string(p_task_id),
            ',"activity_attempt_id":', json_string(p_activity_attempt_id),
            ',"outcome":"', v_outcome, '","recorded":true',
            json_member('retry_available_at', json_string(wire_time(v_available_at))), '}'
        );
        SET v_hints = CONCAT('[', v_hints, ']');
        CALL record_receipt(v_run_id, v_subject, p_lease_owner, p_digest, v_now, v_outcome, v_body);
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
