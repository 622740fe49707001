-- Why a continuation is not applied.
--
-- p_run_id                  the run as the activity's completion has left it.
-- p_namespace, p_worker_id  the worker that calls, whose registration is locked in share mode.
-- p_basis_sequence          through which history sequence it has computed.
-- p_commands                the commands.
-- p_asks                    whether the completion asked for a workflow task.
-- p_now                     the moment.
-- Result                    no_workflow_task, unsupported_continuation_command, history_moved, workflow_task_pending,
--                           not_sticky_owner or registration_changed, in this order; or null. A run whose cancellation
--                           was requested is closed, so its activities do not get here.
-- Locks                     none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS continuation_refusal//

CREATE FUNCTION continuation_refusal(
    p_run_id VARCHAR(36), p_namespace VARCHAR(255), p_worker_id VARCHAR(255), p_basis_sequence BIGINT,
    p_commands LONGTEXT, p_asks BOOLEAN, p_now DATETIME(6)
)
RETURNS VARCHAR(64)
READS SQL DATA
COMMENT 'Why a continuation is not applied, or null.'
BEGIN
    DECLARE v_unsupported INT;
    DECLARE v_reason VARCHAR(64);

    SELECT COUNT(*) INTO v_unsupported
    FROM JSON_TABLE(p_commands, '$[*]' COLUMNS (type VARCHAR(64) PATH '$.type')) AS c
    WHERE c.type NOT IN (
        'schedule_activity', 'start_timer', 'record_side_effect', 'record_local_activity', 'complete_workflow',
        'fail_workflow'
    );
    SELECT CASE
        WHEN NOT p_asks THEN 'no_workflow_task'
        WHEN v_unsupported > 0 THEN 'unsupported_continuation_command'
        WHEN r.last_history_sequence <> p_basis_sequence + 1 THEN 'history_moved'
        WHEN t.run_id IS NOT NULL THEN 'workflow_task_pending'
        WHEN a.run_id IS NULL OR a.sticky_until <= p_now THEN 'not_sticky_owner'
        WHEN a.sticky_worker_id <> p_worker_id THEN 'not_sticky_owner'
        WHEN a.delivered_sequence < p_basis_sequence THEN 'not_sticky_owner'
        WHEN a.registration_token <> w.registration_token THEN 'registration_changed'
        WHEN l.stale_at <= p_now THEN 'registration_changed'
    END
    INTO v_reason
    FROM runs AS r
    CROSS JOIN worker_registrations AS w
    LEFT JOIN worker_liveness AS l ON w.namespace = l.namespace AND w.worker_id = l.worker_id
    LEFT JOIN workflow_tasks AS t ON r.run_id = t.run_id
    LEFT JOIN affinities AS a ON r.run_id = a.run_id
    WHERE r.run_id = p_run_id AND w.namespace = p_namespace AND w.worker_id = p_worker_id;
    RETURN v_reason;
END//

DELIMITER ;
