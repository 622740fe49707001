-- The payload of SignalRejected, from the signal that it rejects. The signal's own payload begins with its id and
-- name; what follows may be anything, so it is not parsed.
--
-- p_received  SignalReceived in wire form, or its payload.
-- Result      the signal's id and name, and why it was rejected.
-- Locks       none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS signal_rejection//

CREATE FUNCTION signal_rejection(p_received LONGTEXT)
RETURNS LONGTEXT
DETERMINISTIC NO SQL
COMMENT 'What SignalRejected says of a signal that its run never applied.'
BEGIN
    -- Id and name are bounded: a long payload need not be searched.
    RETURN CONCAT(
        REGEXP_SUBSTR(LEFT(p_received, 2000), '\\{"signal_id":"[^"]*","signal_name":"([^"\\\\]|\\\\.)*"'),
        ',"rejection_reason":"run_not_active"}'
    );
END//

DELIMITER ;
