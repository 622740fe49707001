-- A moment as it goes over the wire: UTC, six digits, Z.
--
-- p_moment  the moment, or null.
-- Result    YYYY-MM-DDTHH:MM:SS.ffffffZ, or null.
-- Locks     none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS wire_time//

CREATE FUNCTION wire_time(p_moment DATETIME(6))
RETURNS VARCHAR(27)
DETERMINISTIC NO SQL
COMMENT 'A moment in wire form: RFC 3339, UTC, microseconds.'
BEGIN
    RETURN DATE_FORMAT(p_moment, '%Y-%m-%dT%H:%i:%s.%fZ');
END//

DELIMITER ;
