-- Hints without one whose cause the same transition has taken up, so that nobody is woken for nothing.
--
-- p_hints  a JSON array.
-- p_hint   the element, which is not the first; only its first occurrence goes, since each stands for one cause.
-- Result   the others.
-- Locks    none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS without_hint//

CREATE FUNCTION without_hint(p_hints LONGTEXT, p_hint LONGTEXT)
RETURNS LONGTEXT
DETERMINISTIC NO SQL
COMMENT 'Wake-up hints without the first occurrence of one of them.'
BEGIN
    DECLARE v_place INT DEFAULT LOCATE(CONCAT(',', p_hint), p_hints);

    IF v_place = 0 THEN
        RETURN p_hints;
    END IF;
    RETURN INSERT(p_hints, v_place, CHAR_LENGTH(p_hint) + 1, '');
END//

DELIMITER ;
