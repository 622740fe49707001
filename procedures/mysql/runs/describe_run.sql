-- Describes a run: its state, its input and output, and what may be done with it.
--
-- p_namespace    the namespace.
-- p_workflow_id  the workflow.
-- p_run_id       one of its runs; null: the current one.
-- Outcomes       described; instance_not_found, run_not_found, namespace_not_found.
-- Locks          none. Writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS describe_run//

CREATE PROCEDURE describe_run(p_namespace VARCHAR(300), p_workflow_id VARCHAR(300), p_run_id VARCHAR(300))
READS SQL DATA
SQL SECURITY DEFINER
COMMENT 'The state of a run, with its payloads.'
BEGIN
    DECLARE v_workflows INT;
    DECLARE v_outcome VARCHAR(64);
    DECLARE v_body, v_hints LONGTEXT;
    DECLARE EXIT HANDLER FOR SQLEXCEPTION, 1265
    BEGIN
        ROLLBACK;
        RESIGNAL;
    END;

    SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY;
    START TRANSACTION;
    steps: BEGIN
        -- One statement, so that it sees run, task and payloads at one moment.
        SELECT
            'described',
            CONCAT(
                '{', run_summary(r.run_id),
                ',"is_terminal":', IF(r.closed_at IS NULL, 'false', 'true'),
                ',"closed_reason":', COALESCE(json_string(r.closed_reason), 'null'),
                ',"run_number":', r.run_number,
                ',"run_count":', w.run_count,
                ',"is_current_run":', IF(r.run_id = w.current_run_id, 'true', 'false'),
                ',"priority":', r.priority,
                ',"payload_codec":"avro"',
                ',"execution_timeout_seconds":', COALESCE(r.execution_timeout_seconds, 'null'),
                ',"run_timeout_seconds":', COALESCE(r.run_timeout_seconds, 'null'),
                ',"execution_deadline_at":', COALESCE(json_string(wire_time(r.execution_deadline_at)), 'null'),
                ',"run_deadline_at":', COALESCE(json_string(wire_time(r.run_deadline_at)), 'null'),
                ',"last_progress_at":"', wire_time(r.last_progress_at),
                '","last_history_sequence":', r.last_history_sequence,
                ',"history_size_bytes":', r.history_size_bytes,
                ',"continued_from_run_id":', COALESCE(json_string(r.continued_from_run_id), 'null'),
                ',"continued_to_run_id":', COALESCE(json_string(r.continued_to_run_id), 'null'),
                ',"wait_kind":', CASE
                    WHEN r.closed_at IS NOT NULL THEN 'null'
                    WHEN t.status IS NOT NULL THEN '"workflow_task"'
                    WHEN r.open_wait_position IS NOT NULL THEN '"condition"'
                    ELSE '"operation"'
                END,
                ',"workflow_task":', COALESCE(open_task_summary(r.run_id), 'null'),
                ',"input_envelope":', COALESCE(p.input, 'null'),
                ',"output_envelope":', COALESCE(p.output, 'null'),
                ',"memo":', COALESCE(p.memo, '{}'),
                ',"search_attributes":', COALESCE(p.search_attributes, '{}'),
                REPLACE(
                    ',"actions":{"can_signal":?,"can_query":false,"can_update":false,"can_cancel":?,"can_terminate":?',
                    '?', IF(r.closed_at IS NULL AND r.run_id = w.current_run_id, 'true', 'false')
                ),
                ',"can_repair":false,"can_archive":false}}'
            )
        INTO v_outcome, v_body
        FROM workflows AS w
        INNER JOIN runs AS r ON r.run_id = COALESCE(p_run_id, w.current_run_id)
        LEFT JOIN run_payloads AS p ON r.run_id = p.run_id
        LEFT JOIN workflow_tasks AS t ON r.run_id = t.run_id
        WHERE w.namespace = p_namespace AND w.workflow_id = p_workflow_id
            AND r.namespace = p_namespace AND r.workflow_id = p_workflow_id;

        SELECT COUNT(*) INTO v_workflows FROM workflows AS w
        WHERE v_outcome IS NULL AND w.namespace = p_namespace AND w.workflow_id = p_workflow_id;
        IF v_workflows = 1 THEN
            CALL refuse(
                'run_not_found',
                CONCAT(',"workflow_id":', json_string(p_workflow_id), ',"run_id":', json_string(p_run_id)),
                v_outcome, v_body
            );
        ELSEIF v_outcome IS NULL THEN
            CALL refuse_missing(
                p_namespace, 'instance_not_found', CONCAT(',"workflow_id":', json_string(p_workflow_id)),
                v_outcome, v_body
            );
        END IF;
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
