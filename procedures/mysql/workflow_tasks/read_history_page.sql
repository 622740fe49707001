-- Reads a further page of the history of a claim. It ends where the claim found the history: an event that was
-- appended later is never delivered to it. What the page delivers raises the lease's delivered boundary.
--
-- p_namespace       the namespace.
-- p_task_id         the workflow task.
-- p_lease_owner     who calls.
-- p_attempt         the attempt that was claimed.
-- p_after_sequence  the page begins behind this sequence.
-- p_page_size       how many events at most.
-- Outcomes          page; the fence's refusals (workflow_task_refusal), namespace_not_found.
-- Locks             the run. Writes workflow_tasks, when the page goes beyond what had been delivered.
DELIMITER //

DROP PROCEDURE IF EXISTS read_history_page//

CREATE PROCEDURE read_history_page(
    p_namespace VARCHAR(300), p_task_id VARCHAR(300), p_lease_owner VARCHAR(300), p_attempt INT, p_after_sequence INT,
    p_page_size INT
)
MODIFIES SQL DATA
SQL SECURITY DEFINER
COMMENT 'A further page of a claim''s history, bounded where the claim found it.'
BEGIN
    DECLARE v_run_id VARCHAR(36);
    DECLARE v_claimed_sequence, v_last BIGINT;
    DECLARE v_reason VARCHAR(64);
    DECLARE v_events LONGTEXT;
    DECLARE v_token VARCHAR(64);
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

        SET v_reason = workflow_task_refusal(p_namespace, p_task_id, p_lease_owner, p_attempt, current_instant());
        IF v_reason IS NOT NULL THEN
            CALL refuse_workflow_task(p_namespace, v_reason, p_task_id, p_attempt, v_outcome, v_body);
            LEAVE steps;
        END IF;

        SELECT t.claimed_sequence INTO v_claimed_sequence FROM workflow_tasks AS t WHERE t.run_id = v_run_id;
        CALL history_page(
            v_run_id, p_after_sequence, v_claimed_sequence, p_page_size, v_events, v_last, v_token
        );
        CALL record_delivery(v_run_id, v_last);
        SET v_outcome = 'page';
        SET v_body = CONCAT(
            '{"task_id":', json_string(p_task_id),
            ',"workflow_task_attempt":', p_attempt,
            ',"history_events":[', COALESCE(v_events, ''),
            '],"next_history_page_token":', COALESCE(json_string(v_token), 'null'),
            ',"total_history_events":', v_claimed_sequence, '}'
        );
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
