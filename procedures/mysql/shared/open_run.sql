-- Makes a run with its first event and its first workflow task.
--
-- p_run_id .. p_run_deadline_at        the run's row, its history still empty.
-- p_input, p_memo, p_search_attributes  its payloads.
-- p_now       when it starts.
-- p_hints     the wake-up hints, as elements joined by commas.
-- Locks       none: nobody else knows the run yet.
-- Writes      runs, run_payloads, history_events, workflow_tasks.
DELIMITER //

DROP PROCEDURE IF EXISTS open_run//

CREATE PROCEDURE open_run(
    p_run_id VARCHAR(36), p_namespace VARCHAR(255), p_workflow_id VARCHAR(255), p_run_number INT,
    p_first_run_id VARCHAR(36), p_workflow_type VARCHAR(255), p_task_queue VARCHAR(255), p_build_id VARCHAR(255),
    p_priority SMALLINT,
    p_fairness_key VARCHAR(255), p_fairness_weight INT, p_business_key VARCHAR(255), p_continued_from_run_id VARCHAR(36),
    p_execution_timeout_seconds INT, p_run_timeout_seconds INT, p_execution_deadline_at DATETIME(6),
    p_run_deadline_at DATETIME(6), p_input LONGTEXT, p_memo LONGTEXT, p_search_attributes LONGTEXT, p_now DATETIME(6),
    OUT p_hints LONGTEXT
)
MODIFIES SQL DATA
COMMENT 'Inserts a run, its WorkflowStarted event and its first workflow task.'
BEGIN
    DECLARE v_started, v_hint LONGTEXT;
    DECLARE v_sequence BIGINT DEFAULT 0;

    INSERT INTO runs (
        run_id, namespace, workflow_id, run_number, first_run_id, workflow_type, task_queue, build_id, priority,
        fairness_key, fairness_weight, business_key, status, continued_from_run_id, execution_timeout_seconds,
        run_timeout_seconds, execution_deadline_at, run_deadline_at, started_at, last_progress_at
    ) VALUES (
        p_run_id, p_namespace, p_workflow_id, p_run_number, p_first_run_id, p_workflow_type, p_task_queue, p_build_id,
        p_priority, p_fairness_key, p_fairness_weight, p_business_key, 'pending', p_continued_from_run_id,
        p_execution_timeout_seconds, p_run_timeout_seconds, p_execution_deadline_at, p_run_deadline_at, p_now, p_now
    );
    INSERT INTO run_payloads (run_id, input, memo, search_attributes)
    VALUES (p_run_id, p_input, p_memo, p_search_attributes);

    SET v_started = CONCAT(
        '{"workflow_type":', json_string(p_workflow_type),
        ',"workflow_id":', json_string(p_workflow_id),
        ',"run_id":"', p_run_id,
        '","run_number":', p_run_number,
        ',"task_queue":', json_string(p_task_queue),
        ',"payload_codec":"avro"',
        json_member('build_id', json_string(p_build_id)),
        json_member('business_key', json_string(p_business_key)),
        json_member('memo', p_memo),
        json_member('search_attributes', p_search_attributes),
        json_member('execution_timeout_seconds', p_execution_timeout_seconds),
        json_member('run_timeout_seconds', p_run_timeout_seconds),
        json_member('execution_deadline_at', json_string(wire_time(p_execution_deadline_at))),
        json_member('run_deadline_at', json_string(wire_time(p_run_deadline_at))),
        json_member('continued_from_run_id', json_string(p_continued_from_run_id)),
        '}'
    );
    CALL append_history(p_run_id, v_sequence, p_now, 'WorkflowStarted', v_started);
    CALL wake_run(p_run_id, v_sequence, p_now, v_hint);
    SET p_hints = CONCAT('["run","', p_run_id, '"],', v_hint);
END//

DELIMITER ;
