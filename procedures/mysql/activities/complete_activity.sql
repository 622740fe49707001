-- Completes an activity with its result, and wakes its run.
--
-- p_namespace            the namespace.
-- p_task_id              the activity task.
-- p_activity_attempt_id  the attempt.
-- p_lease_owner          who calls.
-- p_result               the result as a payload envelope, or null.
-- p_digest               digest of the result and of what is carried, for repeats.
-- p_carried              what the worker asks for next (see carry_polls), and what the workflow does with the result
--                        (continuation, see carry_continuation); or null.
-- Outcomes               completed; the fence's refusals (activity_refusal), conflicting_completion, that of what is
--                        carried (carried_refusal), namespace_not_found.
-- Locks                  when it carries something, the registration in share mode; the run, then the activity.
-- Writes                 activities, receipts; inbox, or runs, history_events, workflow_tasks; as carry_continuation and
--                        carry_polls.
DELIMITER //

DROP PROCEDURE IF EXISTS complete_activity//

CREATE PROCEDURE complete_activity(
    p_namespace VARCHAR(300), p_task_id VARCHAR(300), p_activity_attempt_id VARCHAR(300), p_lease_owner VARCHAR(300),
    p_result LONGTEXT, p_digest VARCHAR(64), p_carried LONGTEXT
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
    DECLARE v_members LONGTEXT DEFAULT CONCAT(
        ',"task_id":', json_string(p_task_id), ',"activity_attempt_id":', json_string(p_activity_attempt_id),
        ',"outcome":"rejected","recorded":false'
    );
    DECLARE v_locked VARCHAR(255);
    DECLARE v_sequence BIGINT;
    DECLARE v_wakes BOOLEAN;
    DECLARE v_is_continued BOOLEAN DEFAULT FALSE;
    DECLARE v_outcome VARCHAR(64);
    DECLARE v_continuation, v_body, v_hints, v_hint LONGTEXT;
    DECLARE EXIT HANDLER FOR SQLEXCEPTION, 1265
    BEGIN
        ROLLBACK;
        RESIGNAL;
    END;

    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    START TRANSACTION;
    steps: BEGIN
        IF p_carried IS NOT NULL THEN
            SELECT w.worker_id INTO v_locked FROM worker_registrations AS w
            WHERE w.namespace = p_namespace AND w.worker_id = p_lease_owner
            LOCK IN SHARE MODE;
        END IF;
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
                v_run_id, v_subject, p_lease_owner, p_digest, 'conflicting_completion', v_members, v_outcome, v_body
            );
            IF v_outcome = 'completed' AND p_carried IS NOT NULL THEN
                CALL repeat_polls(v_run_id, p_namespace, p_lease_owner, p_carried, v_now, v_body);
            ELSEIF v_outcome IS NULL THEN
                CALL refuse_activity(
                    p_namespace, v_reason, v_run_id, p_task_id, p_activity_attempt_id, p_lease_owner, v_outcome, v_body
                );
            END IF;
            LEAVE steps;
        END IF;
        IF p_carried IS NOT NULL THEN
            CALL carried_refusal(p_namespace, p_lease_owner, v_members, v_outcome, v_body);
            IF v_outcome IS NOT NULL THEN
                LEAVE steps;
            END IF;
        END IF;

        UPDATE activities AS a
        SET a.status = 'completed', a.closed_at = v_now, a.lease_owner = NULL, a.lease_expires_at = NULL,
            a.started_at = NULL, a.timeout_at = NULL
        WHERE a.run_id = v_run_id AND a.position = v_position;
        SET v_continuation = JSON_EXTRACT(p_carried, '$.continuation');
        SET v_wakes = v_group_base IS NULL OR NOT group_has_open_leaf(v_run_id, v_group_base, v_group_size);
        CALL record_event(
            v_run_id, v_now, 'result', 'ActivityCompleted',
            activity_event(
                v_run_id, v_position, CONCAT(',"result":', COALESCE(p_result, 'null'), ',"payload_codec":"avro"')
            ),
            -- A continuation takes the place of the workflow task; without it, that is made after all. A result that is
            -- held wakes the run once it is taken.
            v_wakes AND (
                v_continuation IS NULL
                OR EXISTS (SELECT 1 FROM workflow_tasks AS t WHERE t.run_id = v_run_id AND t.status = 'leased')
            ),
            NULL, v_hints
        );
        SET v_wakes = v_wakes AND v_hints <> '';
        SET v_outcome = 'completed';
        SET v_body = CONCAT(
            '{"task_id":', json_string(p_task_id),
            ',"activity_attempt_id":', json_string(p_activity_attempt_id),
            ',"outcome":"completed","recorded":true}'
        );
        SET v_hints = CONCAT('[', v_hints, ']');
        IF p_carried IS NOT NULL THEN
            SELECT r.last_history_sequence INTO v_sequence FROM runs AS r WHERE r.run_id = v_run_id;
        END IF;
        IF v_continuation IS NOT NULL THEN
            CALL carry_continuation(
                v_run_id, p_namespace, p_lease_owner, v_continuation, v_wakes, v_now, v_sequence, v_is_continued,
                v_body, v_hints
            );
            IF v_wakes AND NOT v_is_continued THEN
                CALL wake_run(v_run_id, v_sequence, v_now, v_hint);
                SET v_hints = CONCAT(LEFT(v_hints, CHAR_LENGTH(v_hints) - 1), ',', v_hint, ']');
            END IF;
        END IF;
        CALL record_receipt(v_run_id, v_subject, p_lease_owner, p_digest, v_now, v_outcome, v_body);
        IF p_carried IS NOT NULL THEN
            CALL carry_polls(
                v_run_id, v_sequence, p_namespace, p_lease_owner, p_carried, v_is_continued, v_now, v_body, v_hints
            );
        END IF;
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
