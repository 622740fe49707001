-- The answer that says no.
--
-- p_reason           a code of docs/errors.md.
-- p_members          more members of the body: text that begins with a comma, or nothing.
-- p_outcome, p_body  the refusal.
-- Locks none, writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS refuse//

CREATE PROCEDURE refuse(p_reason VARCHAR(64), p_members LONGTEXT, OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT)
NO SQL
COMMENT 'A refusal: its reason as outcome, and a body that names it.'
BEGIN
    SET p_outcome = p_reason;
    SET p_body = CONCAT('{"reason":"', p_reason, '"', p_members, '}');
END//

DELIMITER ;
