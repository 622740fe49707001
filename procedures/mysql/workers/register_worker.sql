-- Registers a worker process: what it can do, under a fresh token. A worker id that registers again is a new
-- process: what the old one held is offered again at once, and what waited for its cache waits no longer. Affinities to
-- the old process end with its token.
--
-- p_namespace     the worker's namespace.
-- p_worker_id     its id.
-- p_task_queue    the queue it polls.
-- p_registration  what it says of itself: runtime, sdk_version, build_id, workflow_types, activity_types,
--                 workflow_definition_fingerprints, workflow_command_contracts, capabilities, capability_manifest,
--                 sticky_execution, sticky_history_suffix, merged_transitions, max_concurrent_*, task_slots,
--                 process_metrics, stale_seconds, protocol_version; arrays and objects as text.
-- Outcomes        registered; namespace_not_found, workflow_definition_changed (a type that stays advertised has
--                 another fingerprint: a changed program needs a new worker id).
-- Locks           the registration (of a new worker id: its liveness row); then the tasks and activities that the
--                 old process had leased.
-- Writes          worker_registrations, worker_incarnations, worker_liveness, workflow_tasks, activities.
DELIMITER //

DROP PROCEDURE IF EXISTS register_worker//

CREATE PROCEDURE register_worker(
    p_namespace VARCHAR(300), p_worker_id VARCHAR(300), p_task_queue VARCHAR(300), p_registration LONGTEXT
)
MODIFIES SQL DATA
SQL SECURITY DEFINER
COMMENT 'Registers a worker under a fresh token, and expires what an earlier process of the same id had leased.'
BEGIN
    DECLARE v_now, v_stale_at DATETIME(6);
    DECLARE v_old_token CHAR(32);
    DECLARE v_token CHAR(32) DEFAULT LOWER(HEX(RANDOM_BYTES(16)));
    DECLARE v_old_types, v_old_fingerprints LONGTEXT;
    DECLARE v_types, v_activity_types, v_fingerprints, v_contracts, v_capabilities, v_manifest LONGTEXT;
    DECLARE v_task_slots, v_process_metrics LONGTEXT;
    DECLARE v_runtime, v_sdk_version, v_protocol_version VARCHAR(64);
    DECLARE v_build_id, v_old_task_queue, v_changed VARCHAR(255);
    DECLARE v_is_sticky, v_takes_suffix, v_merges, v_released BOOLEAN;
    DECLARE v_max_workflow_tasks, v_max_activity_tasks, v_max_sessions, v_stale_seconds, v_count INT;
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
        SELECT
            g.runtime, g.sdk_version, g.build_id, g.protocol_version, g.workflow_types, g.activity_types,
            g.fingerprints, g.contracts, g.capabilities, g.manifest, g.sticky_execution, g.sticky_history_suffix,
            g.merged_transitions, g.max_workflow_tasks, g.max_activity_tasks, g.max_sessions, g.task_slots,
            g.process_metrics, g.stale_seconds
        INTO
            v_runtime, v_sdk_version, v_build_id, v_protocol_version, v_types, v_activity_types,
            v_fingerprints, v_contracts, v_capabilities, v_manifest, v_is_sticky, v_takes_suffix,
            v_merges, v_max_workflow_tasks, v_max_activity_tasks, v_max_sessions, v_task_slots,
            v_process_metrics, v_stale_seconds
        FROM JSON_TABLE(
            p_registration, '$' COLUMNS (
                runtime VARCHAR(64) PATH '$.runtime',
                sdk_version VARCHAR(64) PATH '$.sdk_version',
                build_id VARCHAR(255) PATH '$.build_id',
                protocol_version VARCHAR(64) PATH '$.protocol_version',
                workflow_types LONGTEXT PATH '$.workflow_types',
                activity_types LONGTEXT PATH '$.activity_types',
                fingerprints LONGTEXT PATH '$.workflow_definition_fingerprints',
                contracts LONGTEXT PATH '$.workflow_command_contracts',
                capabilities LONGTEXT PATH '$.capabilities',
                manifest LONGTEXT PATH '$.capability_manifest',
                sticky_execution BOOLEAN PATH '$.sticky_execution',
                sticky_history_suffix BOOLEAN PATH '$.sticky_history_suffix',
                merged_transitions BOOLEAN PATH '$.merged_transitions',
                max_workflow_tasks INT PATH '$.max_concurrent_workflow_tasks',
                max_activity_tasks INT PATH '$.max_concurrent_activity_tasks',
                max_sessions INT PATH '$.max_concurrent_worker_sessions',
                task_slots LONGTEXT PATH '$.task_slots',
                process_metrics LONGTEXT PATH '$.process_metrics',
                stale_seconds INT PATH '$.stale_seconds'
            )
        ) AS g;

        SELECT w.registration_token, w.task_queue, w.workflow_types, w.workflow_definition_fingerprints
        INTO v_old_token, v_old_task_queue, v_old_types, v_old_fingerprints
        FROM worker_registrations AS w
        WHERE w.namespace = p_namespace AND w.worker_id = p_worker_id
        FOR UPDATE;
        SET v_now = current_instant();
        SET v_stale_at = v_now + INTERVAL v_stale_seconds SECOND;

        IF v_old_token IS NULL THEN
            -- Two first registrations of one id meet here: the second waits for the first, and then finds it.
            INSERT INTO worker_liveness (namespace, worker_id, last_heartbeat_at, stale_at, task_slots, process_metrics)
            VALUES (p_namespace, p_worker_id, v_now, v_stale_at, v_task_slots, v_process_metrics)
            ON DUPLICATE KEY UPDATE worker_id = p_worker_id;
            SELECT w.registration_token, w.task_queue, w.workflow_types, w.workflow_definition_fingerprints
            INTO v_old_token, v_old_task_queue, v_old_types, v_old_fingerprints
            FROM worker_registrations AS w
            WHERE w.namespace = p_namespace AND w.worker_id = p_worker_id
            FOR UPDATE;
        END IF;

        SET v_changed = changed_definition(v_old_types, v_old_fingerprints, v_types, v_fingerprints);
        IF v_changed IS NOT NULL THEN
            CALL refuse(
                'workflow_definition_changed',
                CONCAT(
                    ',"registered":false,"worker_id":', json_string(p_worker_id),
                    ',"workflow_type":', json_string(v_changed)
                ),
                v_outcome, v_body
            );
            LEAVE steps;
        END IF;

        REPLACE INTO worker_registrations (
            namespace, worker_id, registration_token, task_queue, runtime, sdk_version, build_id, protocol_version,
            workflow_types, activity_types, workflow_definition_fingerprints, workflow_command_contracts,
            capabilities, capability_manifest, sticky_execution, sticky_history_suffix, merged_transitions,
            max_concurrent_workflow_tasks, max_concurrent_activity_tasks, max_concurrent_worker_sessions, registered_at
        ) VALUES (
            p_namespace, p_worker_id, v_token, p_task_queue, v_runtime, v_sdk_version, v_build_id, v_protocol_version,
            v_types, v_activity_types, v_fingerprints, v_contracts, v_capabilities, v_manifest, v_is_sticky, v_takes_suffix,
            v_merges, v_max_workflow_tasks, v_max_activity_tasks, v_max_sessions, v_now
        );

        IF v_old_token IS NOT NULL THEN
            UPDATE worker_incarnations AS i SET i.status = 'superseded', i.finished_at = v_now
            WHERE i.registration_token = v_old_token;
            CALL expire_worker_leases(p_namespace, p_worker_id, v_now, v_count);
            CALL release_sticky_holds(v_old_token, v_now, v_released);
            SET v_hints = CONCAT(
                '[["due","', wire_time(v_now), '"]',
                IF(v_released, CONCAT(',', ready_hint('workflow', p_namespace, v_old_task_queue, NULL)), ''), ']'
            );
        END IF;
        INSERT INTO worker_incarnations (registration_token, namespace, worker_id, status)
        VALUES (v_token, p_namespace, p_worker_id, 'active');

        REPLACE INTO worker_liveness (namespace, worker_id, last_heartbeat_at, stale_at, task_slots, process_metrics)
        VALUES (p_namespace, p_worker_id, v_now, v_stale_at, v_task_slots, v_process_metrics);

        SET v_outcome = 'registered';
        SET v_body = CONCAT(
            '{"worker_id":', json_string(p_worker_id),
            ',"registered":true,"namespace":', json_string(p_namespace),
            ',"task_queue":', json_string(p_task_queue),
            ',"runtime":', json_string(v_runtime),
            json_member('build_id', json_string(v_build_id)),
            ',"capabilities":', v_capabilities,
            ',"capability_manifest":', v_manifest,
            ',"status":"active","registration_token":"', v_token, '"}'
        );
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
