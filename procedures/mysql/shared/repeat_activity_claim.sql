-- The claim that a repeated poll was given before, while its lease lives.
--
-- p_namespace, p_worker_id, p_poll_request_id  the poll.
-- p_now              the moment.
-- p_outcome, p_body  the same attempt again, or null.
-- Locks              none. Writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS repeat_activity_claim//

CREATE PROCEDURE repeat_activity_claim(
    p_namespace VARCHAR(255), p_worker_id VARCHAR(255), p_poll_request_id VARCHAR(255), p_now DATETIME(6),
    OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT
)
READS SQL DATA
COMMENT 'The living claim of a poll that is repeated, or null.'
BEGIN
    DECLARE v_run_id VARCHAR(36);
    DECLARE v_position INT;

    SELECT a.run_id, a.position INTO v_run_id, v_position FROM activities AS a
    WHERE a.namespace = p_namespace AND a.lease_owner = p_worker_id AND a.poll_request_id = p_poll_request_id
        AND a.lease_expires_at > p_now
    LIMIT 1;

    SET p_outcome = NULL;
    SET p_body = NULL;
    IF v_run_id IS NOT NULL THEN
        CALL leased_activity(v_run_id, v_position, p_outcome, p_body);
    END IF;
END//

DELIMITER ;
