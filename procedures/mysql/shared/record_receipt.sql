-- Records an answer, so that the same request repeated gets the same.
--
-- p_run_id           the run, whose row the caller has locked.
-- p_subject          what was answered (see receipts).
-- p_caller           who called.
-- p_digest           digest of the request's body.
-- p_now              the moment.
-- p_outcome, p_body  the answer; its hints are not kept, since they were given.
-- Locks              the run's row (already held).
-- Writes             receipts.
DELIMITER //

DROP PROCEDURE IF EXISTS record_receipt//

CREATE PROCEDURE record_receipt(
    p_run_id VARCHAR(36), p_subject VARCHAR(300), p_caller VARCHAR(255), p_digest VARCHAR(64), p_now DATETIME(6),
    p_outcome VARCHAR(64), p_body LONGTEXT
)
MODIFIES SQL DATA
COMMENT 'Keeps an answer for when its request is repeated.'
BEGIN
    INSERT INTO receipts (run_id, subject, caller, digest, outcome, body, recorded_at)
    VALUES (p_run_id, p_subject, p_caller, p_digest, p_outcome, p_body, p_now);
END//

DELIMITER ;
