-- One page of a run's history, in wire form: an index range scan and a concatenation.
--
-- p_run_id     the run.
-- p_after      the page begins behind this sequence.
-- p_through    and ends here at the latest.
-- p_page_size  how many events at most. A page also ends before it passes 4 MiB, but holds one event at least.
-- p_events     the events joined by commas, null on an empty page.
-- p_last       the last one's sequence, null on an empty page.
-- p_token      what fetches the next page, null when there is none.
-- Locks        none. Writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS history_page//

CREATE PROCEDURE history_page(
    p_run_id VARCHAR(36), p_after BIGINT, p_through BIGINT, p_page_size INT,
    OUT p_events LONGTEXT, OUT p_last BIGINT, OUT p_token VARCHAR(64)
)
READS SQL DATA
COMMENT 'A page of history events in wire form, bounded in number and bytes.'
BEGIN
    DECLARE v_bytes BIGINT;

    -- GROUP_CONCAT cuts what is longer.
    SET SESSION group_concat_max_len = 67108864;

    -- Sequences have no gaps, so a range of them is a limit too, and one that costs the same in every plan.
    SELECT MAX(h.sequence), SUM(OCTET_LENGTH(h.wire)) INTO p_last, v_bytes
    FROM history_events AS h
    WHERE h.run_id = p_run_id AND h.sequence > p_after AND h.sequence <= LEAST(p_through, p_after + p_page_size);
    IF v_bytes > 4194304 THEN
        SELECT MAX(e.sequence) INTO p_last
        FROM (
            SELECT p.sequence, SUM(p.bytes) OVER (ORDER BY p.sequence) AS bytes
            FROM (
                SELECT h.sequence, OCTET_LENGTH(h.wire) AS bytes
                FROM history_events AS h
                WHERE h.run_id = p_run_id AND h.sequence > p_after AND h.sequence <= p_last
            ) AS p
        ) AS e
        WHERE e.bytes <= 4194304 OR e.sequence = p_after + 1;
    END IF;

    SET p_events = NULL;
    SELECT GROUP_CONCAT(h.wire ORDER BY h.sequence SEPARATOR ',') INTO p_events
    FROM history_events AS h
    WHERE h.run_id = p_run_id AND h.sequence > p_after AND h.sequence <= p_last;

    SET p_token = IF(p_last < p_through, TO_BASE64(p_last), NULL);
END//

DELIMITER ;
