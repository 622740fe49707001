-- The claim that a repeated poll was given before, while its lease lives.
--
-- p_namespace, p_worker_id, p_poll_request_id, p_page_size  the poll.
-- p_now              the moment.
-- p_outcome, p_body  the same task again, or null.
-- Locks              none. Writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS repeat_workflow_claim//

CREATE PROCEDURE repeat_workflow_claim(
    p_namespace VARCHAR(255), p_worker_id VARCHAR(255), p_poll_request_id VARCHAR(255), p_page_size INT,
    p_now DATETIME(6), OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT
)
READS SQL DATA
COMMENT 'The living claim of a poll that is repeated, or null.'
BEGIN
    DECLARE v_run_id VARCHAR(36);

    SELECT t.run_id INTO v_run_id FROM workflow_tasks AS t
    WHERE t.namespace = p_namespace AND t.lease_owner = p_worker_id AND t.poll_request_id = p_poll_request_id
        AND t.lease_expires_at > p_now
    LIMIT 1;

    SET p_outcome = NULL;
    SET p_body = NULL;
    IF v_run_id IS NOT NULL THEN
        CALL leased_workflow_task(v_run_id, p_page_size, p_outcome, p_body);
    END IF;
END//

DELIMITER ;
