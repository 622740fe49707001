-- Closes a run whose deadline has passed.
--
-- p_run_id  the run, whose row the caller has locked.
-- p_now     the moment.
-- Locks     the run's row (already held), its activities.
-- Writes    through close_run.
DELIMITER //

DROP PROCEDURE IF EXISTS time_out_run//

CREATE PROCEDURE time_out_run(p_run_id VARCHAR(36), p_now DATETIME(6))
MODIFIES SQL DATA
COMMENT 'Closes a run with WorkflowTimedOut.'
BEGIN
    DECLARE v_sequence BIGINT;
    DECLARE v_kind VARCHAR(32);

    SELECT r.last_history_sequence, IF(r.execution_deadline_at <= p_now, 'execution_timeout', 'run_timeout')
    INTO v_sequence, v_kind
    FROM runs AS r WHERE r.run_id = p_run_id;
    CALL close_run(
        p_run_id, v_sequence, p_now, 'failed', 'timed_out', 'WorkflowTimedOut',
        CONCAT(
            '{"timeout_kind":"', v_kind, '","message":"The ', REPLACE(v_kind, '_timeout', ''),
            ' deadline has passed.","failure_category":"timeout"}'
        ),
        FALSE
    );
END//

DELIMITER ;
