-- What lists and descriptions say of a run alike.
--
-- p_run_id  the run.
-- Result    members of a JSON object, without its braces.
-- Locks     none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS run_summary//

CREATE FUNCTION run_summary(p_run_id VARCHAR(36))
RETURNS LONGTEXT
READS SQL DATA
COMMENT 'The members that every representation of a run has.'
BEGIN
    RETURN (
        SELECT CONCAT(
            '"workflow_id":', json_string(r.workflow_id),
            ',"run_id":"', r.run_id,
            '","namespace":', json_string(r.namespace),
            ',"workflow_type":', json_string(r.workflow_type),
            ',"business_key":', COALESCE(json_string(r.business_key), 'null'),
            ',"status":"', r.status,
            '","status_bucket":"', r.status_bucket,
            '","task_queue":', json_string(r.task_queue),
            ',"compatibility":', COALESCE(json_string(r.build_id), 'null'),
            ',"started_at":"', wire_time(r.started_at),
            '","closed_at":', COALESCE(json_string(wire_time(r.closed_at)), 'null')
        )
        FROM runs AS r WHERE r.run_id = p_run_id
    );
END//

DELIMITER ;
