-- Starts a workflow: its first run, with one ready workflow task. A workflow id is used once.
--
-- p_namespace         the namespace.
-- p_workflow_id       the workflow's id.
-- p_workflow_type     its type.
-- p_task_queue        the queue of its tasks.
-- p_duplicate_policy  fail; or use-existing: answer with the current run while it is open.
-- p_request_id        repeats of one request get one answer; null: not repeatable.
-- p_digest            digest of the request's body.
-- p_start             input, business_key, memo, search_attributes, execution_timeout_seconds, run_timeout_seconds,
--                     priority, fairness_key, fairness_weight, build_id.
-- Outcomes            started_new, returned_existing_active; instance_already_started, workflow_type_mismatch,
--                     request_id_conflict, namespace_not_found.
-- Locks               the workflow id, by inserting it.
-- Writes              workflows; through open_run runs, run_payloads, history_events, workflow_tasks.
DELIMITER //

DROP PROCEDURE IF EXISTS start_run//

CREATE PROCEDURE start_run(
    p_namespace VARCHAR(300), p_workflow_id VARCHAR(300), p_workflow_type VARCHAR(300), p_task_queue VARCHAR(300),
    p_duplicate_policy VARCHAR(16), p_request_id VARCHAR(300), p_digest VARCHAR(64), p_start LONGTEXT
)
MODIFIES SQL DATA
SQL SECURITY DEFINER
COMMENT 'Starts a workflow under an unused id, or answers for the one that is there.'
BEGIN
    DECLARE v_now DATETIME(6) DEFAULT current_instant();
    DECLARE v_run_id, v_first_run_id VARCHAR(36);
    DECLARE v_build_id, v_fairness_key, v_business_key VARCHAR(255);
    DECLARE v_priority, v_fairness_weight, v_execution_timeout, v_run_timeout INT;
    DECLARE v_input, v_memo, v_search_attributes LONGTEXT;
    DECLARE v_namespaces INT;
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
        SELECT COUNT(*) INTO v_namespaces FROM namespaces AS n WHERE n.name = p_namespace;
        IF v_namespaces = 0 THEN
            CALL refuse_missing(p_namespace, 'namespace_not_found', '', v_outcome, v_body);
            LEAVE steps;
        END IF;

        SET v_run_id = new_run_id(v_now);
        INSERT INTO workflows (
            namespace, workflow_id, workflow_type, first_run_id, current_run_id, start_request_id, start_digest
        ) VALUES (
            p_namespace, p_workflow_id, p_workflow_type, v_run_id, v_run_id, p_request_id, p_digest
        )
        ON DUPLICATE KEY UPDATE workflow_id = p_workflow_id;

        SELECT w.first_run_id INTO v_first_run_id FROM workflows AS w
        WHERE w.namespace = p_namespace AND w.workflow_id = p_workflow_id;
        IF v_first_run_id <> v_run_id THEN
            CALL answer_existing_workflow(
                p_namespace, p_workflow_id, p_workflow_type, p_duplicate_policy, p_request_id, p_digest,
                v_outcome, v_body
            );
            LEAVE steps;
        END IF;

        SELECT
            s.build_id, s.priority, s.fairness_key, s.fairness_weight, s.business_key, s.execution_timeout,
            s.run_timeout, s.input, s.memo, s.search_attributes
        INTO
            v_build_id, v_priority, v_fairness_key, v_fairness_weight, v_business_key, v_execution_timeout,
            v_run_timeout, v_input, v_memo, v_search_attributes
        FROM JSON_TABLE(
            p_start, '$' COLUMNS (
                build_id VARCHAR(255) PATH '$.build_id',
                priority INT PATH '$.priority',
                fairness_key VARCHAR(255) PATH '$.fairness_key',
                fairness_weight INT PATH '$.fairness_weight',
                business_key VARCHAR(255) PATH '$.business_key',
                execution_timeout INT PATH '$.execution_timeout_seconds',
                run_timeout INT PATH '$.run_timeout_seconds',
                input LONGTEXT PATH '$.input',
                memo LONGTEXT PATH '$.memo',
                search_attributes LONGTEXT PATH '$.search_attributes'
            )
        ) AS s;
        CALL open_run(
            v_run_id, p_namespace, p_workflow_id, 1, v_run_id, p_workflow_type, p_task_queue, v_build_id, v_priority,
            v_fairness_key, v_fairness_weight, v_business_key, NULL, v_execution_timeout, v_run_timeout,
            v_now + INTERVAL v_execution_timeout SECOND, v_now + INTERVAL v_run_timeout SECOND,
            v_input, v_memo, v_search_attributes, v_now, v_hints
        );

        SET v_outcome = 'started_new';
        SET v_body = CONCAT(
            started_body(p_namespace, p_workflow_id, v_run_id, p_workflow_type, 'pending', 'started_new'), '}'
        );
        SET v_hints = CONCAT('[', v_hints, ']');
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
