-- Whose cache a run's task would find warm, and for how long it waits for that worker.
--
-- p_run_id        the run, whose row the caller has locked.
-- p_available_at  when its task becomes ready.
-- p_now           the moment.
-- p_sticky_worker_id, p_registration_token, p_sticky_until  the run's living affinity, null without one.
-- p_held_until    when any worker may claim the task: at the end of the hold, and as soon as the affinity ends, the
--                 worker's heartbeat is overdue or its last poll too old; at once without a hold.
-- Locks           none of its own. Writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS sticky_hold//

CREATE PROCEDURE sticky_hold(
    p_run_id VARCHAR(36), p_available_at DATETIME(6), p_now DATETIME(6), OUT p_sticky_worker_id VARCHAR(255),
    OUT p_registration_token CHAR(32), OUT p_sticky_until DATETIME(6), OUT p_held_until DATETIME(6)
)
READS SQL DATA
COMMENT 'The living affinity of a run, and until when its ready task is held for that worker.'
BEGIN
    SET p_sticky_worker_id = NULL;
    SET p_registration_token = NULL;
    SET p_sticky_until = NULL;
    SET p_held_until = p_available_at;
    SELECT
        a.sticky_worker_id, a.registration_token, a.sticky_until,
        CASE
            WHEN l.polling_until IS NULL THEN p_available_at
            ELSE GREATEST(p_available_at, LEAST(
                p_available_at + INTERVAL a.hold_seconds SECOND, a.sticky_until, l.stale_at, l.polling_until
            ))
        END
    INTO p_sticky_worker_id, p_registration_token, p_sticky_until, p_held_until
    FROM affinities AS a
    INNER JOIN worker_registrations AS w
        ON a.namespace = w.namespace AND a.sticky_worker_id = w.worker_id
        AND a.registration_token = w.registration_token
    INNER JOIN worker_liveness AS l ON w.namespace = l.namespace AND w.worker_id = l.worker_id
    WHERE a.run_id = p_run_id AND a.sticky_until > p_now;
END//

DELIMITER ;
