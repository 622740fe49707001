-- The members of a JSON object, to be spliced behind others: byte for byte, so that payloads stay what they were.
--
-- p_object  a JSON object without white space around its braces, or null.
-- Result    its members with a leading comma; empty for null and for an object without members.
-- Locks     none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS json_members//

CREATE FUNCTION json_members(p_object LONGTEXT)
RETURNS LONGTEXT
DETERMINISTIC NO SQL
COMMENT 'The members of a JSON object as text with a leading comma.'
BEGIN
    IF p_object IS NULL OR p_object = '{}' THEN
        RETURN '';
    END IF;
    RETURN CONCAT(',', SUBSTRING(p_object, 2, CHAR_LENGTH(p_object) - 2));
END//

DELIMITER ;
