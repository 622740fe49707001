-- Notes that polls of workers for workflow tasks are still waiting.
--
-- p_polls            array of [namespace, worker_id], in this order, so that two calls lock in the same order.
-- p_polling_seconds  for how long that vouches for the workers.
-- Outcomes           recorded.
-- Locks              the workers' liveness rows, skipping what others hold. Writes worker_liveness.
DELIMITER //

DROP PROCEDURE IF EXISTS record_polls//

CREATE PROCEDURE record_polls(p_polls LONGTEXT, p_polling_seconds INT)
MODIFIES SQL DATA
SQL SECURITY DEFINER
COMMENT 'Records which workers have a poll for workflow tasks waiting.'
BEGIN
    DECLARE v_now DATETIME(6) DEFAULT current_instant();
    DECLARE v_namespace, v_worker_id VARCHAR(255);
    DECLARE v_done BOOLEAN DEFAULT FALSE;
    DECLARE v_outcome VARCHAR(64);
    DECLARE v_body, v_hints LONGTEXT;
    DECLARE v_workers CURSOR FOR
        SELECT w.namespace, w.worker_id
        FROM JSON_TABLE(
            p_polls, '$[*]' COLUMNS (
                number FOR ORDINALITY,
                namespace VARCHAR(255) PATH '$[0]',
                worker_id VARCHAR(255) PATH '$[1]'
            )
        ) AS p
        INNER JOIN worker_registrations AS w ON p.namespace = w.namespace AND p.worker_id = w.worker_id
        WHERE w.sticky_execution
        ORDER BY p.number;
    DECLARE CONTINUE HANDLER FOR NOT FOUND SET v_done = TRUE;
    DECLARE EXIT HANDLER FOR SQLEXCEPTION, 1265
    BEGIN
        ROLLBACK;
        RESIGNAL;
    END;

    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    START TRANSACTION;
    steps: BEGIN
        OPEN v_workers;
        workers: LOOP
            SET v_done = FALSE;
            FETCH v_workers INTO v_namespace, v_worker_id;
            IF v_done THEN
                LEAVE workers;
            END IF;
            CALL record_poll(v_namespace, v_worker_id, p_polling_seconds, v_now);
        END LOOP;
        CLOSE v_workers;

        SET v_outcome = 'recorded';
        SET v_body = '{"recorded":true}';
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
