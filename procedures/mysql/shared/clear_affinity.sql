-- Forgets which worker holds a run in its cache: the run has closed, or its worker retained nothing.
--
-- p_run_id  the run, whose row the caller has locked.
-- Locks     the run's row (already held).
-- Writes    affinities.
DELIMITER //

DROP PROCEDURE IF EXISTS clear_affinity//

CREATE PROCEDURE clear_affinity(p_run_id VARCHAR(36))
MODIFIES SQL DATA
COMMENT 'Removes the affinity of a run.'
BEGIN
    DELETE FROM affinities WHERE run_id = p_run_id;
END//

DELIMITER ;
