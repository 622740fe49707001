-- What a worker is told of an activity attempt that it holds.
--
-- p_run_id, p_position  the running activity.
-- p_outcome, p_body     the answer of a poll.
-- Locks                 none. Writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS leased_activity//

CREATE PROCEDURE leased_activity(
    p_run_id VARCHAR(36), p_position INT, OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT
)
READS SQL DATA
COMMENT 'A running activity attempt in wire form.'
BEGIN
    DECLARE v_id VARCHAR(64) DEFAULT CONCAT(p_run_id, ':a', p_position);

    SET p_outcome = 'leased';
    SELECT CONCAT(
        '{"task":{"task_id":"', v_id,
        '","namespace":', json_string(r.namespace),
        ',"workflow_id":', json_string(r.workflow_id),
        ',"run_id":"', r.run_id,
        '","workflow_type":', json_string(r.workflow_type),
        ',"activity_execution_id":"', v_id,
        '","activity_attempt_id":"', v_id, '.', a.attempt_number,
        '","attempt_number":', a.attempt_number,
        ',"activity_type":', json_string(a.activity_type),
        ',"payload_codec":"avro","arguments":', COALESCE(a.arguments, 'null'),
        json_member('retry_policy', a.retry_policy),
        ',"task_queue":', json_string(a.task_queue),
        ',"lease_owner":', json_string(a.lease_owner),
        ',"lease_expires_at":"', wire_time(a.lease_expires_at),
        '","deadlines":{', SUBSTRING(
            CONCAT(
                json_member('start_to_close', json_string(wire_time(
                    a.started_at + INTERVAL a.start_to_close_timeout SECOND
                ))),
                json_member('schedule_to_close', json_string(wire_time(a.schedule_to_close_deadline_at))),
                json_member('heartbeat', json_string(wire_time(
                    COALESCE(a.last_heartbeat_at, a.started_at) + INTERVAL a.heartbeat_timeout SECOND
                ))),
                json_member('run', json_string(wire_time(r.run_deadline_at))),
                json_member('execution', json_string(wire_time(r.execution_deadline_at)))
            ),
            2
        ),
        '}},"poll_status":"leased"}'
    )
    INTO p_body
    FROM activities AS a
    INNER JOIN runs AS r ON a.run_id = r.run_id
    WHERE a.run_id = p_run_id AND a.position = p_position;
END//

DELIMITER ;
