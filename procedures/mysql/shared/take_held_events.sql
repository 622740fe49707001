-- Empties a run's inbox into its history. A held timeout of a wait that is no longer open has come too late and is
-- dropped: a wait is resolved once.
--
-- p_run_id         the run, whose row the caller has locked.
-- p_sequence       the run's last history sequence, moved on.
-- p_now            the moment.
-- p_wait_position  the condition wait that is open now, or null.
-- p_wakes          whether workflow code has to look at the events.
-- p_has_signals    whether there are signals among them.
-- p_resolves_wait  whether one resolved the open wait.
-- Locks            the run's row (already held).
-- Writes           runs, history_events, inbox.
DELIMITER //

DROP PROCEDURE IF EXISTS take_held_events//

CREATE PROCEDURE take_held_events(
    p_run_id VARCHAR(36), INOUT p_sequence BIGINT, p_now DATETIME(6), p_wait_position INT,
    OUT p_wakes BOOLEAN, OUT p_has_signals BOOLEAN, OUT p_resolves_wait BOOLEAN
)
MODIFIES SQL DATA
COMMENT 'Appends the events that were held while a workflow task was leased, in order of arrival.'
BEGIN
    DECLARE v_kind VARCHAR(24);
    DECLARE v_type VARCHAR(64);
    DECLARE v_payload LONGTEXT;
    DECLARE v_wakes BOOLEAN;
    DECLARE v_done BOOLEAN DEFAULT FALSE;
    DECLARE v_held CURSOR FOR
        SELECT i.kind, i.event_type, i.payload, i.wakes
        FROM inbox AS i
        WHERE i.run_id = p_run_id AND (i.kind <> 'condition_timeout' OR i.wait_position = p_wait_position)
        ORDER BY i.arrival;
    DECLARE CONTINUE HANDLER FOR NOT FOUND SET v_done = TRUE;

    SET p_wakes = FALSE;
    SET p_has_signals = FALSE;
    SET p_resolves_wait = FALSE;
    IF EXISTS (SELECT 1 FROM inbox AS i WHERE i.run_id = p_run_id) THEN
        OPEN v_held;
        held: LOOP
            SET v_done = FALSE;
            FETCH v_held INTO v_kind, v_type, v_payload, v_wakes;
            IF v_done THEN
                LEAVE held;
            END IF;
            CALL append_history(p_run_id, p_sequence, p_now, v_type, v_payload);
            SET p_wakes = p_wakes OR v_wakes;
            SET p_has_signals = p_has_signals OR v_kind = 'signal';
            SET p_resolves_wait = p_resolves_wait OR v_kind = 'condition_timeout';
        END LOOP;
        CLOSE v_held;
        DELETE FROM inbox WHERE run_id = p_run_id;
    END IF;
END//

DELIMITER ;
