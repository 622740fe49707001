-- Ends a lease that was not completed: what was held meanwhile enters history.
--
-- p_run_id  the run, whose row the caller has locked.
-- p_now     when the lease ended.
-- Locks     the run's row (already held).
-- Writes    inbox, runs, history_events.
DELIMITER //

DROP PROCEDURE IF EXISTS release_held_events//

CREATE PROCEDURE release_held_events(p_run_id VARCHAR(36), p_now DATETIME(6))
MODIFIES SQL DATA
COMMENT 'Appends what was held during a lease that ended without a completion.'
BEGIN
    DECLARE v_has_answered_task, v_wakes, v_has_signals, v_resolves_wait BOOLEAN;
    DECLARE v_sequence BIGINT;
    DECLARE v_wait_position INT;

    SELECT r.has_answered_task, r.last_history_sequence, r.open_wait_position
    INTO v_has_answered_task, v_sequence, v_wait_position
    FROM runs AS r WHERE r.run_id = p_run_id;

    IF v_has_answered_task THEN
        CALL take_held_events(
            p_run_id, v_sequence, p_now, v_wait_position, v_wakes, v_has_signals, v_resolves_wait
        );
        IF v_resolves_wait THEN
            UPDATE runs AS r
            SET r.open_wait_position = NULL, r.open_wait_fields = NULL, r.open_wait_has_news = FALSE
            WHERE r.run_id = p_run_id;
        ELSEIF v_has_signals AND v_wait_position IS NOT NULL THEN
            UPDATE runs AS r SET r.open_wait_has_news = TRUE WHERE r.run_id = p_run_id;
        END IF;
    END IF;
END//

DELIMITER ;
