-- What a worker that holds a run in its cache has not seen of the run's history, if it is one page at most.
--
-- p_run_id                  the run, whose row the caller has locked; null: none.
-- p_namespace, p_worker_id  the worker.
-- p_after                   through which history sequence the worker says that it holds the run; null: it does not ask.
-- p_through                 the last sequence that it is to be given; null: no more than has been delivered to it already.
-- p_now                     the moment.
-- p_tail                    {after_sequence, last_sequence, events}; null when it is not asked for, when the affinity is
--                           not the worker's, or ends before p_after, or when there is more than a page.
-- Locks                     none of its own. Writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS history_tail//

CREATE PROCEDURE history_tail(
    p_run_id VARCHAR(36), p_namespace VARCHAR(255), p_worker_id VARCHAR(255), p_after BIGINT, p_through BIGINT,
    p_now DATETIME(6), OUT p_tail LONGTEXT
)
READS SQL DATA
COMMENT 'The rest of a run''s history for the worker that holds the run, or null.'
BEGIN
    DECLARE v_through, v_last BIGINT;
    DECLARE v_events LONGTEXT;
    DECLARE v_token VARCHAR(64);

    SET p_tail = NULL;
    SELECT COALESCE(p_through, a.delivered_sequence) INTO v_through
    FROM affinities AS a
    INNER JOIN worker_registrations AS w
        ON a.sticky_worker_id = w.worker_id AND a.registration_token = w.registration_token
    WHERE a.run_id = p_run_id AND w.namespace = p_namespace AND w.worker_id = p_worker_id
        AND a.sticky_until > p_now AND a.delivered_sequence >= p_after;
    IF v_through IS NOT NULL THEN
        CALL history_page(p_run_id, p_after, v_through, 500, v_events, v_last, v_token);
        IF v_token IS NULL THEN
            SET p_tail = CONCAT(
                '{"after_sequence":', p_after, ',"last_sequence":', v_through,
                ',"events":[', COALESCE(v_events, ''), ']}'
            );
        END IF;
    END IF;
END//

DELIMITER ;
