-- What a worker is told of a workflow task that it holds, with the first page of history.
--
-- p_run_id           the run, whose task is leased.
-- p_page_size        how many events the page holds at most.
-- p_outcome, p_body  the answer of a poll. History ends where the claim found it.
-- Locks              none. Writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS leased_workflow_task//

CREATE PROCEDURE leased_workflow_task(
    p_run_id VARCHAR(36), p_page_size INT, OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT
)
READS SQL DATA
COMMENT 'A leased workflow task in wire form, with its first page of history.'
BEGIN
    DECLARE v_events LONGTEXT;
    DECLARE v_last, v_claimed_sequence BIGINT;
    DECLARE v_token VARCHAR(64);

    SELECT t.claimed_sequence INTO v_claimed_sequence FROM workflow_tasks AS t WHERE t.run_id = p_run_id;
    CALL history_page(p_run_id, 0, v_claimed_sequence, p_page_size, v_events, v_last, v_token);

    SET p_outcome = 'leased';
    SELECT CONCAT(
        '{"task":{"task_id":"', r.run_id, ':k', t.task_number,
        '","task_kind":"workflow","namespace":', json_string(r.namespace),
        ',"workflow_id":', json_string(r.workflow_id),
        ',"run_id":"', r.run_id,
        '","workflow_type":', json_string(r.workflow_type),
        ',"task_queue":', json_string(r.task_queue),
        ',"payload_codec":"avro","arguments":', COALESCE(p.input, 'null'),
        ',"workflow_task_attempt":', t.attempt,
        ',"lease_owner":', json_string(t.lease_owner),
        ',"lease_expires_at":"', wire_time(t.lease_expires_at),
        '","run_status":"', r.status,
        '","cancel_requested":false,"history_size_bytes":', r.history_size_bytes,
        ',"last_history_sequence":', t.claimed_sequence,
        ',"total_history_events":', t.claimed_sequence,
        ',"history_events":[', COALESCE(v_events, ''),
        '],"next_history_page_token":', COALESCE(json_string(v_token), 'null'),
        '},"poll_status":"leased"}'
    )
    INTO p_body
    FROM runs AS r
    INNER JOIN workflow_tasks AS t ON r.run_id = t.run_id
    INNER JOIN run_payloads AS p ON r.run_id = p.run_id
    WHERE r.run_id = p_run_id;
END//

DELIMITER ;
