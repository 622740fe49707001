-- Says which of some queues have something to claim: the net under lost wake-ups.
--
-- p_queues  array of ["workflow" or "activity", namespace, task_queue].
-- Outcomes  probed: those of them that have a due task.
-- Locks     none. Writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS probe_ready_tasks//

CREATE PROCEDURE probe_ready_tasks(p_queues LONGTEXT)
READS SQL DATA
SQL SECURITY DEFINER
COMMENT 'The queues that have a due workflow task or activity.'
BEGIN
    DECLARE v_now DATETIME(6) DEFAULT current_instant();
    DECLARE v_ready LONGTEXT;
    DECLARE v_outcome VARCHAR(64);
    DECLARE v_body, v_hints LONGTEXT;
    DECLARE EXIT HANDLER FOR SQLEXCEPTION, 1265
    BEGIN
        ROLLBACK;
        RESIGNAL;
    END;

    SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY;
    START TRANSACTION;
    steps: BEGIN
        -- GROUP_CONCAT cuts what is longer.
        SET SESSION group_concat_max_len = 67108864;
        SELECT GROUP_CONCAT(ready_hint(q.kind, q.namespace, q.task_queue, NULL) ORDER BY q.number SEPARATOR ',')
        INTO v_ready
        FROM JSON_TABLE(
            p_queues, '$[*]' COLUMNS (
                number FOR ORDINALITY,
                kind VARCHAR(16) PATH '$[0]',
                namespace VARCHAR(255) PATH '$[1]',
                task_queue VARCHAR(255) PATH '$[2]'
            )
        ) AS q
        WHERE CASE q.kind
            WHEN 'workflow' THEN has_ready_workflow_task(q.namespace, q.task_queue, v_now)
            ELSE has_ready_activity(q.namespace, q.task_queue, v_now)
        END;
        SET v_outcome = 'probed';
        SET v_body = CONCAT('{"ready":[', COALESCE(v_ready, ''), ']}');
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
