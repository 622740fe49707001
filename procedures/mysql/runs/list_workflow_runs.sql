-- Lists the runs of one workflow, oldest first.
--
-- p_namespace     the namespace.
-- p_workflow_id   the workflow.
-- p_after_number  the page begins behind the run with this number.
-- p_page_size     how many at most.
-- Outcomes        listed; instance_not_found, namespace_not_found.
-- Locks           none. Writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS list_workflow_runs//

CREATE PROCEDURE list_workflow_runs(
    p_namespace VARCHAR(300), p_workflow_id VARCHAR(300), p_after_number INT, p_page_size INT
)
READS SQL DATA
SQL SECURITY DEFINER
COMMENT 'A page of the runs of one workflow, oldest first.'
BEGIN
    DECLARE v_current_run_id VARCHAR(36);
    DECLARE v_run_count, v_last INT;
    DECLARE v_rows LONGTEXT;
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
        SELECT w.current_run_id, w.run_count INTO v_current_run_id, v_run_count FROM workflows AS w
        WHERE w.namespace = p_namespace AND w.workflow_id = p_workflow_id;
        IF v_run_count IS NULL THEN
            CALL refuse_missing(
                p_namespace, 'instance_not_found', CONCAT(',"workflow_id":', json_string(p_workflow_id)),
                v_outcome, v_body
            );
            LEAVE steps;
        END IF;
        -- GROUP_CONCAT cuts what is longer.
        SET SESSION group_concat_max_len = 67108864;

        SELECT
            GROUP_CONCAT(
                CONCAT(
                    '{', run_summary(r.run_id),
                    ',"is_terminal":', IF(r.closed_at IS NULL, 'false', 'true'),
                    ',"run_number":', r.run_number,
                    ',"is_current_run":', IF(r.run_id = v_current_run_id, 'true', 'false'), '}'
                )
                ORDER BY r.run_number SEPARATOR ','
            ),
            MAX(r.run_number)
        INTO v_rows, v_last
        FROM (
            SELECT p.run_id, p.run_number, p.closed_at FROM runs AS p FORCE INDEX (runs_of_workflow)
            WHERE p.namespace = p_namespace AND p.workflow_id = p_workflow_id AND p.run_number > p_after_number
            ORDER BY p.run_number LIMIT p_page_size
        ) AS r;

        SET v_outcome = 'listed';
        SET v_body = CONCAT(
            '{"workflow_id":', json_string(p_workflow_id),
            ',"run_count":', v_run_count,
            ',"runs":[', COALESCE(v_rows, ''), '],"next_page_token":',
            IF(v_last < v_run_count, json_string(TO_BASE64(v_last)), 'null'), '}'
        );
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
