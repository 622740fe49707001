-- What a repeated request gets: the recorded answer to the same request, a refusal to another one under the same name.
--
-- p_run_id           the run, whose row the caller has locked.
-- p_subject          what was answered (see receipts).
-- p_caller           who calls.
-- p_digest           digest of the request's body.
-- p_conflict         the reason when the body or the caller is another one.
-- p_members          members of that refusal, with a leading comma.
-- p_outcome, p_body  null when nothing was answered yet.
-- Locks              none of its own. Writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS repeated_answer//

CREATE PROCEDURE repeated_answer(
    p_run_id VARCHAR(36), p_subject VARCHAR(300), p_caller VARCHAR(255), p_digest VARCHAR(64), p_conflict VARCHAR(64),
    p_members LONGTEXT, OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT
)
READS SQL DATA
COMMENT 'The recorded answer to a repeated request, or a refusal when its body differs.'
BEGIN
    DECLARE v_is_same BOOLEAN;

    SET p_outcome = NULL;
    SET p_body = NULL;
    SELECT c.caller = p_caller AND c.digest = p_digest, c.outcome, c.body
    INTO v_is_same, p_outcome, p_body
    FROM receipts AS c
    WHERE c.run_id = p_run_id AND c.subject = p_subject;

    IF p_outcome IS NOT NULL AND NOT COALESCE(v_is_same, FALSE) THEN
        CALL refuse(p_conflict, p_members, p_outcome, p_body);
    END IF;
END//

DELIMITER ;
