-- Says what became possible for those who wait: which queues have something to claim, and which runs have grown. The
-- net under lost wake-ups, and the only way to hear of other processes where there is no NOTIFY.
--
-- p_queues  array of ["workflow" or "activity", namespace, task_queue].
-- p_runs    array of [run_id, last history sequence that is known].
-- Outcomes  probed: those of the queues that have a due task, and of the runs that have a longer history.
-- Locks     none. Writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS probe_wakeups//

CREATE PROCEDURE probe_wakeups(p_queues LONGTEXT, p_runs LONGTEXT)
READS SQL DATA
SQL SECURITY DEFINER
COMMENT 'The queues that have a due task, and the runs whose history is longer than known.'
BEGIN
    DECLARE v_now DATETIME(6) DEFAULT current_instant();
    DECLARE v_ready, v_grown LONGTEXT;
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

        SELECT GROUP_CONCAT(json_string(r.run_id) ORDER BY w.number SEPARATOR ',') INTO v_grown
        FROM JSON_TABLE(
            p_runs, '$[*]' COLUMNS (
                number FOR ORDINALITY,
                run_id VARCHAR(255) PATH '$[0]',
                sequence BIGINT PATH '$[1]'
            )
        ) AS w
        INNER JOIN runs AS r ON w.run_id = r.run_id
        WHERE r.last_history_sequence > w.sequence;

        SET v_outcome = 'probed';
        SET v_body = CONCAT('{"ready":[', COALESCE(v_ready, ''), '],"grown":[', COALESCE(v_grown, ''), ']}');
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
