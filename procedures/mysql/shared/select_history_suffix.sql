-- From where on a claim is sent history: behind what its worker provably holds, or from the beginning.
--
-- p_run_id                  the run.
-- p_namespace, p_worker_id  the worker that claims.
-- p_mode                    the claim's replay mode (sticky_replay_mode).
-- p_last_sequence           the run's last history sequence.
-- Result                    the sequence that the suffix begins behind; 0: full history. All five conditions must hold.
-- Locks                     none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS select_history_suffix//

CREATE FUNCTION select_history_suffix(
    p_run_id VARCHAR(36), p_namespace VARCHAR(255), p_worker_id VARCHAR(255), p_mode VARCHAR(24), p_last_sequence BIGINT
)
RETURNS BIGINT
READS SQL DATA
COMMENT 'The history sequence behind which a claim is sent events, 0 for full history.'
BEGIN
    DECLARE v_after BIGINT DEFAULT 0;

    SELECT a.reported_sequence INTO v_after
    FROM affinities AS a
    CROSS JOIN worker_registrations AS w
    WHERE a.run_id = p_run_id AND w.namespace = p_namespace AND w.worker_id = p_worker_id
        -- 1. The same worker, unexpired, under the same registration and build.
        AND p_mode = 'sticky_hit_expected'
        -- 2. It asked for suffixes when it registered.
        AND w.sticky_history_suffix
        -- 3. Its last accepted completion of this run said through where it holds the history.
        AND a.reported_sequence IS NOT NULL
        -- 4. That was delivered to it.
        AND a.reported_sequence <= a.delivered_sequence
        -- 5. That lies within the run's history.
        AND a.reported_sequence BETWEEN 1 AND p_last_sequence;
    RETURN v_after;
END//

DELIMITER ;
