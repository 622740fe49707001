-- Reads a page of a run's history for a client.
--
-- p_namespace       the namespace.
-- p_workflow_id     the workflow.
-- p_run_id          its run.
-- p_after_sequence  the page begins behind this history sequence.
-- p_page_size       how many events at most.
-- Outcomes          page; end_of_page (nothing there yet), end_of_history (nothing will come: the run is closed);
--                   instance_not_found, run_not_found, namespace_not_found.
-- Locks             none. Writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS read_history//

CREATE PROCEDURE read_history(
    p_namespace VARCHAR(300), p_workflow_id VARCHAR(300), p_run_id VARCHAR(300), p_after_sequence INT, p_page_size INT
)
READS SQL DATA
SQL SECURITY DEFINER
COMMENT 'A page of a run''s history.'
BEGIN
    DECLARE v_sequence, v_last BIGINT;
    DECLARE v_closed_at DATETIME(6);
    DECLARE v_events LONGTEXT;
    DECLARE v_token VARCHAR(64);
    DECLARE v_missing LONGTEXT DEFAULT CONCAT(
        ',"workflow_id":', json_string(p_workflow_id), ',"run_id":', json_string(p_run_id)
    );
    DECLARE v_workflows INT;
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
        SELECT r.last_history_sequence, r.closed_at INTO v_sequence, v_closed_at FROM runs AS r
        WHERE r.run_id = p_run_id AND r.namespace = p_namespace AND r.workflow_id = p_workflow_id;
        IF v_sequence IS NULL THEN
            SELECT COUNT(*) INTO v_workflows FROM workflows AS w
            WHERE w.namespace = p_namespace AND w.workflow_id = p_workflow_id;
            CALL refuse_missing(
                p_namespace,
                IF(v_workflows = 1, 'run_not_found', 'instance_not_found'),
                v_missing, v_outcome, v_body
            );
            LEAVE steps;
        END IF;

        CALL history_page(p_run_id, p_after_sequence, v_sequence, p_page_size, v_events, v_last, v_token);

        SET v_outcome = CASE
            WHEN v_last IS NOT NULL THEN 'page'
            WHEN v_closed_at IS NULL THEN 'end_of_page'
            ELSE 'end_of_history'
        END;
        SET v_body = CONCAT(
            '{', SUBSTRING(v_missing, 2),
            ',"events":[', COALESCE(v_events, ''), '],"last_history_sequence":', v_sequence,
            ',"next_page_token":', COALESCE(json_string(v_token), 'null'), '}'
        );
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
