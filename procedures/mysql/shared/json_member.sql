-- One member of a JSON object, left out when it has no value: on the wire, null is not the same as absent.
--
-- p_name   the member's name.
-- p_value  its value as JSON text, or null.
-- Result   the member with a leading comma, or nothing.
-- Locks    none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS json_member//

CREATE FUNCTION json_member(p_name VARCHAR(64), p_value LONGTEXT)
RETURNS LONGTEXT
DETERMINISTIC NO SQL
COMMENT 'A JSON member with a leading comma, or nothing for null.'
BEGIN
    RETURN COALESCE(CONCAT(',"', p_name, '":', p_value), '');
END//

DELIMITER ;
