-- What a claim may expect of its worker's cache.
--
-- p_run_id                  the run.
-- p_namespace, p_worker_id  the worker that claims.
-- p_last_sequence           the run's last history sequence.
-- p_now                     the moment.
-- Result                    sticky_hit_expected, forced_cold_replay (there is an affinity that does not hold) or
--                           cold_replay.
-- Locks                     none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS sticky_replay_mode//

CREATE FUNCTION sticky_replay_mode(
    p_run_id VARCHAR(36), p_namespace VARCHAR(255), p_worker_id VARCHAR(255), p_last_sequence BIGINT, p_now DATETIME(6)
)
RETURNS VARCHAR(24)
READS SQL DATA
COMMENT 'Whether a claim is expected to hit its worker''s history cache.'
BEGIN
    DECLARE v_mode VARCHAR(24) DEFAULT 'cold_replay';

    SELECT CASE
        WHEN a.sticky_until <= p_now THEN 'forced_cold_replay'
        WHEN a.sticky_worker_id <> w.worker_id THEN 'forced_cold_replay'
        WHEN a.registration_token <> w.registration_token THEN 'forced_cold_replay'
        WHEN NOT a.build_id <=> COALESCE(w.build_id, w.sdk_version) THEN 'forced_cold_replay'
        -- A worker that says it holds what it was never given, or what the run no longer has, holds something else.
        WHEN a.reported_sequence > a.delivered_sequence THEN 'forced_cold_replay'
        WHEN a.reported_sequence > p_last_sequence THEN 'forced_cold_replay'
        ELSE 'sticky_hit_expected'
    END
    INTO v_mode
    FROM affinities AS a
    CROSS JOIN worker_registrations AS w
    WHERE a.run_id = p_run_id AND w.namespace = p_namespace AND w.worker_id = p_worker_id;
    RETURN v_mode;
END//

DELIMITER ;
