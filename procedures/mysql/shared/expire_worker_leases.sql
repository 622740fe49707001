-- Lets everything that a worker holds run out now. expire_leases, told by a hint, offers it again at once.
--
-- p_namespace  the worker's namespace.
-- p_worker_id  the worker.
-- p_now        the moment.
-- p_count      the number of workflow tasks among it.
-- Locks        the worker's leased workflow tasks and running activities; no run, so that it waits for none.
-- Writes       workflow_tasks, activities.
DELIMITER //

DROP PROCEDURE IF EXISTS expire_worker_leases//

CREATE PROCEDURE expire_worker_leases(
    p_namespace VARCHAR(255), p_worker_id VARCHAR(255), p_now DATETIME(6), OUT p_count INT
)
MODIFIES SQL DATA
COMMENT 'Expires all leases of a worker and counts the workflow tasks among them.'
BEGIN
    -- The indexes are given, since by any other this would wait for the leases of other workers.
    UPDATE workflow_tasks AS t FORCE INDEX (workflow_tasks_poll) SET t.lease_expires_at = p_now
    WHERE t.namespace = p_namespace AND t.lease_owner = p_worker_id AND t.lease_expires_at > p_now;
    SET p_count = ROW_COUNT();

    UPDATE activities AS a FORCE INDEX (activities_poll) SET a.lease_expires_at = p_now
    WHERE a.namespace = p_namespace AND a.lease_owner = p_worker_id AND a.lease_expires_at > p_now;
END//

DELIMITER ;
