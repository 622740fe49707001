-- Ends a workflow task whose last command closes the run: completed, failed, or continued as a new run.
--
-- p_run_id    the run as its commands left it; its row the caller has locked, and its task is leased.
-- p_sequence  the run's last history sequence.
-- p_terminal  complete_workflow, fail_workflow or continue_as_new.
-- p_now       the moment.
-- p_outcome, p_body, p_hints  outcome completed.
-- Locks       the run's row (already held), its activities; its workflow when it continues as new.
-- Writes      through close_run and continue_run; run_payloads.
DELIMITER //

DROP PROCEDURE IF EXISTS finish_run//

CREATE PROCEDURE finish_run(
    p_run_id VARCHAR(36), p_sequence BIGINT, p_terminal LONGTEXT, p_now DATETIME(6),
    OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT, OUT p_hints LONGTEXT
)
MODIFIES SQL DATA
COMMENT 'Completes a workflow task that closes its run.'
BEGIN
    DECLARE v_task_number BIGINT DEFAULT (SELECT t.task_number FROM workflow_tasks AS t WHERE t.run_id = p_run_id);
    DECLARE v_type VARCHAR(64) DEFAULT JSON_UNQUOTE(JSON_EXTRACT(p_terminal, '$.type'));
    DECLARE v_fields LONGTEXT DEFAULT JSON_UNQUOTE(JSON_EXTRACT(p_terminal, '$.fields'));
    DECLARE v_output LONGTEXT DEFAULT JSON_UNQUOTE(JSON_EXTRACT(p_terminal, '$.output'));
    DECLARE v_status VARCHAR(16) DEFAULT 'completed';
    DECLARE v_hints LONGTEXT;

    CASE v_type
        WHEN 'complete_workflow' THEN
            UPDATE run_payloads AS p SET p.output = v_output WHERE p.run_id = p_run_id;
            CALL close_run(
                p_run_id, p_sequence, p_now, 'completed', 'completed', 'WorkflowCompleted', v_fields, TRUE
            );
        WHEN 'fail_workflow' THEN
            SET v_status = 'failed';
            CALL close_run(p_run_id, p_sequence, p_now, 'failed', 'failed', 'WorkflowFailed', v_fields, TRUE);
        WHEN 'continue_as_new' THEN
            CALL continue_run(p_run_id, p_sequence, p_terminal, p_now, v_hints);
    END CASE;

    SET p_outcome = 'completed';
    SET p_body = CONCAT(
        '{"task_id":"', p_run_id, ':k', v_task_number,
        '","outcome":"completed","recorded":true,"run_status":"', v_status, '"}'
    );
    SET p_hints = CONCAT('[', CONCAT_WS(',', CONCAT('["run","', p_run_id, '"]'), v_hints), ']');
END//

DELIMITER ;
