-- Sends a signal to a run. It reaches workflow code at its next workflow task; until the first task has been
-- answered, and while one is leased, it is held.
--
-- p_namespace    the namespace.
-- p_workflow_id  the workflow.
-- p_run_id       one of its runs; null: the current one.
-- p_signal_name  the signal.
-- p_input        its arguments as a payload envelope, or null.
-- p_request_id   repeats of one request get one answer; null: not repeatable.
-- p_digest       digest of the request's body.
-- Outcomes       signal_received; instance_not_found, run_not_found, historical_run_command_rejected,
--                request_id_conflict, run_not_active, structural_limit_exceeded, namespace_not_found.
-- Locks          the run.
-- Writes         receipts; inbox, or runs, history_events, workflow_tasks.
DELIMITER //

DROP PROCEDURE IF EXISTS signal_run//

CREATE PROCEDURE signal_run(
    p_namespace VARCHAR(300), p_workflow_id VARCHAR(300), p_run_id VARCHAR(300), p_signal_name VARCHAR(300),
    p_input LONGTEXT, p_request_id VARCHAR(300), p_digest VARCHAR(64)
)
MODIFIES SQL DATA
SQL SECURITY DEFINER
COMMENT 'Records a signal for a run, at once or held, and wakes it.'
BEGIN
    DECLARE v_run_id, v_first_run_id VARCHAR(36);
    DECLARE v_type VARCHAR(255);
    DECLARE v_now DATETIME(6);
    DECLARE v_subject VARCHAR(300) DEFAULT CONCAT('signal:', p_request_id);
    DECLARE v_signal_id VARCHAR(80);
    DECLARE v_held INT;
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
        CALL lock_target_run(p_namespace, p_workflow_id, p_run_id, v_run_id);
        SET v_now = current_instant();

        SELECT r.first_run_id, r.workflow_type INTO v_first_run_id, v_type FROM runs AS r WHERE r.run_id = v_run_id;

        CALL repeated_answer(
            v_first_run_id, v_subject, p_signal_name, p_digest, 'request_id_conflict',
            CONCAT(',"workflow_id":', json_string(p_workflow_id), ',"request_id":', json_string(p_request_id)),
            v_outcome, v_body
        );
        IF v_outcome IS NULL THEN
            CALL target_refusal(v_run_id, p_namespace, p_workflow_id, p_run_id, v_outcome, v_body);
        END IF;
        IF v_outcome IS NOT NULL THEN
            LEAVE steps;
        END IF;

        SELECT COUNT(*) INTO v_held FROM inbox AS i WHERE i.run_id = v_run_id AND i.kind = 'signal';
        IF v_held >= 5000 THEN
            CALL refuse(
                'structural_limit_exceeded',
                CONCAT(
                    ',"workflow_id":', json_string(p_workflow_id),
                    ',"limit_kind":"pending_signal_count","current_value":', v_held, ',"configured_limit":5000'
                ),
                v_outcome, v_body
            );
            LEAVE steps;
        END IF;

        SET v_signal_id = CONCAT(v_run_id, ':s', LOWER(HEX(RANDOM_BYTES(16))));
        CALL record_event(
            v_run_id, v_now, 'signal', 'SignalReceived',
            CONCAT(
                '{"signal_id":"', v_signal_id,
                '","signal_name":', json_string(p_signal_name),
                json_member('arguments', p_input),
                IF(p_input IS NULL, '', ',"payload_codec":"avro"'), '}'
            ),
            TRUE, NULL, v_hints
        );

        SET v_outcome = 'signal_received';
        SET v_body = CONCAT(
            '{"workflow_id":', json_string(p_workflow_id),
            ',"run_id":"', v_run_id,
            '","workflow_type":', json_string(v_type),
            ',"signal_name":', json_string(p_signal_name),
            ',"signal_id":"', v_signal_id,
            '","outcome":"signal_received","command_status":"accepted","command_source":"control_plane","target_scope":"',
            IF(p_run_id IS NULL, 'instance', 'run'), '"',
            json_member('request_id', json_string(p_request_id)), '}'
        );
        SET v_hints = CONCAT('[', v_hints, ']');
        IF p_request_id IS NOT NULL THEN
            CALL record_receipt(v_first_run_id, v_subject, p_signal_name, p_digest, v_now, v_outcome, v_body);
        END IF;
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
