-- What a start answers of a run, its closing brace left to the caller.
--
-- p_namespace, p_workflow_id, p_run_id, p_workflow_type, p_status  the run.
-- p_outcome   started_new or returned_existing_active.
-- Result      a JSON object without its closing brace.
-- Locks       none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS started_body//

CREATE FUNCTION started_body(
    p_namespace VARCHAR(255), p_workflow_id VARCHAR(255), p_run_id VARCHAR(36), p_workflow_type VARCHAR(255),
    p_status VARCHAR(16), p_outcome VARCHAR(64)
)
RETURNS LONGTEXT
DETERMINISTIC NO SQL
COMMENT 'The body of a successful start.'
BEGIN
    RETURN CONCAT(
        '{"workflow_id":', json_string(p_workflow_id),
        ',"run_id":"', p_run_id,
        '","workflow_type":', json_string(p_workflow_type),
        ',"namespace":', json_string(p_namespace),
        ',"status":"', p_status,
        '","payload_codec":"avro","outcome":"', p_outcome,
        '","command_status":"accepted","command_source":"control_plane"'
    );
END//

DELIMITER ;
