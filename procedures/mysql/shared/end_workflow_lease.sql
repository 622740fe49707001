-- Ends the lease of a workflow task that was not answered: what was held meanwhile enters history, and the task
-- is ready again, its attempt to be raised by the next claim.
--
-- p_run_id        the run, whose row the caller has locked.
-- p_now           when the lease ends.
-- p_available_at  when the task may be claimed again.
-- Locks           the run's row (already held).
-- Writes          inbox, runs, history_events, workflow_tasks.
DELIMITER //

DROP PROCEDURE IF EXISTS end_workflow_lease//

CREATE PROCEDURE end_workflow_lease(p_run_id VARCHAR(36), p_now DATETIME(6), p_available_at DATETIME(6))
MODIFIES SQL DATA
COMMENT 'Makes a leased workflow task ready again and appends what was held meanwhile.'
BEGIN
    CALL release_held_events(p_run_id, p_now);
    UPDATE workflow_tasks AS t
    SET t.status = 'ready', t.available_at = p_available_at, t.lease_owner = NULL, t.lease_expires_at = NULL,
        t.registration_token = NULL, t.poll_request_id = NULL, t.claimed_sequence = NULL
    WHERE t.run_id = p_run_id;
END//

DELIMITER ;
