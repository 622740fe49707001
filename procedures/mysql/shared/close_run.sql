-- Closes a run: its terminal event, what becomes of open work and of signals that were never applied, all in
-- the transaction that closes it. A closed run never grows afterwards.
--
-- An operator or a deadline closes a run over the worker's head: results that were held come first, open
-- activities and timers get their cancellation, then the terminal event. A worker closes it by its own
-- commands: the terminal event follows them at once, and held results come after it.
--
-- p_run_id            the run as it is to be closed, events that come before all that already in its history; its row
--                     the caller has locked.
-- p_sequence          its last history sequence.
-- p_now               when it closes.
-- p_status            completed, failed, cancelled or terminated.
-- p_closed_reason     completed, failed, cancelled, terminated, timed_out or continued.
-- p_terminal_type     the terminal event, and
-- p_terminal_payload  its payload.
-- p_by_worker         whether a worker's commands close the run.
-- Locks               the run's row (already held), then its activities.
-- Writes              activities, timers, inbox, workflow_tasks, affinities, runs, history_events.
DELIMITER //

DROP PROCEDURE IF EXISTS close_run//

CREATE PROCEDURE close_run(
    p_run_id VARCHAR(36), p_sequence BIGINT, p_now DATETIME(6), p_status VARCHAR(16), p_closed_reason VARCHAR(16),
    p_terminal_type VARCHAR(64), p_terminal_payload LONGTEXT, p_by_worker BOOLEAN
)
MODIFIES SQL DATA
COMMENT 'Closes a run with its terminal event, cancelling open work and rejecting signals never applied.'
BEGIN
    DECLARE v_wait_position, v_open_activities INT;
    DECLARE v_applied_through, v_number BIGINT;
    DECLARE v_type VARCHAR(64);
    DECLARE v_place INT;
    DECLARE v_payload LONGTEXT;
    DECLARE v_done BOOLEAN DEFAULT FALSE;
    -- Without the payloads: to sort them would take a buffer that holds each of them.
    DECLARE v_events CURSOR FOR
        SELECT IF(p_by_worker, 4, 1) AS place, i.arrival AS number, i.event_type
        FROM inbox AS i
        WHERE i.run_id = p_run_id AND i.kind <> 'signal'
            AND (i.kind <> 'condition_timeout' OR i.wait_position = v_wait_position)
        UNION ALL
        SELECT 2, a.position, 'ActivityCancelled'
        FROM activities AS a
        WHERE a.run_id = p_run_id AND a.closed_at IS NULL AND NOT p_by_worker
        UNION ALL
        SELECT 2, t.position, 'TimerCancelled'
        FROM timers AS t
        WHERE t.run_id = p_run_id AND NOT p_by_worker
        UNION ALL
        SELECT 3, 0, p_terminal_type
        UNION ALL
        SELECT 5, e.sequence, 'SignalRejected'
        FROM history_events AS e
        WHERE e.run_id = p_run_id AND e.sequence > v_applied_through AND e.event_type = 'SignalReceived'
        UNION ALL
        SELECT 6, i.arrival, 'SignalRejected'
        FROM inbox AS i
        WHERE i.run_id = p_run_id AND i.kind = 'signal'
        ORDER BY place, number;
    DECLARE CONTINUE HANDLER FOR NOT FOUND SET v_done = TRUE;

    SELECT r.open_wait_position, r.applied_through_sequence INTO v_wait_position, v_applied_through
    FROM runs AS r WHERE r.run_id = p_run_id;

    -- Events say what the rows say now: so a claim that is just being made is waited for.
    SELECT COUNT(*) INTO v_open_activities FROM activities AS a
    WHERE a.run_id = p_run_id AND a.closed_at IS NULL
    FOR UPDATE;
    OPEN v_events;
    events: LOOP
        SET v_done = FALSE;
        FETCH v_events INTO v_place, v_number, v_type;
        IF v_done THEN
            LEAVE events;
        END IF;

        CASE
            WHEN v_place IN (1, 4) THEN
                SELECT i.payload INTO v_payload FROM inbox AS i
                WHERE i.run_id = p_run_id AND i.arrival = v_number;
            WHEN v_type = 'ActivityCancelled' THEN
                SET v_payload = activity_event(p_run_id, v_number, '');
            WHEN v_type = 'TimerCancelled' THEN
                SELECT CONCAT('{"sequence":', t.position, t.event_members, '}') INTO v_payload FROM timers AS t
                WHERE t.run_id = p_run_id AND t.position = v_number;
            WHEN v_place = 3 THEN
                SET v_payload = p_terminal_payload;
            WHEN v_place = 5 THEN
                SELECT signal_rejection(e.wire) INTO v_payload FROM history_events AS e
                WHERE e.run_id = p_run_id AND e.sequence = v_number;
            WHEN v_place = 6 THEN
                SELECT signal_rejection(i.payload) INTO v_payload FROM inbox AS i
                WHERE i.run_id = p_run_id AND i.arrival = v_number;
        END CASE;
        CALL append_history(p_run_id, p_sequence, p_now, v_type, v_payload);
    END LOOP;
    CLOSE v_events;

    UPDATE activities AS a
    SET a.status = 'cancelled', a.closed_at = p_now, a.lease_owner = NULL, a.lease_expires_at = NULL,
        a.started_at = NULL, a.timeout_at = NULL
    WHERE a.run_id = p_run_id AND a.closed_at IS NULL;
    DELETE FROM timers WHERE run_id = p_run_id;
    DELETE FROM inbox WHERE run_id = p_run_id;
    DELETE FROM workflow_tasks WHERE run_id = p_run_id;
    CALL clear_affinity(p_run_id);

    UPDATE runs AS r
    SET r.status = p_status, r.closed_reason = p_closed_reason, r.closed_at = p_now,
        r.has_answered_task = r.has_answered_task OR p_by_worker,
        r.open_wait_position = NULL, r.open_wait_fields = NULL, r.open_wait_has_news = FALSE
    WHERE r.run_id = p_run_id;
END//

DELIMITER ;
