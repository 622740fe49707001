-- A completion's answer with what one of its carried parts got.
--
-- p_body  the answer, a JSON object.
-- p_name  the part, which names the member.
-- p_part  what it got, a JSON object.
-- Result  the answer with the member at its end.
-- Locks   none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS with_part//

CREATE FUNCTION with_part(p_body LONGTEXT, p_name VARCHAR(64), p_part LONGTEXT)
RETURNS LONGTEXT
DETERMINISTIC NO SQL
COMMENT 'An answer with the member of a carried part.'
BEGIN
    RETURN CONCAT(LEFT(p_body, CHAR_LENGTH(p_body) - 1), ',"', p_name, '":', p_part, '}');
END//

DELIMITER ;
