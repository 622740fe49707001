-- Ends the lease of an activity attempt that was not answered: the activity is pending again. The attempt stays
-- counted, so that its holder, if it still lives, is fenced off.
--
-- p_run_id, p_position  the running activity, whose row the caller has locked.
-- p_now       when the lease ends.
-- Locks       the activity (already held).
-- Writes      activities.
DELIMITER //

DROP PROCEDURE IF EXISTS end_activity_lease//

CREATE PROCEDURE end_activity_lease(p_run_id VARCHAR(36), p_position INT, p_now DATETIME(6))
MODIFIES SQL DATA
COMMENT 'Makes a running activity pending again.'
BEGIN
    UPDATE activities AS a
    SET a.status = 'pending', a.available_at = p_now, a.lease_owner = NULL, a.lease_expires_at = NULL,
        a.registration_token = NULL, a.poll_request_id = NULL, a.started_at = NULL, a.last_heartbeat_at = NULL,
        a.timeout_at = activity_timeout_at(
            'pending', p_now, NULL, NULL, a.schedule_to_close_deadline_at, a.schedule_to_start_timeout,
            a.start_to_close_timeout, a.heartbeat_timeout
        )
    WHERE a.run_id = p_run_id AND a.position = p_position;
END//

DELIMITER ;
