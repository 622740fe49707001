-- The one way into history: gives an event the run's next sequence number and stores it in wire form.
--
-- p_run_id    the run, whose row the caller has locked.
-- p_sequence  the last history sequence as the caller remembers it; the event's own afterwards.
-- p_now       when the event is recorded.
-- p_type      the event type.
-- p_payload   its payload, a JSON object.
-- Errors      31003 (BY003) when the run is not where the caller remembers it.
-- Locks       the run's row (already held).
-- Writes      runs, then history_events.
DELIMITER //

DROP PROCEDURE IF EXISTS append_history//

CREATE PROCEDURE append_history(
    p_run_id VARCHAR(36), INOUT p_sequence BIGINT, p_now DATETIME(6), p_type VARCHAR(64), p_payload LONGTEXT
)
MODIFIES SQL DATA
COMMENT 'Appends an event to a run''s history. The only writer of history_events.'
BEGIN
    DECLARE v_message VARCHAR(128);

    UPDATE runs AS r
    SET r.last_history_sequence = p_sequence + 1,
        r.history_size_bytes = r.history_size_bytes + OCTET_LENGTH(p_type) + OCTET_LENGTH(p_payload),
        r.last_progress_at = p_now
    WHERE r.run_id = p_run_id AND r.last_history_sequence = p_sequence;

    IF ROW_COUNT() <> 1 THEN
        SET v_message = CONCAT('history of run ', p_run_id, ' does not end at ', p_sequence);
        SIGNAL SQLSTATE 'BY003' SET MESSAGE_TEXT = v_message, MYSQL_ERRNO = 31003;
    END IF;

    SET p_sequence = p_sequence + 1;
    INSERT INTO history_events (run_id, sequence, event_type, recorded_at, wire)
    VALUES (
        p_run_id, p_sequence, p_type, p_now,
        CONCAT(
            '{"id":"', p_run_id, ':e', p_sequence,
            '","sequence":', p_sequence,
            ',"event_type":"', p_type,
            '","payload":', p_payload,
            ',"recorded_at":"', wire_time(p_now), '"}'
        )
    );
END//

DELIMITER ;
