-- Leases the first due workflow task of a queue that a worker can run: of each priority first those whose living
-- affinity is the worker's, then those that are held for nobody.
--
-- p_namespace, p_worker_id, p_poll_request_id, p_page_size, p_lease_seconds  the poll of a registered worker.
-- p_is_sticky        whether sticky execution is switched on.
-- p_now              the moment.
-- p_outcome, p_body  the task with its first page of history, or null.
-- Locks              run and task together, skipping what others hold.
-- Writes             workflow_tasks, sticky_counts.
DELIMITER //

DROP PROCEDURE IF EXISTS lease_workflow_task//

CREATE PROCEDURE lease_workflow_task(
    p_namespace VARCHAR(255), p_worker_id VARCHAR(255), p_poll_request_id VARCHAR(255), p_page_size INT,
    p_lease_seconds INT, p_is_sticky BOOLEAN, p_now DATETIME(6), OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT
)
MODIFIES SQL DATA
COMMENT 'Leases the first due workflow task that a worker can run, or leaves the answer null.'
BEGIN
    DECLARE v_task_queue, v_build_id VARCHAR(255);
    DECLARE v_token CHAR(32);
    DECLARE v_types LONGTEXT;
    DECLARE v_is_sticky_worker BOOLEAN;
    -- The priority at which the worker's own tasks are looked at; 10 is behind them all.
    DECLARE v_own_priority INT DEFAULT -1;
    DECLARE v_next_priority INT;
    DECLARE v_run_id VARCHAR(36);
    DECLARE v_sequence BIGINT;

    SELECT w.task_queue, w.build_id, w.registration_token, w.workflow_types, w.sticky_execution
    INTO v_task_queue, v_build_id, v_token, v_types, v_is_sticky_worker
    FROM worker_registrations AS w
    WHERE w.namespace = p_namespace AND w.worker_id = p_worker_id;

    -- Each priority is one range of an index, up to the present moment, and their order is the order asked for. Indexes
    -- and order of the tables are given, since a scan of any other kind would lock what it passes. To lock the first of
    -- two ranges would take a lock in both, so it is found out before which one that is: of the priorities at which the
    -- worker has tasks of its own, from the best on, common tasks before it, then its own.
    candidates: LOOP
        SET v_next_priority = 10;
        IF v_is_sticky_worker THEN
            SELECT t.priority INTO v_next_priority
            FROM workflow_tasks AS t FORCE INDEX (workflow_tasks_sticky)
            STRAIGHT_JOIN runs AS r FORCE INDEX (`PRIMARY`) ON t.run_id = r.run_id
            WHERE t.sticky_registration_token = v_token AND t.status = 'ready'
                AND t.priority IN (0, 1, 2, 3, 4, 5, 6, 7, 8, 9) AND t.priority > v_own_priority
                AND t.available_at <= p_now AND t.sticky_until > p_now
                AND JSON_CONTAINS(v_types, JSON_QUOTE(t.workflow_type))
                AND (t.build_id IS NULL OR t.build_id = v_build_id)
                AND (r.deadline_at IS NULL OR r.deadline_at > p_now)
            ORDER BY t.priority, t.available_at, t.run_id
            LIMIT 1;
        END IF;
        SET v_own_priority = v_next_priority;

        SELECT r.run_id, r.last_history_sequence INTO v_run_id, v_sequence
        FROM workflow_tasks AS t FORCE INDEX (workflow_tasks_ready)
        STRAIGHT_JOIN runs AS r FORCE INDEX (`PRIMARY`) ON t.run_id = r.run_id
        WHERE t.namespace = p_namespace AND t.task_queue = v_task_queue AND t.status = 'ready'
            AND t.priority IN (0, 1, 2, 3, 4, 5, 6, 7, 8, 9) AND t.priority < v_own_priority AND t.held_until <= p_now
            AND JSON_CONTAINS(v_types, JSON_QUOTE(t.workflow_type))
            AND (t.build_id IS NULL OR t.build_id = v_build_id)
            AND (r.deadline_at IS NULL OR r.deadline_at > p_now)
        ORDER BY t.priority, t.held_until, t.run_id
        LIMIT 1
        FOR UPDATE SKIP LOCKED;
        IF v_run_id IS NOT NULL OR v_own_priority = 10 THEN
            LEAVE candidates;
        END IF;

        SELECT r.run_id, r.last_history_sequence INTO v_run_id, v_sequence
        FROM workflow_tasks AS t FORCE INDEX (workflow_tasks_sticky)
        STRAIGHT_JOIN runs AS r FORCE INDEX (`PRIMARY`) ON t.run_id = r.run_id
        WHERE t.sticky_registration_token = v_token AND t.status = 'ready' AND t.priority = v_own_priority
            AND t.available_at <= p_now AND t.sticky_until > p_now
            AND JSON_CONTAINS(v_types, JSON_QUOTE(t.workflow_type))
            AND (t.build_id IS NULL OR t.build_id = v_build_id)
            AND (r.deadline_at IS NULL OR r.deadline_at > p_now)
        ORDER BY t.available_at, t.run_id
        LIMIT 1
        FOR UPDATE SKIP LOCKED;
        -- When others hold all of its own at this priority, it goes on behind it.
        IF v_run_id IS NOT NULL THEN
            LEAVE candidates;
        END IF;
    END LOOP;

    SET p_outcome = NULL;
    SET p_body = NULL;
    IF v_run_id IS NOT NULL THEN
        CALL grant_workflow_task(
            p_namespace, p_worker_id, p_poll_request_id, p_page_size, p_lease_seconds, p_is_sticky, v_run_id, v_sequence,
            p_now, p_outcome, p_body
        );
    END IF;
END//

DELIMITER ;
