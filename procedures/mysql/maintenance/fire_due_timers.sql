-- Fires timers whose time has come, oldest first.
--
-- p_batch_size  how many at most.
-- Outcomes      swept: how many fired, and whether there may be more.
-- Locks         the run of each timer, skipping what others hold: this holds several runs at once, and waits for none.
-- Writes        timers; inbox, or runs, history_events, workflow_tasks.
DELIMITER //

DROP PROCEDURE IF EXISTS fire_due_timers//

CREATE PROCEDURE fire_due_timers(p_batch_size INT)
MODIFIES SQL DATA
SQL SECURITY DEFINER
COMMENT 'Fires due timers and wakes their runs.'
BEGIN
    DECLARE v_now DATETIME(6) DEFAULT current_instant();
    DECLARE v_due_run_id, v_run_id VARCHAR(36);
    DECLARE v_position, v_group_base, v_group_size INT;
    DECLARE v_kind VARCHAR(24);
    DECLARE v_members, v_hint LONGTEXT;
    DECLARE v_count, v_fired INT DEFAULT 0;
    DECLARE v_done BOOLEAN DEFAULT FALSE;
    DECLARE v_outcome VARCHAR(64);
    DECLARE v_body, v_hints LONGTEXT;
    DECLARE v_due CURSOR FOR
        SELECT t.run_id, t.position FROM timers AS t
        WHERE t.fire_at <= v_now
        ORDER BY t.fire_at, t.run_id, t.position
        LIMIT p_batch_size;
    DECLARE CONTINUE HANDLER FOR NOT FOUND SET v_done = TRUE;
    DECLARE EXIT HANDLER FOR SQLEXCEPTION, 1265
    BEGIN
        ROLLBACK;
        RESIGNAL;
    END;

    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    START TRANSACTION;
    steps: BEGIN
        OPEN v_due;
        due: LOOP
            SET v_done = FALSE;
            FETCH v_due INTO v_due_run_id, v_position;
            IF v_done THEN
                LEAVE due;
            END IF;

            SET v_count = v_count + 1;
            SET v_run_id = NULL;
            SELECT r.run_id INTO v_run_id FROM runs AS r WHERE r.run_id = v_due_run_id
            FOR UPDATE SKIP LOCKED;
            SET v_kind = NULL;
            SELECT t.kind, t.event_members, t.group_base, t.group_size
            INTO v_kind, v_members, v_group_base, v_group_size
            FROM timers AS t
            WHERE t.run_id = v_run_id AND t.position = v_position;
            IF v_kind IS NULL THEN
                ITERATE due;
            END IF;

            SET v_fired = v_fired + 1;
            DELETE FROM timers WHERE run_id = v_run_id AND position = v_position;
            CALL fire_timer(v_run_id, v_position, v_kind, v_members, v_group_base, v_group_size, v_now, v_hint);
            SET v_hints = NULLIF(CONCAT_WS(',', v_hints, NULLIF(v_hint, '')), '');
        END LOOP;
        CLOSE v_due;

        CALL swept(v_fired, v_fired > 0 AND v_count = p_batch_size, v_hints, v_outcome, v_body, v_hints);
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
