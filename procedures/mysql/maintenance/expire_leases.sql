-- Offers again what workers have leased and neither answered nor renewed in time.
--
-- p_batch_size  how many workflow tasks at most, and how many activities.
-- Outcomes      swept: how many leases ended, and whether there may be more.
-- Locks         the run of each, then its task or activity, skipping what others hold: this holds several runs at
--               once, and waits for none.
-- Writes        workflow_tasks, activities, and what was held meanwhile: inbox, runs, history_events.
DELIMITER //

DROP PROCEDURE IF EXISTS expire_leases//

CREATE PROCEDURE expire_leases(p_batch_size INT)
MODIFIES SQL DATA
SQL SECURITY DEFINER
COMMENT 'Makes workflow tasks and activities with expired leases ready again.'
BEGIN
    DECLARE v_now DATETIME(6) DEFAULT current_instant();
    DECLARE v_due_run_id, v_run_id VARCHAR(36);
    DECLARE v_position INT;
    DECLARE v_task_number BIGINT;
    DECLARE v_namespace, v_task_queue VARCHAR(255);
    DECLARE v_hint LONGTEXT;
    DECLARE v_tasks, v_activities, v_ended INT DEFAULT 0;
    DECLARE v_done BOOLEAN DEFAULT FALSE;
    DECLARE v_outcome VARCHAR(64);
    DECLARE v_body, v_hints LONGTEXT;
    DECLARE v_due_tasks CURSOR FOR
        SELECT t.run_id FROM workflow_tasks AS t
        WHERE t.status = 'leased' AND t.lease_expires_at <= v_now
        ORDER BY t.lease_expires_at, t.run_id
        LIMIT p_batch_size;
    DECLARE v_due_activities CURSOR FOR
        SELECT a.run_id, a.position FROM activities AS a
        WHERE a.status = 'running' AND a.lease_expires_at <= v_now
        ORDER BY a.lease_expires_at, a.run_id, a.position
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
        OPEN v_due_tasks;
        due_tasks: LOOP
            SET v_done = FALSE;
            FETCH v_due_tasks INTO v_due_run_id;
            IF v_done THEN
                LEAVE due_tasks;
            END IF;

            SET v_tasks = v_tasks + 1;
            SET v_run_id = NULL;
            SELECT r.run_id INTO v_run_id FROM runs AS r WHERE r.run_id = v_due_run_id
            FOR UPDATE SKIP LOCKED;
            SET v_task_number = NULL;
            SELECT t.task_number INTO v_task_number FROM workflow_tasks AS t
            WHERE t.run_id = v_run_id AND t.status = 'leased' AND t.lease_expires_at <= v_now
            FOR UPDATE SKIP LOCKED;
            IF v_task_number IS NULL THEN
                ITERATE due_tasks;
            END IF;

            SET v_ended = v_ended + 1;
            CALL end_workflow_lease(v_run_id, v_now, v_now, v_hint);
            SET v_hints = CONCAT_WS(',', v_hints, v_hint, CONCAT('["run","', v_run_id, '"]'));
        END LOOP;
        CLOSE v_due_tasks;

        OPEN v_due_activities;
        due_activities: LOOP
            SET v_done = FALSE;
            FETCH v_due_activities INTO v_due_run_id, v_position;
            IF v_done THEN
                LEAVE due_activities;
            END IF;

            SET v_activities = v_activities + 1;
            SET v_task_queue = NULL;
            SELECT a.namespace, a.task_queue INTO v_namespace, v_task_queue FROM activities AS a
            WHERE a.run_id = v_due_run_id AND a.position = v_position
                AND a.status = 'running' AND a.lease_expires_at <= v_now
            FOR UPDATE SKIP LOCKED;
            IF v_task_queue IS NULL THEN
                ITERATE due_activities;
            END IF;

            SET v_ended = v_ended + 1;
            CALL end_activity_lease(v_due_run_id, v_position, v_now);
            SET v_hints = CONCAT_WS(',', v_hints, ready_hint('activity', v_namespace, v_task_queue, NULL));
        END LOOP;
        CLOSE v_due_activities;

        CALL swept(
            v_ended, v_ended > 0 AND p_batch_size IN (v_tasks, v_activities), v_hints, v_outcome, v_body, v_hints
        );
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
