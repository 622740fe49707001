-- Records an event that comes from outside workflow code: appended at once, or held while a workflow task is
-- leased, so that no history that a worker is replaying moves under it.
--
-- p_run_id         the run, whose row the caller has locked.
-- p_now            when it happened.
-- p_kind           signal, result or condition_timeout (see inbox).
-- p_type           the event type.
-- p_payload        the event's payload.
-- p_wakes          whether workflow code has to look at it now.
-- p_wait_position  the wait that a condition timeout resolves, or null.
-- p_hints          the wake-up hints, as elements joined by commas; empty when none.
-- Locks            the run's row (already held).
-- Writes           inbox; or runs, history_events, workflow_tasks.
DELIMITER //

DROP PROCEDURE IF EXISTS record_event//

CREATE PROCEDURE record_event(
    p_run_id VARCHAR(36), p_now DATETIME(6), p_kind VARCHAR(24), p_type VARCHAR(64), p_payload LONGTEXT, p_wakes BOOLEAN,
    p_wait_position INT, OUT p_hints LONGTEXT
)
MODIFIES SQL DATA
COMMENT 'Appends an outside event to history and wakes its run, or holds it while a workflow task is leased.'
BEGIN
    DECLARE v_has_answered_task BOOLEAN;
    DECLARE v_sequence, v_arrival BIGINT;
    DECLARE v_hint LONGTEXT;

    SELECT r.has_answered_task, r.last_history_sequence INTO v_has_answered_task, v_sequence
    FROM runs AS r WHERE r.run_id = p_run_id;

    IF (p_kind = 'signal' AND NOT v_has_answered_task)
        OR EXISTS (SELECT 1 FROM workflow_tasks AS t WHERE t.run_id = p_run_id AND t.status = 'leased')
    THEN
        SELECT COALESCE(MAX(i.arrival), 0) + 1 INTO v_arrival FROM inbox AS i WHERE i.run_id = p_run_id;
        INSERT INTO inbox (run_id, arrival, kind, event_type, payload, wakes, wait_position)
        VALUES (p_run_id, v_arrival, p_kind, p_type, p_payload, p_wakes, p_wait_position);
        SET p_hints = '';
    ELSE
        CALL append_history(p_run_id, v_sequence, p_now, p_type, p_payload);
        IF p_kind = 'signal' THEN
            UPDATE runs AS r SET r.open_wait_has_news = TRUE
            WHERE r.run_id = p_run_id AND r.open_wait_position IS NOT NULL AND NOT r.open_wait_has_news;
        ELSEIF p_kind = 'condition_timeout' THEN
            UPDATE runs AS r
            SET r.open_wait_position = NULL, r.open_wait_fields = NULL, r.open_wait_has_news = FALSE
            WHERE r.run_id = p_run_id;
        END IF;

        SET p_hints = CONCAT('["run","', p_run_id, '"]');
        IF p_wakes THEN
            CALL wake_run(p_run_id, v_sequence, p_now, v_hint);
            SET p_hints = CONCAT(p_hints, ',', v_hint);
        END IF;
    END IF;
END//

DELIMITER ;
