-- Claims workflow tasks for polls that wait on one queue: for each the first due task that its worker can run.
-- A poll that is repeated while its claim lives gets the same claim.
--
-- p_polls    array of {namespace, worker_id, task_queue, build_id?, poll_request_id, page_size, lease_seconds,
--            sticky_execution, hold_seconds, polling_seconds}, all of one namespace and queue, by worker id, so that
--            two calls lock registrations in the same order.
-- Result     one answer per poll, in order.
-- Outcomes   leased, empty; worker_not_registered, task_queue_mismatch, build_id_mismatch, namespace_not_found.
-- Locks      per poll the registration in share mode, then run and task of the claim together, skipping what others
--            hold: a claim never waits for a run. When nothing is due it takes no lock at all, but for the note that a
--            sticky worker polls.
-- Writes     workflow_tasks, sticky_counts, worker_liveness.
DELIMITER //

DROP PROCEDURE IF EXISTS claim_workflow_task//

CREATE PROCEDURE claim_workflow_task(p_polls LONGTEXT)
MODIFIES SQL DATA
SQL SECURITY DEFINER
COMMENT 'Claims ready workflow tasks of one queue for waiting polls.'
BEGIN
    DECLARE v_now DATETIME(6) DEFAULT current_instant();
    DECLARE v_is_alone BOOLEAN DEFAULT JSON_LENGTH(p_polls) = 1;
    DECLARE v_due, v_is_sticky, v_is_sticky_worker, v_takes_suffix BOOLEAN;
    DECLARE v_number, v_page_size, v_lease_seconds, v_hold_seconds, v_polling_seconds INT;
    DECLARE v_namespace, v_worker_id, v_task_queue, v_build_id, v_poll_request_id VARCHAR(255);
    DECLARE v_outcome VARCHAR(64);
    DECLARE v_body LONGTEXT;
    -- Answers that wait for those behind them, as an array: a temporary table would be the caller's to rename.
    DECLARE v_answers LONGTEXT;
    DECLARE v_done BOOLEAN DEFAULT FALSE;
    DECLARE v_polls CURSOR FOR
        SELECT
            p.number, p.namespace, p.worker_id, p.task_queue, p.build_id, p.poll_request_id, p.page_size, p.lease_seconds,
            p.sticky_execution, p.hold_seconds, p.polling_seconds
        FROM JSON_TABLE(
            p_polls, '$[*]' COLUMNS (
                number FOR ORDINALITY,
                namespace VARCHAR(255) PATH '$.namespace',
                worker_id VARCHAR(255) PATH '$.worker_id',
                task_queue VARCHAR(255) PATH '$.task_queue',
                build_id VARCHAR(255) PATH '$.build_id',
                poll_request_id VARCHAR(255) PATH '$.poll_request_id',
                page_size INT PATH '$.page_size',
                lease_seconds INT PATH '$.lease_seconds',
                sticky_execution BOOLEAN PATH '$.sticky_execution',
                hold_seconds INT PATH '$.hold_seconds',
                polling_seconds INT PATH '$.polling_seconds'
            )
        ) AS p
        ORDER BY p.number;
    DECLARE CONTINUE HANDLER FOR NOT FOUND SET v_done = TRUE;
    DECLARE EXIT HANDLER FOR SQLEXCEPTION, 1265
    BEGIN
        ROLLBACK;
        RESIGNAL;
    END;

    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    START TRANSACTION;
    OPEN v_polls;
    polls: LOOP
        SET v_done = FALSE;
        FETCH v_polls INTO
            v_number, v_namespace, v_worker_id, v_task_queue, v_build_id, v_poll_request_id, v_page_size, v_lease_seconds,
            v_is_sticky, v_hold_seconds, v_polling_seconds;
        IF v_done THEN
            LEAVE polls;
        END IF;

        IF v_due IS NULL THEN
            SET v_due = has_ready_workflow_task(v_namespace, v_task_queue, v_now, v_hold_seconds);
        END IF;
        IF v_due THEN
            SELECT w.sticky_execution, w.sticky_history_suffix INTO v_is_sticky_worker, v_takes_suffix
            FROM worker_registrations AS w
            WHERE w.namespace = v_namespace AND w.worker_id = v_worker_id
            LOCK IN SHARE MODE;
            SET v_now = current_instant();
        ELSE
            SELECT w.sticky_execution, w.sticky_history_suffix INTO v_is_sticky_worker, v_takes_suffix
            FROM worker_registrations AS w
            WHERE w.namespace = v_namespace AND w.worker_id = v_worker_id;
        END IF;

        CALL refuse_poll(v_namespace, v_worker_id, v_task_queue, v_build_id, v_outcome, v_body);
        IF v_outcome IS NULL THEN
            IF v_is_sticky_worker AND v_is_sticky THEN
                CALL record_poll(v_namespace, v_worker_id, v_polling_seconds, v_now);
            END IF;
            CALL repeat_workflow_claim(
                v_namespace, v_worker_id, v_poll_request_id, v_page_size, v_takes_suffix, v_now, v_outcome, v_body
            );
        END IF;
        -- What is answered together stays far below max_allowed_packet.
        IF v_outcome IS NULL AND v_due AND COALESCE(OCTET_LENGTH(v_answers), 0) < 2097152 THEN
            CALL lease_workflow_task(
                v_namespace, v_worker_id, v_poll_request_id, v_page_size, v_lease_seconds, v_is_sticky, v_now,
                v_outcome, v_body
            );
        END IF;
        IF v_outcome IS NULL THEN
            CALL empty_poll(v_outcome, v_body);
        END IF;
        IF NOT v_is_alone THEN
            SET v_answers = CONCAT_WS(',', v_answers, CONCAT('["', v_outcome, '",', json_string(v_body), ']'));
        END IF;
    END LOOP;
    CLOSE v_polls;
    COMMIT;

    IF v_is_alone THEN
        SELECT v_outcome AS outcome, v_body AS body, NULL AS hints;
    ELSE
        SELECT a.outcome, a.body, NULL AS hints
        FROM JSON_TABLE(
            CONCAT('[', v_answers, ']'), '$[*]' COLUMNS (
                number FOR ORDINALITY,
                outcome VARCHAR(64) PATH '$[0]',
                body LONGTEXT PATH '$[1]'
            )
        ) AS a
        ORDER BY a.number;
    END IF;
END//

DELIMITER ;
