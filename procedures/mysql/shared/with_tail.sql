-- The answer of an activity poll with the rest of its run's history.
--
-- p_body  the answer, a JSON object.
-- p_tail  the rest (history_tail), or null.
-- Result  the answer with the member history_tail, or as it was.
-- Locks   none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS with_tail//

CREATE FUNCTION with_tail(p_body LONGTEXT, p_tail LONGTEXT)
RETURNS LONGTEXT
DETERMINISTIC NO SQL
COMMENT 'An answer with the rest of a history, if there is one.'
BEGIN
    IF p_tail IS NULL THEN
        RETURN p_body;
    END IF;
    RETURN with_part(p_body, 'history_tail', p_tail);
END//

DELIMITER ;
