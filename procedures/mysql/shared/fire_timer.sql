-- Fires one timer, whose row is gone already. The timeout of a wait that is no longer open comes too late and
-- changes nothing.
--
-- p_run_id    the timer's run, whose row the caller has locked.
-- p_position, p_kind, p_event_members, p_group_base, p_group_size  the timer.
-- p_now       the moment.
-- p_hints     the wake-up hints, as elements joined by commas; empty when none.
-- Locks       the run's row (already held).
-- Writes      inbox, or runs, history_events, workflow_tasks.
DELIMITER //

DROP PROCEDURE IF EXISTS fire_timer//

CREATE PROCEDURE fire_timer(
    p_run_id VARCHAR(36), p_position INT, p_kind VARCHAR(24), p_event_members LONGTEXT, p_group_base INT,
    p_group_size INT, p_now DATETIME(6), OUT p_hints LONGTEXT
)
MODIFIES SQL DATA
COMMENT 'Records that a timer fired, or that a condition wait timed out.'
BEGIN
    DECLARE v_payload LONGTEXT DEFAULT CONCAT(
        '{"sequence":', p_position, p_event_members, ',"fired_at":"', wire_time(p_now), '"}'
    );

    SET p_hints = '';
    IF p_kind = 'timer' THEN
        CALL record_event(
            p_run_id, p_now, 'result', 'TimerFired', v_payload,
            p_group_base IS NULL OR NOT group_has_open_leaf(p_run_id, p_group_base, p_group_size),
            NULL, p_hints
        );
    ELSEIF EXISTS (SELECT 1 FROM runs AS r WHERE r.run_id = p_run_id AND r.open_wait_position = p_position) THEN
        CALL record_event(
            p_run_id, p_now, 'condition_timeout', 'TimerFired', v_payload, TRUE, p_position, p_hints
        );
    END IF;
END//

DELIMITER ;
