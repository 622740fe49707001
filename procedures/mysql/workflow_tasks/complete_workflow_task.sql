-- Applies what workflow code decided: the events of its commands, in their order, then what was held meanwhile.
--
-- p_namespace    the namespace.
-- p_task_id      the workflow task.
-- p_lease_owner  who calls.
-- p_attempt      the attempt that was claimed.
-- p_commands     the commands (docs/commands.md), at most one terminal one, last.
-- p_digest       digest of the commands and of sticky_cache but for its totals, for repeats.
-- p_sticky       that the worker keeps the run in its cache: worker_id, workflow_id, run_id, build_id, ttl_seconds,
--                history_last_sequence?, hit, miss, eviction, forced_cold_replay; hold_seconds, protocol_version.
--                Null: it retains nothing.
-- p_carried      what the worker asks for next (see carry_polls), or null.
-- Outcomes       completed; the fence's refusals (workflow_task_refusal), conflicting_completion, that of what is carried
--                (carried_refusal), those of sticky_cache (sticky_refusal), invalid_commands, namespace_not_found.
-- Locks          when it carries something, the registration in share mode; the run; then its activities when it
--                closes; its workflow when it continues as new.
-- Writes         affinities, worker_liveness, runs, history_events, workflow_tasks, activities, timers, inbox,
--                run_payloads, receipts; when it continues as new also workflows and the new run; as carry_polls.
DELIMITER //

DROP PROCEDURE IF EXISTS complete_workflow_task//

CREATE PROCEDURE complete_workflow_task(
    p_namespace VARCHAR(300), p_task_id VARCHAR(300), p_lease_owner VARCHAR(300), p_attempt INT, p_commands LONGTEXT,
    p_digest VARCHAR(64), p_sticky LONGTEXT, p_carried LONGTEXT
)
MODIFIES SQL DATA
SQL SECURITY DEFINER
COMMENT 'Completes a workflow task with its commands, in one transaction with the history that they make.'
BEGIN
    DECLARE v_run_id VARCHAR(36);
    DECLARE v_now DATETIME(6);
    DECLARE v_reason VARCHAR(64);
    DECLARE v_subject VARCHAR(300) DEFAULT CONCAT(SUBSTRING(p_task_id, 38), '.', p_attempt);
    DECLARE v_members LONGTEXT DEFAULT CONCAT(
        ',"task_id":', json_string(p_task_id), ',"workflow_task_attempt":', p_attempt,
        ',"outcome":"rejected","recorded":false'
    );
    DECLARE v_locked VARCHAR(255);
    DECLARE v_sequence BIGINT;
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
        IF p_carried IS NOT NULL THEN
            SELECT w.worker_id INTO v_locked FROM worker_registrations AS w
            WHERE w.namespace = p_namespace AND w.worker_id = p_lease_owner
            LOCK IN SHARE MODE;
        END IF;
        SELECT r.run_id INTO v_run_id FROM runs AS r
        WHERE r.run_id = SUBSTRING_INDEX(p_task_id, ':k', 1) AND r.namespace = p_namespace
        FOR UPDATE;
        SET v_now = current_instant();

        SET v_reason = workflow_task_refusal(p_namespace, p_task_id, p_lease_owner, p_attempt, v_now);
        IF v_reason IS NOT NULL THEN
            -- Whoever holds the lease has not answered yet, so a receipt can only be there for another.
            CALL repeated_answer(
                v_run_id, v_subject, p_lease_owner, p_digest, 'conflicting_completion', v_members, v_outcome, v_body
            );
            IF v_outcome = 'completed' AND p_carried IS NOT NULL THEN
                CALL repeat_polls(v_run_id, p_namespace, p_lease_owner, p_carried, v_now, v_body);
            ELSEIF v_outcome IS NULL THEN
                CALL refuse_workflow_task(p_namespace, v_reason, p_task_id, p_attempt, v_outcome, v_body);
            END IF;
            LEAVE steps;
        END IF;
        IF p_carried IS NOT NULL THEN
            CALL carried_refusal(p_namespace, p_lease_owner, v_members, v_outcome, v_body);
            IF v_outcome IS NOT NULL THEN
                LEAVE steps;
            END IF;
        END IF;

        CALL answer_workflow_task(v_run_id, p_commands, p_sticky, v_now, v_outcome, v_body, v_hints);
        IF v_outcome <> 'completed' THEN
            LEAVE steps;
        END IF;
        CALL record_receipt(v_run_id, v_subject, p_lease_owner, p_digest, v_now, v_outcome, v_body);
        IF p_sticky IS NOT NULL THEN
            CALL record_sticky_metrics(p_namespace, p_lease_owner, p_sticky);
        END IF;
        IF p_carried IS NOT NULL THEN
            SELECT r.last_history_sequence INTO v_sequence FROM runs AS r WHERE r.run_id = v_run_id;
            CALL carry_polls(
                v_run_id, v_sequence, p_namespace, p_lease_owner, p_carried, FALSE, v_now, v_body, v_hints
            );
        END IF;
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
