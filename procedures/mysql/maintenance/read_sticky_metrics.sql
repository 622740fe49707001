-- What sticky execution does in each namespace: affinities and tasks now, claims of the last minute by how they were
-- routed, and the totals that workers report.
--
-- Outcomes  described: namespaces, by name.
-- Locks     none. Writes nothing. Reads unexpired affinities, tasks with an affinity and the counts of a minute; never
--           history.
DELIMITER //

DROP PROCEDURE IF EXISTS read_sticky_metrics//

CREATE PROCEDURE read_sticky_metrics()
READS SQL DATA
SQL SECURITY DEFINER
COMMENT 'What sticky execution does in each namespace: affinities, tasks, claims of the last minute, totals of workers.'
BEGIN
    DECLARE v_now DATETIME(6) DEFAULT current_instant();
    DECLARE v_namespaces LONGTEXT;
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
        -- GROUP_CONCAT cuts what is longer.
        SET SESSION group_concat_max_len = 67108864;
        -- Each part for all namespaces at once, since neither server takes a range that depends on another table.
        WITH active AS (
            SELECT a.namespace, COUNT(*) AS runs
            FROM affinities AS a FORCE INDEX (affinities_unexpired)
            STRAIGHT_JOIN worker_registrations AS w FORCE INDEX (`PRIMARY`) ON a.namespace = w.namespace
                AND a.sticky_worker_id = w.worker_id AND a.registration_token = w.registration_token
            WHERE a.sticky_until > v_now
            GROUP BY a.namespace
        ),

        tasks AS (
            SELECT
                t.namespace, SUM(t.status = 'ready' AND t.sticky_until > v_now AND w.worker_id IS NOT NULL) AS ready,
                SUM(t.status = 'leased' AND o.worker_id IS NOT NULL) AS leased
            FROM workflow_tasks AS t FORCE INDEX (workflow_tasks_sticky)
            LEFT JOIN worker_registrations AS w FORCE INDEX (`PRIMARY`) ON t.namespace = w.namespace
                AND t.sticky_worker_id = w.worker_id AND t.sticky_registration_token = w.registration_token
            LEFT JOIN worker_registrations AS o FORCE INDEX (`PRIMARY`) ON t.namespace = o.namespace
                AND t.lease_owner = o.worker_id
            WHERE t.sticky_registration_token IS NOT NULL
            GROUP BY t.namespace
        ),

        counts AS (
            SELECT
                s.namespace, SUM(s.hit_expected) AS hit_expected, SUM(s.forced_cold_replay) AS forced_cold_replay,
                SUM(s.cold_replay) AS cold_replay, SUM(s.suffix_tasks) AS suffix_tasks,
                SUM(s.suffix_events_saved) AS suffix_events_saved, SUM(s.suffix_bytes_saved) AS suffix_bytes_saved
            FROM sticky_counts AS s FORCE INDEX (`PRIMARY`)
            WHERE s.counted_at > v_now - INTERVAL 1 MINUTE
            GROUP BY s.namespace
        ),

        totals AS (
            SELECT
                v.namespace, SUM(v.sticky_hits) AS hits, SUM(v.sticky_misses) AS misses,
                SUM(v.sticky_evictions) AS evictions, SUM(v.sticky_forced_cold_replays) AS forced_cold_replays
            FROM worker_liveness AS v
            GROUP BY v.namespace
        )

        SELECT GROUP_CONCAT(
            '{"namespace":', json_string(n.name),
            ',"active_sticky_runs":', COALESCE(a.runs, 0),
            ',"ready_sticky_tasks":', COALESCE(t.ready, 0),
            ',"leased_sticky_tasks":', COALESCE(t.leased, 0),
            ',"hit_expected_last_minute":', COALESCE(c.hit_expected, 0),
            ',"forced_cold_replay_last_minute":', COALESCE(c.forced_cold_replay, 0),
            ',"cold_replay_last_minute":', COALESCE(c.cold_replay, 0),
            ',"suffix_tasks_last_minute":', COALESCE(c.suffix_tasks, 0),
            ',"suffix_events_saved_last_minute":', COALESCE(c.suffix_events_saved, 0),
            ',"suffix_bytes_saved_last_minute":', COALESCE(c.suffix_bytes_saved, 0),
            ',"worker_hits":', COALESCE(l.hits, 0),
            ',"worker_misses":', COALESCE(l.misses, 0),
            ',"worker_evictions":', COALESCE(l.evictions, 0),
            ',"worker_forced_cold_replays":', COALESCE(l.forced_cold_replays, 0), '}'
            ORDER BY n.name SEPARATOR ','
        )
        INTO v_namespaces
        FROM namespaces AS n
        LEFT JOIN active AS a ON n.name = a.namespace
        LEFT JOIN tasks AS t ON n.name = t.namespace
        LEFT JOIN counts AS c ON n.name = c.namespace
        LEFT JOIN totals AS l ON n.name = l.namespace;

        SET v_outcome = 'described';
        SET v_body = CONCAT('{"namespaces":[', COALESCE(v_namespaces, ''), ']}');
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
