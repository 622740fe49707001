-- What a worker is told of a workflow task that it holds, with the first page of history.
--
-- p_run_id           the run, whose task is leased.
-- p_takes_suffix     whether the worker knows history suffixes: it is told where its history begins and ends.
-- p_events           the first page: its events joined by commas, null when there are none.
-- p_token            what fetches the next page, or null.
-- p_outcome, p_body  the answer of a poll. History ends where the claim found it.
-- Locks              none. Writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS leased_workflow_task//

CREATE PROCEDURE leased_workflow_task(
    p_run_id VARCHAR(36), p_takes_suffix BOOLEAN, p_events LONGTEXT, p_token VARCHAR(64),
    OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT
)
READS SQL DATA
COMMENT 'A leased workflow task in wire form, with its first page of history.'
BEGIN
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
        '","sticky_replay_mode":"', t.sticky_replay_mode,
        '","run_status":"', r.status,
        '","cancel_requested":false,"history_size_bytes":', r.history_size_bytes,
        ',"last_history_sequence":', t.claimed_sequence,
        ',"total_history_events":', t.claimed_sequence,
        IF(
            p_takes_suffix,
            CONCAT(
                ',"history_after_sequence":', t.after_sequence, ',"history_last_sequence":', t.claimed_sequence
            ),
            ''
        ),
        ',"history_events":[', COALESCE(p_events, ''),
        '],"next_history_page_token":', COALESCE(json_string(p_token), 'null'),
        '},"poll_status":"leased"}'
    )
    INTO p_body
    FROM runs AS r
    INNER JOIN workflow_tasks AS t ON r.run_id = t.run_id
    INNER JOIN run_payloads AS p ON r.run_id = p.run_id
    WHERE r.run_id = p_run_id;
END//

DELIMITER ;
