-- Enforces deadlines: runs that have outlived theirs are closed, activities that have are retried or timed out.
--
-- p_batch_size  how many runs at most, and how many activities.
-- Outcomes      swept: how many timeouts struck, and whether there may be more.
-- Locks         the run of each, then its activities, skipping what others hold: this holds several runs at once, and
--               waits for no run.
-- Writes        through close_run; activities, inbox, runs, history_events, workflow_tasks.
DELIMITER //

DROP PROCEDURE IF EXISTS enforce_timeouts//

CREATE PROCEDURE enforce_timeouts(p_batch_size INT)
MODIFIES SQL DATA
SQL SECURITY DEFINER
COMMENT 'Closes runs past their deadline and times out activities.'
BEGIN
    DECLARE v_now DATETIME(6) DEFAULT current_instant();
    DECLARE v_due_run_id, v_run_id VARCHAR(36);
    DECLARE v_position INT;
    DECLARE v_hint LONGTEXT;
    DECLARE v_runs, v_activities, v_struck INT DEFAULT 0;
    DECLARE v_done BOOLEAN DEFAULT FALSE;
    DECLARE v_outcome VARCHAR(64);
    DECLARE v_body, v_hints LONGTEXT;
    DECLARE v_due_runs CURSOR FOR
        SELECT r.run_id FROM runs AS r
        WHERE r.open_deadline_at <= v_now
        ORDER BY r.open_deadline_at, r.run_id
        LIMIT p_batch_size;
    DECLARE v_due_activities CURSOR FOR
        SELECT a.run_id, a.position FROM activities AS a
        WHERE a.closed_at IS NULL AND a.timeout_at <= v_now
        ORDER BY a.timeout_at, a.run_id, a.position
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
        OPEN v_due_runs;
        due_runs: LOOP
            SET v_done = FALSE;
            FETCH v_due_runs INTO v_due_run_id;
            IF v_done THEN
                LEAVE due_runs;
            END IF;

            SET v_runs = v_runs + 1;
            SET v_run_id = NULL;
            SELECT r.run_id INTO v_run_id FROM runs AS r
            WHERE r.run_id = v_due_run_id AND r.closed_at IS NULL
            FOR UPDATE SKIP LOCKED;
            IF v_run_id IS NULL THEN
                ITERATE due_runs;
            END IF;

            SET v_struck = v_struck + 1;
            CALL time_out_run(v_run_id, v_now);
            SET v_hints = CONCAT_WS(',', v_hints, CONCAT('["run","', v_run_id, '"]'));
        END LOOP;
        CLOSE v_due_runs;

        OPEN v_due_activities;
        due_activities: LOOP
            SET v_done = FALSE;
            FETCH v_due_activities INTO v_due_run_id, v_position;
            IF v_done THEN
                LEAVE due_activities;
            END IF;

            SET v_activities = v_activities + 1;
            SET v_run_id = NULL;
            SELECT r.run_id INTO v_run_id FROM runs AS r
            WHERE r.run_id = v_due_run_id AND r.closed_at IS NULL
            FOR UPDATE SKIP LOCKED;
            IF v_run_id IS NULL THEN
                ITERATE due_activities;
            END IF;

            CALL time_out_activity(v_run_id, v_position, v_now, v_hint);
            SET v_struck = v_struck + (v_hint IS NOT NULL);
            SET v_hints = NULLIF(CONCAT_WS(',', v_hints, NULLIF(v_hint, '')), '');
        END LOOP;
        CLOSE v_due_activities;

        CALL swept(
            v_struck, v_struck > 0 AND p_batch_size IN (v_runs, v_activities), v_hints, v_outcome, v_body, v_hints
        );
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
