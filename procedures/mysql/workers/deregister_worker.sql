-- Takes a worker out of service and offers again what it held. With a token it is fenced: only that very
-- registration is ended, and the answer can be had again while its receipt is kept.
--
-- p_namespace           the worker's namespace.
-- p_worker_id           its id.
-- p_registration_token  the registration to end; null: whichever is current.
-- p_receipt_seconds     for how long a receipt can be asked for.
-- Outcomes              deregistered; worker_not_found, worker_registration_token_not_found,
--                       worker_registration_lost_authority (another registration took its place),
--                       worker_registration_receipt_expired, namespace_not_found.
-- Locks                 the registration, its incarnation; then what the worker had leased.
-- Writes                worker_registrations, worker_liveness, worker_incarnations, workflow_tasks, activities.
DELIMITER //

DROP PROCEDURE IF EXISTS deregister_worker//

CREATE PROCEDURE deregister_worker(
    p_namespace VARCHAR(300), p_worker_id VARCHAR(300), p_registration_token VARCHAR(300), p_receipt_seconds INT
)
MODIFIES SQL DATA
SQL SECURITY DEFINER
COMMENT 'Ends a worker''s registration, fenced by its token, and lets its leases run out at once.'
BEGIN
    DECLARE v_now DATETIME(6);
    DECLARE v_token VARCHAR(255) DEFAULT p_registration_token;
    DECLARE v_current_token CHAR(32);
    DECLARE v_task_queue VARCHAR(255);
    DECLARE v_status VARCHAR(16);
    DECLARE v_finished_at DATETIME(6);
    DECLARE v_recovered INT;
    DECLARE v_released BOOLEAN DEFAULT FALSE;
    DECLARE v_members LONGTEXT DEFAULT CONCAT(',"worker_id":', json_string(p_worker_id));
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
        SELECT w.registration_token, w.task_queue INTO v_current_token, v_task_queue FROM worker_registrations AS w
        WHERE w.namespace = p_namespace AND w.worker_id = p_worker_id
        FOR UPDATE;
        SET v_now = current_instant();

        IF p_registration_token IS NULL THEN
            IF v_current_token IS NULL THEN
                CALL refuse_missing(p_namespace, 'worker_not_found', v_members, v_outcome, v_body);
                LEAVE steps;
            END IF;
            SET v_token = v_current_token;
        END IF;

        SELECT i.status, i.finished_at, i.recovered_workflow_task_count
        INTO v_status, v_finished_at, v_recovered
        FROM worker_incarnations AS i
        WHERE i.registration_token = v_token AND i.namespace = p_namespace AND i.worker_id = p_worker_id
        FOR UPDATE;

        IF v_status IS NULL THEN
            CALL refuse_missing(p_namespace, 'worker_registration_token_not_found', v_members, v_outcome, v_body);
            LEAVE steps;
        ELSEIF v_status = 'superseded' THEN
            CALL refuse('worker_registration_lost_authority', v_members, v_outcome, v_body);
            LEAVE steps;
        ELSEIF v_status = 'deregistered' AND v_finished_at <= v_now - INTERVAL p_receipt_seconds SECOND THEN
            CALL refuse('worker_registration_receipt_expired', v_members, v_outcome, v_body);
            LEAVE steps;
        END IF;

        IF v_status = 'active' THEN
            CALL expire_worker_leases(p_namespace, p_worker_id, v_now, v_recovered);
            CALL release_sticky_holds(v_token, v_now, v_released);
            DELETE FROM worker_registrations WHERE namespace = p_namespace AND worker_id = p_worker_id;
            DELETE FROM worker_liveness WHERE namespace = p_namespace AND worker_id = p_worker_id;
            UPDATE worker_incarnations AS i
            SET i.status = 'deregistered', i.finished_at = v_now, i.recovered_workflow_task_count = v_recovered
            WHERE i.registration_token = v_token;
        END IF;

        SET v_outcome = 'deregistered';
        SET v_body = CONCAT(
            '{"worker_id":', json_string(p_worker_id),
            ',"outcome":"deregistered","recovered_workflow_task_count":', v_recovered,
            json_member('registration_token', json_string(p_registration_token)), '}'
        );
        SET v_hints = CONCAT(
            '[["due","', wire_time(v_now), '"]',
            IF(v_released, CONCAT(',', ready_hint('workflow', p_namespace, v_task_queue, NULL)), ''), ']'
        );
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
