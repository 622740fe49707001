-- Closes a run on a client's word: what cancel_run and terminate_run have in common.
--
-- p_namespace .. p_digest  as of those two.
-- p_status      cancelled or terminated.
-- p_command     cancel or terminate.
-- p_requested   CancelRequested or TerminateRequested.
-- p_terminal    WorkflowCancelled or WorkflowTerminated.
-- p_outcome, p_body, p_hints  p_status; target_refusal's refusals, request_id_conflict.
-- Locks         the run, then its activities.
-- Writes        through close_run; receipts.
DELIMITER //

DROP PROCEDURE IF EXISTS stop_run//

CREATE PROCEDURE stop_run(
    p_namespace VARCHAR(255), p_workflow_id VARCHAR(255), p_run_id VARCHAR(255), p_reason LONGTEXT,
    p_request_id VARCHAR(255), p_digest VARCHAR(64), p_status VARCHAR(16), p_command VARCHAR(16),
    p_requested VARCHAR(64), p_terminal VARCHAR(64),
    OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT, OUT p_hints LONGTEXT
)
MODIFIES SQL DATA
COMMENT 'Cancels or terminates a run: the common body of cancel_run and terminate_run.'
steps: BEGIN
    DECLARE v_run_id, v_first_run_id VARCHAR(36);
    DECLARE v_type VARCHAR(255);
    DECLARE v_sequence BIGINT;
    DECLARE v_now DATETIME(6);
    DECLARE v_subject VARCHAR(300) DEFAULT CONCAT(p_command, ':', p_request_id);
    DECLARE v_payload LONGTEXT;

    SET p_hints = NULL;
    CALL lock_target_run(p_namespace, p_workflow_id, p_run_id, v_run_id);
    SET v_now = current_instant();
    SELECT r.first_run_id, r.workflow_type, r.last_history_sequence INTO v_first_run_id, v_type, v_sequence
    FROM runs AS r WHERE r.run_id = v_run_id;

    CALL repeated_answer(
        v_first_run_id, v_subject, p_command, p_digest, 'request_id_conflict',
        CONCAT(',"workflow_id":', json_string(p_workflow_id), ',"request_id":', json_string(p_request_id)),
        p_outcome, p_body
    );
    IF p_outcome IS NULL THEN
        CALL target_refusal(v_run_id, p_namespace, p_workflow_id, p_run_id, p_outcome, p_body);
    END IF;
    IF p_outcome IS NOT NULL THEN
        LEAVE steps;
    END IF;

    SET v_payload = CONCAT('{"closed_reason":"', p_status, '"', json_member('reason', json_string(p_reason)), '}');
    CALL append_history(v_run_id, v_sequence, v_now, p_requested, v_payload);
    CALL close_run(v_run_id, v_sequence, v_now, p_status, p_status, p_terminal, v_payload, FALSE);

    SET p_outcome = p_status;
    SET p_body = CONCAT(
        '{"workflow_id":', json_string(p_workflow_id),
        ',"run_id":"', v_run_id,
        '","workflow_type":', json_string(v_type),
        ',"outcome":"', p_status,
        '","command_status":"accepted","command_source":"control_plane","target_scope":"',
        IF(p_run_id IS NULL, 'instance', 'run'), '"',
        json_member('request_id', json_string(p_request_id)), '}'
    );
    SET p_hints = CONCAT('[["run","', v_run_id, '"]]');
    IF p_request_id IS NOT NULL THEN
        CALL record_receipt(v_first_run_id, v_subject, p_command, p_digest, v_now, p_outcome, p_body);
    END IF;
END//

DELIMITER ;
