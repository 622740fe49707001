-- Ends a workflow task whose worker had nothing to add: the run waits on, and what was held meanwhile wakes it.
--
-- p_run_id  the run, whose row the caller has locked, and whose task is leased.
-- p_now     the moment.
-- p_outcome, p_body, p_hints  outcome waiting_for_history.
-- Locks     the run's row (already held).
-- Writes    workflow_tasks, inbox, runs, history_events.
DELIMITER //

DROP PROCEDURE IF EXISTS acknowledge_workflow_task//

CREATE PROCEDURE acknowledge_workflow_task(
    p_run_id VARCHAR(36), p_now DATETIME(6), OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT, OUT p_hints LONGTEXT
)
MODIFIES SQL DATA
COMMENT 'Removes a workflow task whose worker waits for history, and wakes the run for what was held.'
BEGIN
    DECLARE v_task_number, v_claimed_sequence, v_sequence BIGINT;
    DECLARE v_wait_position INT;
    DECLARE v_wakes, v_has_signals, v_resolves_wait BOOLEAN;
    DECLARE v_hint LONGTEXT;

    SELECT t.task_number, t.claimed_sequence, r.last_history_sequence, r.open_wait_position
    INTO v_task_number, v_claimed_sequence, v_sequence, v_wait_position
    FROM workflow_tasks AS t
    INNER JOIN runs AS r ON t.run_id = r.run_id
    WHERE t.run_id = p_run_id;

    DELETE FROM workflow_tasks WHERE run_id = p_run_id;
    CALL take_held_events(p_run_id, v_sequence, p_now, v_wait_position, v_wakes, v_has_signals, v_resolves_wait);
    UPDATE runs AS r
    SET r.status = 'waiting', r.has_answered_task = TRUE, r.applied_through_sequence = v_claimed_sequence,
        r.open_wait_has_news = NOT v_resolves_wait AND r.open_wait_position IS NOT NULL
        AND (r.open_wait_has_news OR v_has_signals),
        r.open_wait_position = IF(v_resolves_wait, NULL, r.open_wait_position),
        r.open_wait_fields = IF(v_resolves_wait, NULL, r.open_wait_fields)
    WHERE r.run_id = p_run_id;

    SET p_hints = CONCAT('["run","', p_run_id, '"]');
    IF v_wakes THEN
        CALL wake_run(p_run_id, v_sequence, p_now, v_hint);
        SET p_hints = CONCAT(p_hints, ',', v_hint);
    END IF;
    SET p_hints = CONCAT('[', p_hints, ']');
    SET p_outcome = 'waiting_for_history';
    SET p_body = CONCAT(
        '{"task_id":"', p_run_id, ':k', v_task_number,
        '","outcome":"waiting_for_history","recorded":true,"run_status":"waiting"}'
    );
END//

DELIMITER ;
