-- What a maintenance pass answers.
--
-- p_count  how much it did.
-- p_more   whether there may be more to do at once.
-- p_hints  wake-up hints joined by commas, or null.
-- p_outcome, p_body, p_answer_hints  outcome swept. Locks none, writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS swept//

CREATE PROCEDURE swept(
    p_count INT, p_more BOOLEAN, p_hints LONGTEXT,
    OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT, OUT p_answer_hints LONGTEXT
)
NO SQL
COMMENT 'The answer of a maintenance pass.'
BEGIN
    SET p_outcome = 'swept';
    SET p_body = CONCAT('{"count":', p_count, ',"more":', IF(p_more, 'true', 'false'), '}');
    SET p_answer_hints = CONCAT('[', p_hints, ']');
END//

DELIMITER ;
