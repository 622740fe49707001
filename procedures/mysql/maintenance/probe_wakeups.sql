-- Says what became possible for those who wait: which queues have something to claim, and which runs have grown. The
-- net under lost wake-ups, and the only way to hear of other processes where there is no NOTIFY.
--
-- p_queues  array of ["workflow" or "activity", namespace, task_queue].
-- p_runs    array of [run_id, last history sequence that is known].
-- p_hold_seconds  the longest hold on a workflow task.
-- Outcomes  probed: ready: those of the queues that have a due task which any worker may claim; held:
--           ["workflow", namespace, task_queue, worker_id] of workers that a due task is held for, at most 100 of a queue;
--           grown: those of the runs that have a longer history.
-- Locks     none. Writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS probe_wakeups//

CREATE PROCEDURE probe_wakeups(p_queues LONGTEXT, p_runs LONGTEXT, p_hold_seconds INT)
READS SQL DATA
SQL SECURITY DEFINER
COMMENT 'The queues with a due task, the workers that tasks are held for, and the runs whose history is longer than known.'
BEGIN
    DECLARE v_now DATETIME(6) DEFAULT current_instant();
    DECLARE v_namespace, v_task_queue VARCHAR(255);
    DECLARE v_ready, v_workers, v_held, v_grown LONGTEXT;
    DECLARE v_done BOOLEAN DEFAULT FALSE;
    DECLARE v_outcome VARCHAR(64);
    DECLARE v_body, v_hints LONGTEXT;
    DECLARE v_queues CURSOR FOR
        SELECT q.namespace, q.task_queue
        FROM JSON_TABLE(
            p_queues, '$[*]' COLUMNS (
                kind VARCHAR(16) PATH '$[0]',
                namespace VARCHAR(255) PATH '$[1]',
                task_queue VARCHAR(255) PATH '$[2]'
            )
        ) AS q
        WHERE q.kind = 'workflow' AND p_hold_seconds > 0;
    DECLARE CONTINUE HANDLER FOR NOT FOUND SET v_done = TRUE;
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
            WHEN 'workflow' THEN has_ready_workflow_task(q.namespace, q.task_queue, v_now, 0)
            ELSE has_ready_activity(q.namespace, q.task_queue, v_now)
        END;

        OPEN v_queues;
        queues: LOOP
            SET v_done = FALSE;
            FETCH v_queues INTO v_namespace, v_task_queue;
            IF v_done THEN
                LEAVE queues;
            END IF;

            SELECT GROUP_CONCAT(
                CONCAT(
                    '["workflow",', json_string(v_namespace), ',', json_string(v_task_queue), ',',
                    json_string(h.sticky_worker_id), ']'
                )
                ORDER BY h.sticky_worker_id SEPARATOR ','
            )
            INTO v_workers
            FROM (
                SELECT DISTINCT f.sticky_worker_id
                FROM (
                    SELECT t.sticky_worker_id
                    FROM workflow_tasks AS t FORCE INDEX (workflow_tasks_ready)
                    WHERE t.namespace = v_namespace AND t.task_queue = v_task_queue AND t.status = 'ready'
                        AND t.priority IN (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
                        AND t.held_until > v_now AND t.held_until <= v_now + INTERVAL p_hold_seconds SECOND
                        AND t.available_at <= v_now
                    ORDER BY t.priority, t.held_until, t.run_id
                    LIMIT 100
                ) AS f
            ) AS h;
            -- Of two nulls it would make an empty text, and then a list that begins with a comma.
            SET v_held = CONCAT_WS(',', NULLIF(v_held, ''), v_workers);
        END LOOP;
        CLOSE v_queues;

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
        SET v_body = CONCAT(
            '{"ready":[', COALESCE(v_ready, ''), '],"held":[', COALESCE(v_held, ''),
            '],"grown":[', COALESCE(v_grown, ''), ']}'
        );
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
