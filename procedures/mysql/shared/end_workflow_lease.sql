-- Ends the lease of a workflow task that was not answered: what was held meanwhile enters history, and the task
-- is ready again, its attempt to be raised by the next claim. The run's affinity stays as it is.
--
-- p_run_id        the run, whose row the caller has locked.
-- p_now           when the lease ends.
-- p_available_at  when the task may be claimed again.
-- p_hint          the hint for the run's queue, or for the worker that the task is held for.
-- Locks           the run's row (already held).
-- Writes          inbox, runs, history_events, workflow_tasks.
DELIMITER //

DROP PROCEDURE IF EXISTS end_workflow_lease//

CREATE PROCEDURE end_workflow_lease(
    p_run_id VARCHAR(36), p_now DATETIME(6), p_available_at DATETIME(6), OUT p_hint LONGTEXT
)
MODIFIES SQL DATA
COMMENT 'Makes a leased workflow task ready again and appends what was held meanwhile.'
BEGIN
    DECLARE v_worker_id VARCHAR(255);
    DECLARE v_token CHAR(32);
    DECLARE v_sticky_until, v_held_until DATETIME(6);

    CALL release_held_events(p_run_id, p_now);
    CALL sticky_hold(p_run_id, p_available_at, p_now, v_worker_id, v_token, v_sticky_until, v_held_until);
    UPDATE workflow_tasks AS t
    SET t.status = 'ready', t.available_at = p_available_at, t.lease_owner = NULL, t.lease_expires_at = NULL,
        t.registration_token = NULL, t.poll_request_id = NULL, t.claimed_sequence = NULL, t.sticky_replay_mode = NULL,
        t.sticky_claimed_at = NULL, t.after_sequence = NULL, t.delivered_sequence = NULL,
        t.sticky_worker_id = v_worker_id, t.sticky_registration_token = v_token, t.sticky_until = v_sticky_until,
        t.held_until = v_held_until
    WHERE t.run_id = p_run_id;

    SELECT IF(
        p_available_at > p_now,
        ready_hint('workflow', r.namespace, r.task_queue, p_available_at),
        held_hint(r.namespace, r.task_queue, v_worker_id, v_held_until, p_now)
    )
    INTO p_hint
    FROM runs AS r WHERE r.run_id = p_run_id;
END//

DELIMITER ;
