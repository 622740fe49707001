-- The only reader of the clock. A transition reads it once, after it has its locks.
--
-- Result   the present moment, with microseconds.
-- Locks    none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS current_instant//

CREATE FUNCTION current_instant()
RETURNS DATETIME(6)
NOT DETERMINISTIC NO SQL
COMMENT 'The database''s clock, which is the clock of every transition.'
BEGIN
    RETURN UTC_TIMESTAMP(6);
END//

DELIMITER ;
