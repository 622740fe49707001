-- Why a completion may not carry parts: its worker did not register the capability.
--
-- p_namespace, p_worker_id  the worker that calls.
-- p_members          members that say which completion it was, with a leading comma.
-- p_outcome, p_body  worker_capability_not_supported, or null.
-- Locks              none. Writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS carried_refusal//

CREATE PROCEDURE carried_refusal(
    p_namespace VARCHAR(255), p_worker_id VARCHAR(255), p_members LONGTEXT,
    OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT
)
READS SQL DATA
COMMENT 'The refusal of a completion that carries parts, or null.'
BEGIN
    DECLARE v_merges BOOLEAN DEFAULT FALSE;

    SELECT w.merged_transitions INTO v_merges FROM worker_registrations AS w
    WHERE w.namespace = p_namespace AND w.worker_id = p_worker_id;

    SET p_outcome = NULL;
    SET p_body = NULL;
    IF NOT v_merges THEN
        CALL refuse(
            'worker_capability_not_supported',
            CONCAT(
                p_members, ',"capability":"merged_transitions"',
                ',"remediation":"Register the worker with the capability merged_transitions, or carry nothing."'
            ),
            p_outcome, p_body
        );
    END IF;
END//

DELIMITER ;
