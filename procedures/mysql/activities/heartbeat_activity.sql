-- Notes that an activity attempt makes progress, and renews its lease.
--
-- p_namespace            the namespace.
-- p_task_id              the activity task.
-- p_activity_attempt_id  the attempt.
-- p_lease_owner          who calls.
-- p_details              progress, or null.
-- p_lease_seconds        how long a renewed lease lasts.
-- Outcomes               heartbeat_recorded; the fence's refusals (activity_refusal), namespace_not_found.
-- Locks                  the activity; no run, since whoever closes a run waits for this.
-- Writes                 activities. The lease is renewed when half of it is over, so that most heartbeats touch no
--                        index; the heartbeat timeout is moved on by enforce_timeouts.
DELIMITER //

DROP PROCEDURE IF EXISTS heartbeat_activity//

CREATE PROCEDURE heartbeat_activity(
    p_namespace VARCHAR(300), p_task_id VARCHAR(300), p_activity_attempt_id VARCHAR(300), p_lease_owner VARCHAR(300),
    p_details LONGTEXT, p_lease_seconds INT
)
MODIFIES SQL DATA
SQL SECURITY DEFINER
COMMENT 'Records an activity''s heartbeat and renews its lease.'
BEGIN
    DECLARE v_run_id VARCHAR(36);
    DECLARE v_position INT;
    DECLARE v_now, v_expires_at DATETIME(6);
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
        SELECT a.run_id, a.position, a.lease_expires_at INTO v_run_id, v_position, v_expires_at FROM activities AS a
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

        IF v_expires_at < v_now + INTERVAL (p_lease_seconds / 2) SECOND THEN
            SET v_expires_at = v_now + INTERVAL p_lease_seconds SECOND;
        END IF;
        UPDATE activities AS a
        SET a.last_heartbeat_at = v_now, a.heartbeat_details = p_details, a.lease_expires_at = v_expires_at
        WHERE a.run_id = v_run_id AND a.position = v_position;
        SET v_outcome = 'heartbeat_recorded';
        SET v_body = CONCAT(
            '{"task_id":', json_string(p_task_id),
            ',"activity_attempt_id":', json_string(p_activity_attempt_id),
            ',"lease_owner":', json_string(p_lease_owner),
            ',"cancel_requested":false,"can_continue":true,"reason":null,"heartbeat_recorded":true,"last_heartbeat_at":"',
            wire_time(v_now),
            '","lease_expires_at":"', wire_time(v_expires_at), '"}'
        );
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
