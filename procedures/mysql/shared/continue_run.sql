-- Continues a workflow as a new run: the old one closes, the new one starts with fresh history, and signals that
-- the old one never saw wait for it.
--
-- p_run_id    the run as its commands left it; its row the caller has locked.
-- p_sequence  the run's last history sequence.
-- p_command   continue_as_new.
-- p_now       the moment.
-- p_hints     the wake-up hints of the new run, as elements joined by commas.
-- Locks       the run's row (already held), its activities, its workflow.
-- Writes      through close_run and open_run; workflows, inbox, runs.
DELIMITER //

DROP PROCEDURE IF EXISTS continue_run//

CREATE PROCEDURE continue_run(
    p_run_id VARCHAR(36), p_sequence BIGINT, p_command LONGTEXT, p_now DATETIME(6), OUT p_hints LONGTEXT
)
MODIFIES SQL DATA
COMMENT 'Closes a run and opens its successor with the same workflow id.'
BEGIN
    DECLARE v_new_run_id VARCHAR(36) DEFAULT new_run_id(p_now);
    DECLARE v_first_run_id VARCHAR(36);
    DECLARE v_namespace, v_workflow_id, v_old_type, v_type, v_task_queue VARCHAR(255);
    DECLARE v_build_id, v_fairness_key, v_business_key VARCHAR(255);
    DECLARE v_number, v_priority, v_fairness_weight, v_execution_timeout, v_run_timeout INT;
    DECLARE v_execution_deadline_at DATETIME(6);
    DECLARE v_input, v_memo, v_search_attributes LONGTEXT;

    SELECT
        r.namespace, r.workflow_id, r.run_number + 1, r.first_run_id, r.workflow_type, r.build_id, r.priority, r.fairness_key,
        r.fairness_weight, r.business_key, r.execution_timeout_seconds, r.run_timeout_seconds,
        r.execution_deadline_at, p.memo, p.search_attributes
    INTO
        v_namespace, v_workflow_id, v_number, v_first_run_id, v_old_type, v_build_id, v_priority, v_fairness_key,
        v_fairness_weight, v_business_key, v_execution_timeout, v_run_timeout,
        v_execution_deadline_at, v_memo, v_search_attributes
    FROM runs AS r
    INNER JOIN run_payloads AS p ON r.run_id = p.run_id
    WHERE r.run_id = p_run_id;
    SELECT COALESCE(c.workflow_type, v_old_type), c.task_queue, c.input INTO v_type, v_task_queue, v_input
    FROM JSON_TABLE(
        p_command, '$' COLUMNS (
            workflow_type VARCHAR(255) PATH '$.workflow_type',
            task_queue VARCHAR(255) PATH '$.task_queue',
            input LONGTEXT PATH '$.input'
        )
    ) AS c;

    UPDATE inbox AS i SET i.run_id = v_new_run_id
    WHERE i.run_id = p_run_id AND i.kind = 'signal';
    CALL close_run(
        p_run_id, p_sequence, p_now, 'completed', 'continued', 'WorkflowContinuedAsNew',
        CONCAT('{"continued_to_run_id":"', v_new_run_id, '","continued_to_run_number":', v_number, '}'),
        TRUE
    );

    CALL open_run(
        v_new_run_id, v_namespace, v_workflow_id, v_number, v_first_run_id, v_type, v_task_queue, v_build_id,
        v_priority, v_fairness_key, v_fairness_weight, v_business_key, p_run_id, v_execution_timeout, v_run_timeout,
        v_execution_deadline_at, p_now + INTERVAL v_run_timeout SECOND, v_input, v_memo, v_search_attributes,
        p_now, p_hints
    );
    UPDATE runs AS r SET r.continued_to_run_id = v_new_run_id WHERE r.run_id = p_run_id;
    UPDATE workflows AS w
    SET w.current_run_id = v_new_run_id, w.run_count = v_number
    WHERE w.namespace = v_namespace AND w.workflow_id = v_workflow_id;
END//

DELIMITER ;
