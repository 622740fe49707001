-- Lets any worker claim what was held for one that has gone. A task that someone is busy with is left to them.
--
-- p_token     the registration that has ended.
-- p_now       the moment.
-- p_released  whether there was any.
-- Locks       the worker's held tasks, skipping what others hold; no run, so that it waits for none.
-- Writes      workflow_tasks.
DELIMITER //

DROP PROCEDURE IF EXISTS release_sticky_holds//

CREATE PROCEDURE release_sticky_holds(p_token CHAR(32), p_now DATETIME(6), OUT p_released BOOLEAN)
MODIFIES SQL DATA
COMMENT 'Ends the holds on ready workflow tasks for a registration that is over.'
BEGIN
    DECLARE v_run_id, v_locked VARCHAR(36);
    DECLARE v_done BOOLEAN DEFAULT FALSE;
    DECLARE v_held CURSOR FOR
        SELECT t.run_id FROM workflow_tasks AS t FORCE INDEX (workflow_tasks_sticky)
        WHERE t.sticky_registration_token = p_token AND t.status = 'ready' AND t.held_until > p_now
            AND t.held_until > t.available_at;
    DECLARE CONTINUE HANDLER FOR NOT FOUND SET v_done = TRUE;

    SET p_released = FALSE;
    OPEN v_held;
    held: LOOP
        SET v_done = FALSE;
        FETCH v_held INTO v_run_id;
        IF v_done THEN
            LEAVE held;
        END IF;

        SET v_locked = NULL;
        SELECT t.run_id INTO v_locked FROM workflow_tasks AS t
        WHERE t.run_id = v_run_id AND t.sticky_registration_token = p_token AND t.status = 'ready'
            AND t.held_until > p_now
        FOR UPDATE SKIP LOCKED;
        IF v_locked IS NOT NULL THEN
            UPDATE workflow_tasks AS t SET t.held_until = t.available_at WHERE t.run_id = v_locked;
            SET p_released = TRUE;
        END IF;
    END LOOP;
    CLOSE v_held;
END//

DELIMITER ;
