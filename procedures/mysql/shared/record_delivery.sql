-- Notes through which history sequence a lease has been given the run.
--
-- p_run_id    the run, whose row the caller has locked, and whose task is leased.
-- p_sequence  the last sequence that is being delivered; null: none.
-- Locks       the run's row (already held).
-- Writes      workflow_tasks.
DELIMITER //

DROP PROCEDURE IF EXISTS record_delivery//

CREATE PROCEDURE record_delivery(p_run_id VARCHAR(36), p_sequence BIGINT)
MODIFIES SQL DATA
COMMENT 'Raises the delivered boundary of a lease to a page that is being delivered.'
BEGIN
    DECLARE v_delivered BIGINT;

    SELECT t.delivered_sequence INTO v_delivered FROM workflow_tasks AS t WHERE t.run_id = p_run_id;
    IF p_sequence > v_delivered THEN
        UPDATE workflow_tasks AS t SET t.delivered_sequence = p_sequence WHERE t.run_id = p_run_id;
    END IF;
END//

DELIMITER ;
