-- What a start gets when its workflow id is taken.
--
-- p_namespace, p_workflow_id  the workflow, which exists.
-- p_workflow_type     the type that was to be started.
-- p_duplicate_policy  fail or use-existing.
-- p_request_id        the request, or null.
-- p_digest            digest of its body.
-- p_outcome, p_body   started_new again for a repeated request; returned_existing_active;
--                     instance_already_started, workflow_type_mismatch, request_id_conflict.
-- Locks               none of its own. Writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS answer_existing_workflow//

CREATE PROCEDURE answer_existing_workflow(
    p_namespace VARCHAR(255), p_workflow_id VARCHAR(255), p_workflow_type VARCHAR(255), p_duplicate_policy VARCHAR(16),
    p_request_id VARCHAR(255), p_digest VARCHAR(64), OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT
)
READS SQL DATA
COMMENT 'Answers a start whose workflow id is taken, by duplicate policy and request id.'
BEGIN
    DECLARE v_first_type, v_request_id, v_type VARCHAR(255);
    DECLARE v_digest VARCHAR(64);
    DECLARE v_first_run_id, v_run_id VARCHAR(36);
    DECLARE v_status VARCHAR(16);
    DECLARE v_closed_at DATETIME(6);
    DECLARE v_members LONGTEXT DEFAULT CONCAT(
        ',"workflow_id":', json_string(p_workflow_id),
        ',"command_status":"rejected","command_source":"control_plane"'
    );

    SELECT
        w.workflow_type, w.start_request_id, w.start_digest, w.first_run_id,
        r.run_id, r.workflow_type, r.status, r.closed_at
    INTO v_first_type, v_request_id, v_digest, v_first_run_id, v_run_id, v_type, v_status, v_closed_at
    FROM workflows AS w
    INNER JOIN runs AS r ON w.current_run_id = r.run_id
    WHERE w.namespace = p_namespace AND w.workflow_id = p_workflow_id;

    SET p_outcome = NULL;
    IF v_request_id = p_request_id AND v_digest <> p_digest THEN
        SET v_members = CONCAT(v_members, ',"request_id":', json_string(p_request_id));
        CALL refuse('request_id_conflict', v_members, p_outcome, p_body);
    ELSEIF v_request_id = p_request_id THEN
        SET p_outcome = 'started_new';
        SET p_body = CONCAT(
            started_body(p_namespace, p_workflow_id, v_first_run_id, v_first_type, 'pending', 'started_new'),
            ',"retained":true}'
        );
    END IF;

    IF p_outcome IS NULL THEN
        SET v_members = CONCAT(v_members, ',"run_id":"', v_run_id, '","outcome":"rejected_duplicate"');
        IF p_duplicate_policy = 'fail' OR v_closed_at IS NOT NULL THEN
            CALL refuse('instance_already_started', v_members, p_outcome, p_body);
        ELSEIF v_type <> p_workflow_type THEN
            CALL refuse('workflow_type_mismatch', v_members, p_outcome, p_body);
        ELSE
            SET p_outcome = 'returned_existing_active';
            SET p_body = CONCAT(
                started_body(p_namespace, p_workflow_id, v_run_id, v_type, v_status, 'returned_existing_active'), '}'
            );
        END IF;
    END IF;
END//

DELIMITER ;
