-- Gives back an activity attempt whose answer could not be delivered: the activity is pending again at once.
--
-- p_namespace            the namespace.
-- p_task_id              the activity task.
-- p_activity_attempt_id  the attempt.
-- p_lease_owner          for whom it was claimed.
-- Outcomes               released; the fence's refusals (activity_refusal), namespace_not_found.
-- Locks                  the activity. Writes activities.
DELIMITER //

DROP PROCEDURE IF EXISTS release_activity_task//

CREATE PROCEDURE release_activity_task(
    p_namespace VARCHAR(300), p_task_id VARCHAR(300), p_activity_attempt_id VARCHAR(300), p_lease_owner VARCHAR(300)
)
MODIFIES SQL DATA
SQL SECURITY DEFINER
COMMENT 'Offers an activity again whose claim did not reach its worker.'
BEGIN
    DECLARE v_run_id VARCHAR(36);
    DECLARE v_position INT;
    DECLARE v_task_queue VARCHAR(255);
    DECLARE v_now DATETIME(6);
    DECLARE v_reason VARCHAR(64);
    DECLARE v_outcome VARCHAR(64);
    DECLARE v_body, v_hints LONGTEXT;
    DECLARE EXIT HANDLER FOR SQLEXCEPTION, 1265
    BEGIN
        ROLLBACK;
        RESIGNAL;
    END;

    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    START TRANSACTION;
    steps: BEGIN
        SELECT a.run_id, a.position, a.task_queue INTO v_run_id, v_position, v_task_queue FROM activities AS a
        WHERE a.run_id = SUBSTRING_INDEX(p_task_id, ':a', 1) AND a.position = activity_position(p_task_id)
            AND a.namespace = p_namespace
        FOR UPDATE;
        SET v_now = current_instant();

        SET v_reason = activity_refusal(p_namespace, p_task_id, p_activity_attempt_id, p_lease_owner, v_now);
        IF v_reason IS NOT NULL THEN
            CALL refuse_activity(
                p_namespace, v_reason, v_run_id, p_task_id, p_activity_attempt_id, p_lease_owner, v_outcome, v_body
            );
            LEAVE steps;
        END IF;

        CALL end_activity_lease(v_run_id, v_position, v_now);
        SET v_outcome = 'released';
        SET v_body = CONCAT('{"task_id":', json_string(p_task_id), ',"outcome":"released"}');
        SET v_hints = CONCAT('[', ready_hint('activity', p_namespace, v_task_queue, NULL), ']');
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
