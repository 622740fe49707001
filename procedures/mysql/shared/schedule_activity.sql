-- The command schedule_activity: a pending activity at the run's new authored position.
--
-- p_run_id    the run, whose row the caller has locked.
-- p_position  the command's authored position.
-- p_sequence  the run's last history sequence, moved on.
-- p_command   the command.
-- p_now       the moment.
-- p_hint      for its queue.
-- Locks       none of its own. Writes activities, runs, history_events.
DELIMITER //

DROP PROCEDURE IF EXISTS schedule_activity//

CREATE PROCEDURE schedule_activity(
    p_run_id VARCHAR(36), p_position INT, INOUT p_sequence BIGINT, p_command LONGTEXT, p_now DATETIME(6),
    OUT p_hint LONGTEXT
)
MODIFIES SQL DATA
COMMENT 'Inserts the pending activity of a schedule_activity command and appends its event.'
BEGIN
    DECLARE v_namespace, v_activity_type, v_task_queue, v_build_id VARCHAR(255);
    DECLARE v_priority, v_max_attempts, v_to_start, v_start_to_close, v_to_close, v_heartbeat INT;
    DECLARE v_group_base, v_group_size INT;
    DECLARE v_arguments, v_retry_policy, v_backoff, v_error_types, v_group, v_fields, v_payload LONGTEXT;
    DECLARE v_deadline_at DATETIME(6);

    SELECT r.namespace, r.build_id, r.priority INTO v_namespace, v_build_id, v_priority
    FROM runs AS r WHERE r.run_id = p_run_id;
    SELECT
        c.activity_type, c.task_queue, c.arguments, c.retry_policy, c.max_attempts, c.backoff, c.error_types,
        c.to_start, c.start_to_close, c.to_close, c.heartbeat, c.members, c.group_base, c.group_size, c.fields
    INTO
        v_activity_type, v_task_queue, v_arguments, v_retry_policy, v_max_attempts, v_backoff, v_error_types,
        v_to_start, v_start_to_close, v_to_close, v_heartbeat, v_group, v_group_base, v_group_size, v_fields
    FROM JSON_TABLE(
        p_command, '$' COLUMNS (
            activity_type VARCHAR(255) PATH '$.activity_type',
            task_queue VARCHAR(255) PATH '$.task_queue',
            arguments LONGTEXT PATH '$.arguments',
            retry_policy LONGTEXT PATH '$.retry_policy',
            max_attempts INT PATH '$.max_attempts',
            backoff JSON PATH '$.backoff_seconds',
            error_types JSON PATH '$.non_retryable_error_types',
            to_start INT PATH '$.schedule_to_start_timeout',
            start_to_close INT PATH '$.start_to_close_timeout',
            to_close INT PATH '$.schedule_to_close_timeout',
            heartbeat INT PATH '$.heartbeat_timeout',
            members LONGTEXT PATH '$.group',
            group_base INT PATH '$.group_base',
            group_size INT PATH '$.group_size',
            fields LONGTEXT PATH '$.fields'
        )
    ) AS c;
    SET v_group = json_members(v_group);
    SET v_deadline_at = p_now + INTERVAL v_to_close SECOND;

    INSERT INTO activities (
        run_id, position, namespace, activity_type, task_queue, build_id, priority, status, available_at, arguments,
        retry_policy, max_attempts, backoff_seconds, non_retryable_error_types, schedule_to_start_timeout,
        start_to_close_timeout, heartbeat_timeout, schedule_to_close_deadline_at, timeout_at, group_members,
        group_base, group_size
    ) VALUES (
        p_run_id, p_position, v_namespace, v_activity_type, v_task_queue, v_build_id, v_priority, 'pending', p_now,
        v_arguments, v_retry_policy, v_max_attempts, v_backoff, v_error_types, v_to_start, v_start_to_close,
        v_heartbeat, v_deadline_at,
        activity_timeout_at(
            'pending', p_now, NULL, NULL, v_deadline_at, v_to_start, v_start_to_close, v_heartbeat
        ),
        v_group, v_group_base, v_group_size
    );

    SET v_payload = CONCAT(
        '{"sequence":', p_position, ',"activity_execution_id":"', p_run_id, ':a', p_position, '"',
        json_members(v_fields), v_group, '}'
    );
    CALL append_history(p_run_id, p_sequence, p_now, 'ActivityScheduled', v_payload);
    SET p_hint = ready_hint('activity', v_namespace, v_task_queue, NULL);
END//

DELIMITER ;
