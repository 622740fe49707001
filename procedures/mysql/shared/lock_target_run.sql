-- Finds and locks the run that a client's command means.
--
-- p_namespace      the namespace.
-- p_workflow_id    the workflow.
-- p_run_id         the run the client named; null: the current one.
-- p_locked_run_id  the run, locked, or null when there is none (target_refusal says why).
-- Locks            the run. Writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS lock_target_run//

CREATE PROCEDURE lock_target_run(
    p_namespace VARCHAR(255), p_workflow_id VARCHAR(255), p_run_id VARCHAR(255), OUT p_locked_run_id VARCHAR(36)
)
READS SQL DATA
COMMENT 'Locks the run that a command means, following continue-as-new.'
BEGIN
    DECLARE v_target VARCHAR(255);
    DECLARE v_continued_to VARCHAR(36);

    target: LOOP
        SET v_target = p_run_id;
        IF v_target IS NULL THEN
            SELECT w.current_run_id INTO v_target FROM workflows AS w
            WHERE w.namespace = p_namespace AND w.workflow_id = p_workflow_id;
        END IF;
        SET p_locked_run_id = NULL;
        SET v_continued_to = NULL;
        SELECT r.run_id, r.continued_to_run_id INTO p_locked_run_id, v_continued_to
        FROM runs AS r
        WHERE r.run_id = v_target AND r.namespace = p_namespace AND r.workflow_id = p_workflow_id
        FOR UPDATE;
        -- While this waited for the lock, the current run may have continued as another one.
        IF p_run_id IS NOT NULL OR v_continued_to IS NULL THEN
            LEAVE target;
        END IF;
    END LOOP;
END//

DELIMITER ;
