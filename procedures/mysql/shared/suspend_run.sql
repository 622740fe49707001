-- Ends a workflow task whose commands leave the run open: it waits for what comes, and what was held meanwhile
-- has come already.
--
-- p_run_id    the run as its commands left it; its row the caller has locked, and its task is leased.
-- p_sequence  the run's last history sequence.
-- p_now       the moment.
-- p_commands_hints  wake-up hints of the commands, joined by commas.
-- p_wakes     whether a command needs a further workflow task at once.
-- p_outcome, p_body, p_hints  outcome completed.
-- Locks       the run's row (already held).
-- Writes      inbox, runs, history_events, workflow_tasks.
DELIMITER //

DROP PROCEDURE IF EXISTS suspend_run//

CREATE PROCEDURE suspend_run(
    p_run_id VARCHAR(36), p_sequence BIGINT, p_now DATETIME(6), p_commands_hints LONGTEXT, p_wakes BOOLEAN,
    OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT, OUT p_hints LONGTEXT
)
MODIFIES SQL DATA
COMMENT 'Completes a workflow task that leaves its run open.'
BEGIN
    DECLARE v_task_number BIGINT;
    DECLARE v_wait_position INT;
    DECLARE v_held_wakes, v_has_signals, v_resolves_wait BOOLEAN;
    DECLARE v_hint LONGTEXT;

    SELECT t.task_number, r.open_wait_position INTO v_task_number, v_wait_position
    FROM workflow_tasks AS t
    INNER JOIN runs AS r ON t.run_id = r.run_id
    WHERE t.run_id = p_run_id;

    DELETE FROM workflow_tasks WHERE run_id = p_run_id;
    CALL take_held_events(
        p_run_id, p_sequence, p_now, v_wait_position, v_held_wakes, v_has_signals, v_resolves_wait
    );
    UPDATE runs AS r
    SET r.status = 'waiting', r.has_answered_task = TRUE,
        r.open_wait_has_news = NOT v_resolves_wait AND r.open_wait_position IS NOT NULL
        AND (r.open_wait_has_news OR v_has_signals),
        r.open_wait_position = IF(v_resolves_wait, NULL, r.open_wait_position),
        r.open_wait_fields = IF(v_resolves_wait, NULL, r.open_wait_fields)
    WHERE r.run_id = p_run_id;
    IF p_wakes OR v_held_wakes THEN
        CALL wake_run(p_run_id, p_sequence, p_now, v_hint);
    END IF;

    SET p_outcome = 'completed';
    SET p_body = CONCAT(
        '{"task_id":"', p_run_id, ':k', v_task_number,
        '","outcome":"completed","recorded":true,"run_status":"waiting"}'
    );
    SET p_hints = CONCAT('[', CONCAT_WS(',', p_commands_hints, v_hint), ']');
END//

DELIMITER ;
