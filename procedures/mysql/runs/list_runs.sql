-- Lists the runs of a namespace, newest first.
--
-- p_namespace      the namespace.
-- p_workflow_type  only runs of this type; null: of all.
-- p_status_bucket  only running, completed or failed ones; null: all.
-- p_page_size      how many at most.
-- p_page_token     the last run id of the page before; null: from the newest.
-- Outcomes         listed; namespace_not_found.
-- Locks            none. Writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS list_runs//

CREATE PROCEDURE list_runs(
    p_namespace VARCHAR(300), p_workflow_type VARCHAR(300), p_status_bucket VARCHAR(16), p_page_size INT,
    p_page_token VARCHAR(300)
)
READS SQL DATA
SQL SECURITY DEFINER
COMMENT 'A page of runs, newest first, by type and by status bucket.'
BEGIN
    -- Run ids begin with hex digits, so this sorts behind all of them.
    DECLARE v_before VARCHAR(255) DEFAULT COALESCE(p_page_token, 'g');
    DECLARE v_limit INT DEFAULT p_page_size + 1;
    DECLARE v_ids, v_rows LONGTEXT;
    DECLARE v_found INT;
    DECLARE v_namespaces INT;
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
        SELECT COUNT(*) INTO v_namespaces FROM namespaces AS n WHERE n.name = p_namespace;
        IF v_namespaces = 0 THEN
            CALL refuse_missing(p_namespace, 'namespace_not_found', '', v_outcome, v_body);
            LEAVE steps;
        END IF;
        -- GROUP_CONCAT cuts what is longer.
        SET SESSION group_concat_max_len = 67108864;

        -- One statement per filter, so that each has the plan of its own index.
        IF p_workflow_type IS NOT NULL THEN
            -- In the index a type's runs lie apart by status: of the newest of each, the newest.
            SELECT GROUP_CONCAT(i.run_id ORDER BY i.run_id DESC SEPARATOR '","'), COUNT(*) INTO v_ids, v_found
            FROM (
                (
                    SELECT r.run_id FROM runs AS r FORCE INDEX (runs_newest_by_type)
                    WHERE r.namespace = p_namespace AND r.workflow_type = p_workflow_type AND r.run_id < v_before
                        AND r.status_bucket = 'running' AND COALESCE(p_status_bucket, 'running') = 'running'
                    ORDER BY r.run_id DESC LIMIT v_limit
                )
                UNION ALL
                (
                    SELECT r.run_id FROM runs AS r FORCE INDEX (runs_newest_by_type)
                    WHERE r.namespace = p_namespace AND r.workflow_type = p_workflow_type AND r.run_id < v_before
                        AND r.status_bucket = 'completed' AND COALESCE(p_status_bucket, 'completed') = 'completed'
                    ORDER BY r.run_id DESC LIMIT v_limit
                )
                UNION ALL
                (
                    SELECT r.run_id FROM runs AS r FORCE INDEX (runs_newest_by_type)
                    WHERE r.namespace = p_namespace AND r.workflow_type = p_workflow_type AND r.run_id < v_before
                        AND r.status_bucket = 'failed' AND COALESCE(p_status_bucket, 'failed') = 'failed'
                    ORDER BY r.run_id DESC LIMIT v_limit
                )
                ORDER BY run_id DESC LIMIT v_limit
            ) AS i;
        ELSEIF p_status_bucket IS NOT NULL THEN
            SELECT GROUP_CONCAT(i.run_id ORDER BY i.run_id DESC SEPARATOR '","'), COUNT(*) INTO v_ids, v_found
            FROM (
                SELECT r.run_id FROM runs AS r FORCE INDEX (runs_newest_by_status)
                WHERE r.namespace = p_namespace AND r.status_bucket = p_status_bucket AND r.run_id < v_before
                ORDER BY r.run_id DESC LIMIT v_limit
            ) AS i;
        ELSE
            SELECT GROUP_CONCAT(i.run_id ORDER BY i.run_id DESC SEPARATOR '","'), COUNT(*) INTO v_ids, v_found
            FROM (
                SELECT r.run_id FROM runs AS r FORCE INDEX (runs_newest)
                WHERE r.namespace = p_namespace AND r.run_id < v_before
                ORDER BY r.run_id DESC LIMIT v_limit
            ) AS i;
        END IF;

        SELECT GROUP_CONCAT(
            CONCAT(
                '{', run_summary(r.run_id), ',"is_terminal":', IF(r.closed_at IS NULL, 'false', 'true'),
                ',"memo":', COALESCE(p.memo, '{}'),
                ',"search_attributes":', COALESCE(p.search_attributes, '{}'), '}'
            )
            ORDER BY i.number SEPARATOR ','
        )
        INTO v_rows
        FROM JSON_TABLE(
            CONCAT('["', v_ids, '"]'), '$[*]' COLUMNS (number FOR ORDINALITY, run_id VARCHAR(36) PATH '$')
        ) AS i
        INNER JOIN runs AS r ON i.run_id = r.run_id
        LEFT JOIN run_payloads AS p ON r.run_id = p.run_id
        WHERE i.number <= p_page_size;

        SET v_outcome = 'listed';
        SET v_body = CONCAT(
            '{"workflows":[', COALESCE(v_rows, ''), '],"workflow_count":', LEAST(v_found, p_page_size),
            ',"next_page_token":',
            IF(
                v_found > p_page_size,
                json_string(TO_BASE64(RIGHT(SUBSTRING_INDEX(v_ids, '","', p_page_size), 36))),
                'null'
            ),
            '}'
        );
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
