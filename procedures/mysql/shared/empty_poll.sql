-- The answer to a poll for which there is nothing.
--
-- p_outcome, p_body  outcome empty, a null task. Locks none, writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS empty_poll//

CREATE PROCEDURE empty_poll(OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT)
NO SQL
COMMENT 'The answer of an empty poll.'
BEGIN
    SET p_outcome = 'empty';
    SET p_body = '{"task":null,"poll_status":"empty"}';
END//

DELIMITER ;
