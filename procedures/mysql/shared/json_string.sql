-- A text as a JSON string, escaped as PostgreSQL does: JSON_QUOTE writes control characters differently on MySQL and
-- MariaDB.
--
-- p_text   any text, or null.
-- Result   the text quoted and escaped, or null.
-- Locks    none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS json_string//

CREATE FUNCTION json_string(p_text LONGTEXT)
RETURNS LONGTEXT
DETERMINISTIC NO SQL
COMMENT 'A text as a JSON string; null stays null.'
BEGIN
    DECLARE v_string LONGTEXT DEFAULT CONCAT('"', REPLACE(REPLACE(p_text, '\\', '\\\\'), '"', '\\"'), '"');
    DECLARE v_code INT DEFAULT 1;

    -- JSON_QUOTE is longer exactly when there are control characters.
    IF v_string IS NULL OR LENGTH(JSON_QUOTE(p_text)) = LENGTH(v_string) THEN
        RETURN v_string;
    END IF;
    WHILE v_code < 32 DO
        SET v_string = REPLACE(
            v_string, CONVERT(CHAR(v_code) USING utf8mb4),
            CASE v_code
                WHEN 8 THEN '\\b'
                WHEN 9 THEN '\\t'
                WHEN 10 THEN '\\n'
                WHEN 12 THEN '\\f'
                WHEN 13 THEN '\\r'
                ELSE CONCAT('\\u00', LPAD(LOWER(HEX(v_code)), 2, '0'))
            END
        );
        SET v_code = v_code + 1;
    END WHILE;
    RETURN v_string;
END//

DELIMITER ;
