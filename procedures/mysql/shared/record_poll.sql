-- Notes that a worker takes tasks: a poll of it was made, or is waiting. A note that another is just making is not
-- waited for, and one that is fresh is not made again.
--
-- p_namespace        the worker's namespace.
-- p_worker_id        its id.
-- p_polling_seconds  for how long the poll vouches for it.
-- p_now              the moment.
-- Locks              the worker's liveness row, unless another has it.
-- Writes             worker_liveness, at most once a second.
DELIMITER //

DROP PROCEDURE IF EXISTS record_poll//

CREATE PROCEDURE record_poll(
    p_namespace VARCHAR(255), p_worker_id VARCHAR(255), p_polling_seconds INT, p_now DATETIME(6)
)
MODIFIES SQL DATA
COMMENT 'Records that a poll of a worker vouches for it.'
record: BEGIN
    DECLARE v_until DATETIME(6) DEFAULT p_now + INTERVAL p_polling_seconds SECOND;
    DECLARE v_known DATETIME(6);
    DECLARE v_locked VARCHAR(255);

    SELECT l.polling_until INTO v_known FROM worker_liveness AS l
    WHERE l.namespace = p_namespace AND l.worker_id = p_worker_id;
    IF v_known > v_until - INTERVAL 1 SECOND THEN
        LEAVE record;
    END IF;

    SELECT l.worker_id INTO v_locked FROM worker_liveness AS l
    WHERE l.namespace = p_namespace AND l.worker_id = p_worker_id
    FOR UPDATE SKIP LOCKED;
    IF v_locked IS NOT NULL THEN
        UPDATE worker_liveness AS l SET l.polling_until = v_until
        WHERE l.namespace = p_namespace AND l.worker_id = p_worker_id;
    END IF;
END//

DELIMITER ;
