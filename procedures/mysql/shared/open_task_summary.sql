-- What a description says of a run's open workflow task.
--
-- p_run_id  the run.
-- Result    a JSON object, or null when the run has no open task.
-- Locks     none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS open_task_summary//

CREATE FUNCTION open_task_summary(p_run_id VARCHAR(36))
RETURNS LONGTEXT
READS SQL DATA
COMMENT 'An open workflow task for readers.'
BEGIN
    RETURN (
        SELECT CONCAT(
            '{"task_id":"', t.run_id, ':k', t.task_number,
            '","status":"', t.status,
            '","attempt":', t.attempt,
            ',"available_at":"', wire_time(t.available_at),
            '","lease_owner":', COALESCE(json_string(t.lease_owner), 'null'),
            ',"lease_expires_at":', COALESCE(json_string(wire_time(t.lease_expires_at)), 'null'),
            ',"failure_count":', t.failure_count,
            ',"last_failure":', COALESCE(t.last_failure, 'null'), '}'
        )
        FROM workflow_tasks AS t WHERE t.run_id = p_run_id
    );
END//

DELIMITER ;
