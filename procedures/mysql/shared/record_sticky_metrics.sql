-- Keeps the totals that a worker reports of its history cache. Its other completions report them too: one that is
-- being recorded elsewhere is not waited for.
--
-- p_namespace  the worker's namespace.
-- p_worker_id  its id.
-- p_sticky     hit, miss, eviction, forced_cold_replay.
-- Locks        the worker's liveness row, unless another has it.
-- Writes       worker_liveness.
DELIMITER //

DROP PROCEDURE IF EXISTS record_sticky_metrics//

CREATE PROCEDURE record_sticky_metrics(p_namespace VARCHAR(255), p_worker_id VARCHAR(255), p_sticky LONGTEXT)
MODIFIES SQL DATA
COMMENT 'Records what a worker reports of its history cache.'
BEGIN
    DECLARE v_hits, v_misses, v_evictions, v_forced BIGINT;
    DECLARE v_locked VARCHAR(255);

    SELECT l.worker_id INTO v_locked FROM worker_liveness AS l
    WHERE l.namespace = p_namespace AND l.worker_id = p_worker_id
    FOR UPDATE SKIP LOCKED;
    IF v_locked IS NOT NULL THEN
        SELECT s.hit, s.miss, s.eviction, s.forced_cold_replay INTO v_hits, v_misses, v_evictions, v_forced
        FROM JSON_TABLE(
            p_sticky, '$' COLUMNS (
                hit BIGINT PATH '$.hit',
                miss BIGINT PATH '$.miss',
                eviction BIGINT PATH '$.eviction',
                forced_cold_replay BIGINT PATH '$.forced_cold_replay'
            )
        ) AS s;
        UPDATE worker_liveness AS l
        SET l.sticky_hits = v_hits, l.sticky_misses = v_misses, l.sticky_evictions = v_evictions,
            l.sticky_forced_cold_replays = v_forced
        WHERE l.namespace = p_namespace AND l.worker_id = p_worker_id;
    END IF;
END//

DELIMITER ;
