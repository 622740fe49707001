-- Notes which worker holds a run in its cache: what a completion with sticky_cache says.
--
-- p_run_id  the run as the claim found it, whose row the caller has locked, and whose task is leased.
-- p_sticky  the checked claim (sticky_refusal): ttl_seconds, hold_seconds, history_last_sequence?.
-- p_now     the moment.
-- Locks     the run's row (already held).
-- Writes    affinities.
DELIMITER //

DROP PROCEDURE IF EXISTS record_affinity//

CREATE PROCEDURE record_affinity(p_run_id VARCHAR(36), p_sticky LONGTEXT, p_now DATETIME(6))
MODIFIES SQL DATA
COMMENT 'Records which worker holds a run in its cache, until when, and through which history sequence.'
BEGIN
    DECLARE v_namespace, v_worker_id, v_build_id VARCHAR(255);
    DECLARE v_token CHAR(32);
    DECLARE v_ttl_seconds, v_hold_seconds INT;
    DECLARE v_reported, v_bytes, v_delivered BIGINT;

    SELECT
        r.namespace, t.lease_owner, t.registration_token, r.history_size_bytes, t.delivered_sequence
    INTO v_namespace, v_worker_id, v_token, v_bytes, v_delivered
    FROM runs AS r
    INNER JOIN workflow_tasks AS t ON r.run_id = t.run_id
    WHERE r.run_id = p_run_id;
    -- The build is the registration's, as sticky_refusal has seen; the registration itself may be gone by now.
    SELECT s.build_id, s.ttl_seconds, s.hold_seconds, s.history_last_sequence
    INTO v_build_id, v_ttl_seconds, v_hold_seconds, v_reported
    FROM JSON_TABLE(
        p_sticky, '$' COLUMNS (
            build_id VARCHAR(255) PATH '$.build_id',
            ttl_seconds INT PATH '$.ttl_seconds',
            hold_seconds INT PATH '$.hold_seconds',
            history_last_sequence BIGINT PATH '$.history_last_sequence'
        )
    ) AS s;

    REPLACE INTO affinities (
        run_id, namespace, sticky_worker_id, registration_token, build_id, sticky_until, hold_seconds,
        reported_sequence, history_size_bytes, delivered_sequence
    ) VALUES (
        p_run_id, v_namespace, v_worker_id, v_token, v_build_id, p_now + INTERVAL v_ttl_seconds SECOND, v_hold_seconds,
        v_reported, v_bytes, v_delivered
    );
END//

DELIMITER ;
