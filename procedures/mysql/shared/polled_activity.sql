-- The activity of a run that a poll was given, while its lease lives.
--
-- p_namespace, p_worker_id, p_poll_request_id  the poll.
-- p_run_id  the run.
-- p_now     the moment.
-- Result    the activity's position, or null.
-- Locks     none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS polled_activity//

CREATE FUNCTION polled_activity(
    p_namespace VARCHAR(255), p_worker_id VARCHAR(255), p_poll_request_id VARCHAR(255), p_run_id VARCHAR(36),
    p_now DATETIME(6)
)
RETURNS INT
READS SQL DATA
COMMENT 'The activity of a run that a poll was given, or null.'
BEGIN
    DECLARE v_position INT;

    -- By the poll and not by the run, which may have many activities.
    SELECT a.position INTO v_position FROM activities AS a FORCE INDEX (activities_poll)
    WHERE a.namespace = p_namespace AND a.lease_owner = p_worker_id AND a.poll_request_id = p_poll_request_id
        AND a.lease_expires_at > p_now AND a.run_id = p_run_id
    LIMIT 1;
    RETURN v_position;
END//

DELIMITER ;
