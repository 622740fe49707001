-- Hints with the note that a carried part has failed, for the server's log.
--
-- p_hints     the hints of the completion, a JSON array.
-- p_part      the part.
-- p_sqlstate  why, in the database's terms.
-- Result      the hints with ["failed",part,sqlstate] at their end.
-- Locks       none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS failure_hint//

CREATE FUNCTION failure_hint(p_hints LONGTEXT, p_part VARCHAR(64), p_sqlstate CHAR(5))
RETURNS LONGTEXT
DETERMINISTIC NO SQL
COMMENT 'Wake-up hints with the failure of a carried part.'
BEGIN
    RETURN CONCAT(
        LEFT(p_hints, CHAR_LENGTH(p_hints) - 1), IF(p_hints <> '[]', ',', ''),
        '["failed","', p_part, '","', p_sqlstate, '"]]'
    );
END//

DELIMITER ;
