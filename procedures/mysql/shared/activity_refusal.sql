-- The fence of an activity attempt: why this caller may not act on it.
--
-- p_namespace    the namespace of the request.
-- p_task_id      the activity the caller means, which the caller has locked.
-- p_attempt_id   the attempt the caller was given.
-- p_lease_owner  who calls.
-- p_now          the moment.
-- Result         null when the caller holds the attempt, else the reason, in this order: attempt_not_found,
--                task_mismatch, run_cancelled, run_terminated, run_closed, stale_attempt, activity_not_running,
--                lease_owner_mismatch, lease_expired, run_timed_out.
-- Locks          none of its own. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS activity_refusal//

CREATE FUNCTION activity_refusal(
    p_namespace VARCHAR(255), p_task_id VARCHAR(255), p_attempt_id VARCHAR(255), p_lease_owner VARCHAR(255),
    p_now DATETIME(6)
)
RETURNS VARCHAR(64)
READS SQL DATA
COMMENT 'Why a caller may not act on an activity attempt, or null.'
BEGIN
    DECLARE v_attempt INT;
    DECLARE v_reason VARCHAR(64) DEFAULT 'attempt_not_found';

    IF NOT p_attempt_id REGEXP '^[0-9a-f-]{36}:a[0-9]{1,9}\\.[0-9]{1,9}\\z' THEN
        RETURN 'attempt_not_found';
    END IF;
    SET v_attempt = CAST(SUBSTRING_INDEX(p_attempt_id, '.', -1) AS SIGNED);

    SELECT CASE
        WHEN SUBSTRING_INDEX(p_attempt_id, '.', 1) <> CONCAT(a.run_id, ':a', a.position) THEN 'task_mismatch'
        WHEN v_attempt > a.attempt_number THEN 'attempt_not_found'
        WHEN r.status = 'cancelled' THEN 'run_cancelled'
        WHEN r.status = 'terminated' THEN 'run_terminated'
        WHEN r.closed_at IS NOT NULL THEN 'run_closed'
        WHEN v_attempt < a.attempt_number THEN 'stale_attempt'
        WHEN a.status <> 'running' THEN 'activity_not_running'
        WHEN a.lease_owner <> p_lease_owner THEN 'lease_owner_mismatch'
        WHEN a.lease_expires_at <= p_now THEN 'lease_expired'
        WHEN r.deadline_at <= p_now THEN 'run_timed_out'
    END
    INTO v_reason
    FROM activities AS a
    INNER JOIN runs AS r ON a.run_id = r.run_id
    WHERE a.run_id = SUBSTRING_INDEX(p_task_id, ':a', 1) AND a.position = activity_position(p_task_id)
        AND r.namespace = p_namespace;
    RETURN v_reason;
END//

DELIMITER ;
