-- Counts how a claim was routed. Each database connection has rows of its own, so that claims never wait for each other
-- here.
--
-- p_namespace    the namespace.
-- p_mode         the claim's replay mode.
-- p_after        the sequence that its history begins behind; 0: full history.
-- p_bytes_saved  the size of the history that a suffix leaves out.
-- p_now          the moment.
-- Locks          the connection's own row. Writes sticky_counts.
DELIMITER //

DROP PROCEDURE IF EXISTS count_sticky_claim//

CREATE PROCEDURE count_sticky_claim(
    p_namespace VARCHAR(255), p_mode VARCHAR(24), p_after BIGINT, p_bytes_saved BIGINT, p_now DATETIME(6)
)
MODIFIES SQL DATA
COMMENT 'Counts a claim by its replay mode, and what its suffix left out.'
BEGIN
    DECLARE v_second DATETIME(6) DEFAULT p_now - INTERVAL MICROSECOND(p_now) MICROSECOND;
    DECLARE v_hit INT DEFAULT p_mode = 'sticky_hit_expected';
    DECLARE v_forced INT DEFAULT p_mode = 'forced_cold_replay';
    DECLARE v_cold INT DEFAULT p_mode = 'cold_replay';
    DECLARE v_suffix INT DEFAULT p_after > 0;
    DECLARE v_bytes BIGINT DEFAULT IF(p_after > 0, p_bytes_saved, 0);

    INSERT INTO sticky_counts (
        namespace, counted_at, connection_number, hit_expected, forced_cold_replay, cold_replay, suffix_tasks,
        suffix_events_saved, suffix_bytes_saved
    ) VALUES (
        p_namespace, v_second, CONNECTION_ID(), v_hit, v_forced, v_cold, v_suffix, p_after, v_bytes
    )
    ON DUPLICATE KEY UPDATE
        hit_expected = hit_expected + v_hit,
        forced_cold_replay = forced_cold_replay + v_forced,
        cold_replay = cold_replay + v_cold,
        suffix_tasks = suffix_tasks + v_suffix,
        suffix_events_saved = suffix_events_saved + p_after,
        suffix_bytes_saved = suffix_bytes_saved + v_bytes;
END//

DELIMITER ;
