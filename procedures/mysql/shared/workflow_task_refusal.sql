-- The fence of a workflow task: why this caller may not act on it.
--
-- p_namespace     the namespace of the request.
-- p_task_id       the task the caller means; its run is locked by the caller.
-- p_lease_owner   who calls.
-- p_attempt       the attempt the caller was given.
-- p_now           the moment.
-- Result          null when the caller holds the lease, else the reason, in this order: task_not_found, run_closed,
--                 task_not_leased, lease_owner_mismatch, workflow_task_attempt_mismatch, lease_expired, run_timed_out.
-- Locks           none of its own. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS workflow_task_refusal//

CREATE FUNCTION workflow_task_refusal(
    p_namespace VARCHAR(255), p_task_id VARCHAR(255), p_lease_owner VARCHAR(255), p_attempt INT, p_now DATETIME(6)
)
RETURNS VARCHAR(64)
READS SQL DATA
COMMENT 'Why a caller may not act on a workflow task, or null.'
BEGIN
    DECLARE v_task_number BIGINT DEFAULT workflow_task_number(p_task_id);
    DECLARE v_reason VARCHAR(64) DEFAULT 'task_not_found';

    SELECT CASE
        WHEN v_task_number IS NULL THEN 'task_not_found'
        WHEN v_task_number > r.last_history_sequence THEN 'task_not_found'
        WHEN r.closed_at IS NOT NULL THEN 'run_closed'
        WHEN NOT t.task_number <=> v_task_number THEN 'task_not_leased'
        WHEN t.status <> 'leased' THEN 'task_not_leased'
        WHEN t.lease_owner <> p_lease_owner THEN 'lease_owner_mismatch'
        WHEN t.attempt <> p_attempt THEN 'workflow_task_attempt_mismatch'
        WHEN t.lease_expires_at <= p_now THEN 'lease_expired'
        WHEN r.deadline_at <= p_now THEN 'run_timed_out'
    END
    INTO v_reason
    FROM runs AS r
    LEFT JOIN workflow_tasks AS t ON r.run_id = t.run_id
    WHERE r.run_id = SUBSTRING_INDEX(p_task_id, ':k', 1) AND r.namespace = p_namespace;
    RETURN v_reason;
END//

DELIMITER ;
