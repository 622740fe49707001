-- The command record_local_activity: an activity that the worker of the workflow task has run itself.
--
-- It begins and ends in one breath: nothing is left to be claimed, to time out or to wake the run, so it has no row.
-- Workflow code already has the result, and goes on in the same task.
--
-- p_run_id    the run, whose row the caller has locked.
-- p_position  the command's authored position.
-- p_sequence  the run's last history sequence, moved on: by ActivityScheduled and by the event of its outcome.
-- p_command   the command.
-- p_now       the moment.
-- Locks       none of its own. Writes runs, history_events.
DELIMITER //

DROP PROCEDURE IF EXISTS record_local_activity//

CREATE PROCEDURE record_local_activity(
    p_run_id VARCHAR(36), p_position INT, INOUT p_sequence BIGINT, p_command LONGTEXT, p_now DATETIME(6)
)
MODIFIES SQL DATA
COMMENT 'Appends the events of a record_local_activity command.'
BEGIN
    DECLARE v_identity VARCHAR(255)
        DEFAULT CONCAT('"sequence":', p_position, ',"activity_execution_id":"', p_run_id, ':a', p_position, '"');
    DECLARE v_outcome VARCHAR(64) DEFAULT JSON_UNQUOTE(JSON_EXTRACT(p_command, '$.outcome'));
    DECLARE v_fields LONGTEXT DEFAULT JSON_UNQUOTE(JSON_EXTRACT(p_command, '$.fields'));
    DECLARE v_outcome_fields LONGTEXT DEFAULT JSON_UNQUOTE(JSON_EXTRACT(p_command, '$.outcome_fields'));

    CALL append_history(
        p_run_id, p_sequence, p_now, 'ActivityScheduled', CONCAT('{', v_identity, json_members(v_fields), '}')
    );
    CALL append_history(
        p_run_id, p_sequence, p_now,
        CASE v_outcome
            WHEN 'completed' THEN 'ActivityCompleted'
            WHEN 'failed' THEN 'ActivityFailed'
            WHEN 'timed_out' THEN 'ActivityTimedOut'
            WHEN 'cancelled' THEN 'ActivityCancelled'
        END,
        CONCAT('{', v_identity, json_members(v_outcome_fields), '}')
    );
END//

DELIMITER ;
