-- The claim that a repeated poll was given before, while its lease lives. Its page holds no more than has been delivered,
-- so that nothing has to be noted again.
--
-- p_namespace, p_worker_id, p_poll_request_id, p_page_size  the poll.
-- p_takes_suffix     whether the worker knows history suffixes.
-- p_now              the moment.
-- p_outcome, p_body  the same task again, or null.
-- Locks              none. Writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS repeat_workflow_claim//

CREATE PROCEDURE repeat_workflow_claim(
    p_namespace VARCHAR(255), p_worker_id VARCHAR(255), p_poll_request_id VARCHAR(255), p_page_size INT,
    p_takes_suffix BOOLEAN, p_now DATETIME(6), OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT
)
READS SQL DATA
COMMENT 'The living claim of a poll that is repeated, or null.'
BEGIN
    DECLARE v_run_id VARCHAR(36);
    DECLARE v_after, v_claimed, v_delivered, v_last BIGINT;
    DECLARE v_events LONGTEXT;
    DECLARE v_token VARCHAR(64);

    SELECT t.run_id, t.after_sequence, t.claimed_sequence, t.delivered_sequence
    INTO v_run_id, v_after, v_claimed, v_delivered
    FROM workflow_tasks AS t
    WHERE t.namespace = p_namespace AND t.lease_owner = p_worker_id AND t.poll_request_id = p_poll_request_id
        AND t.lease_expires_at > p_now
    LIMIT 1;

    SET p_outcome = NULL;
    SET p_body = NULL;
    IF v_run_id IS NOT NULL THEN
        CALL history_page(
            v_run_id, v_after, v_claimed, LEAST(p_page_size, v_delivered - v_after), v_events, v_last, v_token
        );
        CALL leased_workflow_task(v_run_id, p_takes_suffix, v_events, v_token, p_outcome, p_body);
    END IF;
END//

DELIMITER ;
