-- Why a client's command may not act on the run that it means.
--
-- p_locked_run_id    the run, or null.
-- p_namespace        the namespace of the command.
-- p_workflow_id      its workflow.
-- p_run_id           the run the client named; null: the current one.
-- p_outcome, p_body  instance_not_found, run_not_found, namespace_not_found, historical_run_command_rejected or
--                    run_not_active; null when it may.
-- Locks              none. Writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS target_refusal//

CREATE PROCEDURE target_refusal(
    p_locked_run_id VARCHAR(36), p_namespace VARCHAR(255), p_workflow_id VARCHAR(255), p_run_id VARCHAR(255),
    OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT
)
READS SQL DATA
COMMENT 'The refusal of a command on a run that is missing, not current, or closed; or null.'
BEGIN
    DECLARE v_continued_to VARCHAR(36);
    DECLARE v_status VARCHAR(16);
    DECLARE v_closed_at DATETIME(6);
    DECLARE v_workflows INT;
    DECLARE v_members LONGTEXT DEFAULT CONCAT(
        ',"workflow_id":', json_string(p_workflow_id),
        json_member('run_id', json_string(COALESCE(p_run_id, p_locked_run_id))),
        ',"command_status":"rejected","command_source":"control_plane","target_scope":"',
        IF(p_run_id IS NULL, 'instance', 'run'), '"'
    );

    SELECT r.continued_to_run_id, r.status, r.closed_at INTO v_continued_to, v_status, v_closed_at
    FROM runs AS r WHERE r.run_id = p_locked_run_id;
    SELECT COUNT(*) INTO v_workflows FROM workflows AS w
    WHERE p_locked_run_id IS NULL AND w.namespace = p_namespace AND w.workflow_id = p_workflow_id;

    SET p_outcome = NULL;
    SET p_body = NULL;
    IF v_workflows = 1 THEN
        CALL refuse('run_not_found', v_members, p_outcome, p_body);
    ELSEIF p_locked_run_id IS NULL THEN
        CALL refuse_missing(p_namespace, 'instance_not_found', v_members, p_outcome, p_body);
    ELSEIF v_continued_to IS NOT NULL THEN
        CALL refuse(
            'historical_run_command_rejected', CONCAT(v_members, ',"outcome":"rejected_not_current"'),
            p_outcome, p_body
        );
    ELSEIF v_closed_at IS NOT NULL THEN
        CALL refuse(
            'run_not_active',
            CONCAT(
                v_members, ',"run_status":"', v_status,
                '","is_terminal":true,"outcome":"rejected_not_active","rejection_reason":"run_not_active"'
            ),
            p_outcome, p_body
        );
    END IF;
END//

DELIMITER ;
