-- Why a completion's sticky_cache cannot be accepted: the worker did not advertise what it uses, or speaks of another
-- worker, run or build than the task's.
--
-- p_run_id           the run, whose task is leased.
-- p_sticky           sticky_cache: worker_id, workflow_id, run_id, build_id, history_last_sequence?; protocol_version.
-- p_outcome, p_body  worker_capability_not_supported, validation_failed, sticky_cache_identity_mismatch; or null.
-- Locks              none. Writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS sticky_refusal//

CREATE PROCEDURE sticky_refusal(
    p_run_id VARCHAR(36), p_sticky LONGTEXT, OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT
)
READS SQL DATA
COMMENT 'The refusal of a completion''s sticky_cache, or null.'
BEGIN
    DECLARE v_worker_id, v_workflow_id, v_run_id, v_build_id, v_protocol_version LONGTEXT;
    DECLARE v_last BIGINT;
    DECLARE v_reason VARCHAR(64);
    DECLARE v_members, v_capability, v_text LONGTEXT;

    -- As wide as the document, since a name that is too long would come as null.
    SELECT s.worker_id, s.workflow_id, s.run_id, s.build_id, s.protocol_version, s.history_last_sequence
    INTO v_worker_id, v_workflow_id, v_run_id, v_build_id, v_protocol_version, v_last
    FROM JSON_TABLE(
        p_sticky, '$' COLUMNS (
            worker_id LONGTEXT PATH '$.worker_id',
            workflow_id LONGTEXT PATH '$.workflow_id',
            run_id LONGTEXT PATH '$.run_id',
            build_id LONGTEXT PATH '$.build_id',
            protocol_version LONGTEXT PATH '$.protocol_version',
            history_last_sequence BIGINT PATH '$.history_last_sequence'
        )
    ) AS s;
    SELECT
        CONCAT(
            ',"task_id":"', r.run_id, ':k', t.task_number, '","workflow_task_attempt":', t.attempt,
            ',"outcome":"rejected","recorded":false'
        ),
        CASE
            WHEN NOT COALESCE(w.sticky_execution, FALSE) THEN 'worker_capability_not_supported'
            WHEN v_last IS NOT NULL AND NOT w.sticky_history_suffix THEN 'validation_failed'
            WHEN v_worker_id <> t.lease_owner OR v_workflow_id <> r.workflow_id OR v_run_id <> r.run_id
                OR NOT v_build_id <=> COALESCE(w.build_id, w.sdk_version) THEN 'sticky_cache_identity_mismatch'
        END
    INTO v_members, v_reason
    FROM runs AS r
    INNER JOIN workflow_tasks AS t ON r.run_id = t.run_id
    LEFT JOIN worker_registrations AS w ON t.namespace = w.namespace AND t.lease_owner = w.worker_id
    WHERE r.run_id = p_run_id;
    SET v_capability = CONCAT(
        ',"capability":"sticky_execution","requested_version":', json_string(v_protocol_version),
        ',"minimum_protocol_version":"1.18"'
    );

    SET p_outcome = NULL;
    SET p_body = NULL;
    IF v_reason = 'worker_capability_not_supported' THEN
        CALL refuse(
            v_reason,
            CONCAT(
                v_members, v_capability,
                ',"remediation":"Register the worker with the capability sticky_execution, or leave sticky_cache out."'
            ),
            p_outcome, p_body
        );
    ELSEIF v_reason = 'validation_failed' THEN
        SET v_text = CONCAT(
            '{"sticky_cache.history_last_sequence":',
            '["must be absent: the worker did not register with sticky_history_suffix"]}'
        );
        CALL refuse(
            v_reason, CONCAT(v_members, ',"errors":', v_text, ',"validation_errors":', v_text), p_outcome, p_body
        );
    ELSEIF v_reason = 'sticky_cache_identity_mismatch' THEN
        CALL refuse(
            v_reason,
            CONCAT(
                v_members, v_capability,
                ',"remediation":"Name the task''s own worker, workflow and run, and the build that was registered."'
            ),
            p_outcome, p_body
        );
    END IF;
END//

DELIMITER ;
