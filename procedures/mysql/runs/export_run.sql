-- Reads all that is kept of a run, at one moment, for an archive or a replay elsewhere.
--
-- p_namespace    the namespace.
-- p_workflow_id  the workflow.
-- p_run_id       its run.
-- Outcomes       exported; history_export_too_large (more than 20,000 events, or than 8 MiB of them),
--                instance_not_found, run_not_found, namespace_not_found.
-- Locks          none. Writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS export_run//

CREATE PROCEDURE export_run(p_namespace VARCHAR(300), p_workflow_id VARCHAR(300), p_run_id VARCHAR(300))
READS SQL DATA
SQL SECURITY DEFINER
COMMENT 'All that is kept of a run, read at one moment.'
BEGIN
    DECLARE v_workflows INT;
    DECLARE v_sequence, v_size BIGINT;
    DECLARE v_members LONGTEXT DEFAULT CONCAT(
        ',"workflow_id":', json_string(p_workflow_id), ',"run_id":', json_string(p_run_id)
    );
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
        -- GROUP_CONCAT cuts what is longer.
        SET SESSION group_concat_max_len = 67108864;

        -- One statement, so that it sees the run and all that belongs to it at one moment.
        SELECT
            r.last_history_sequence,
            r.history_size_bytes,
            CONCAT(
                '{"exported_at":"', wire_time(current_instant()),
                '","workflow":{', run_summary(r.run_id),
                ',"is_terminal":', IF(r.closed_at IS NULL, 'false', 'true'),
                ',"closed_reason":', COALESCE(json_string(r.closed_reason), 'null'),
                ',"run_number":', r.run_number,
                ',"last_history_sequence":', r.last_history_sequence,
                ',"continued_from_run_id":', COALESCE(json_string(r.continued_from_run_id), 'null'),
                ',"continued_to_run_id":', COALESCE(json_string(r.continued_to_run_id), 'null'),
                ',"memo":', COALESCE(p.memo, '{}'),
                ',"search_attributes":', COALESCE(p.search_attributes, '{}'),
                '},"input":', COALESCE(p.input, 'null'),
                ',"output":', COALESCE(p.output, 'null'),
                ',"events":[', COALESCE(
                    (
                        SELECT GROUP_CONCAT(e.wire ORDER BY e.sequence SEPARATOR ',')
                        FROM history_events AS e
                        WHERE e.run_id = p_run_id AND r.last_history_sequence <= 20000
                            AND r.history_size_bytes <= 8388608
                    ), ''
                ),
                '],"tasks":[', COALESCE(open_task_summary(r.run_id), ''),
                '],"activities":[', COALESCE(
                    (
                        SELECT GROUP_CONCAT(
                            CONCAT(
                                '{"id":"', a.run_id, ':a', a.position,
                                '","sequence":', a.position,
                                ',"activity_type":', json_string(a.activity_type),
                                ',"queue":', json_string(a.task_queue),
                                ',"status":"', a.status,
                                '","attempt_count":', a.attempt_number,
                                ',"closed_at":', COALESCE(json_string(wire_time(a.closed_at)), 'null'), '}'
                            )
                            ORDER BY a.position SEPARATOR ','
                        )
                        FROM activities AS a WHERE a.run_id = p_run_id
                    ), ''
                ),
                '],"timers":[', COALESCE(
                    (
                        SELECT GROUP_CONCAT(
                            CONCAT(
                                '{"id":"', t.run_id, ':t', t.position,
                                '","sequence":', t.position,
                                ',"kind":"', t.kind,
                                '","fire_at":"', wire_time(t.fire_at), '"}'
                            )
                            ORDER BY t.position SEPARATOR ','
                        )
                        FROM timers AS t WHERE t.run_id = p_run_id
                    ), ''
                ),
                ']}'
            )
        INTO v_sequence, v_size, v_body
        FROM runs AS r
        LEFT JOIN run_payloads AS p ON r.run_id = p.run_id
        WHERE r.run_id = p_run_id AND r.namespace = p_namespace AND r.workflow_id = p_workflow_id;

        IF v_sequence IS NULL THEN
            SELECT COUNT(*) INTO v_workflows FROM workflows AS w
            WHERE w.namespace = p_namespace AND w.workflow_id = p_workflow_id;
            CALL refuse_missing(
                p_namespace,
                IF(v_workflows = 1, 'run_not_found', 'instance_not_found'),
                v_members, v_outcome, v_body
            );
        ELSEIF v_sequence > 20000 OR v_size > 8388608 THEN
            CALL refuse(
                'history_export_too_large',
                CONCAT(v_members, ',"last_history_sequence":', v_sequence, ',"history_size_bytes":', v_size),
                v_outcome, v_body
            );
        ELSE
            SET v_outcome = 'exported';
        END IF;
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
