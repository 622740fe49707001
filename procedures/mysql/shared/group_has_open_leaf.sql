-- Whether a parallel group still waits for one of its leaves. Workflow code goes on only when all have ended.
--
-- p_run_id  the run, whose row the caller has locked.
-- p_base    the authored position of the outermost group's first leaf.
-- p_size    its number of leaves.
-- Result    true while an activity or a timer of the group is open.
-- Locks     none of its own. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS group_has_open_leaf//

CREATE FUNCTION group_has_open_leaf(p_run_id VARCHAR(36), p_base INT, p_size INT)
RETURNS BOOLEAN
READS SQL DATA
COMMENT 'True while a parallel group has a leaf that has not ended.'
BEGIN
    DECLARE v_is_open BOOLEAN;

    -- As a statement of its own it locks nothing; within an expression it would lock what it reads.
    SELECT EXISTS (
        SELECT 1 FROM activities AS a
        WHERE a.run_id = p_run_id AND a.position BETWEEN p_base AND p_base + p_size - 1 AND a.closed_at IS NULL
    ) OR EXISTS (
        SELECT 1 FROM timers AS t
        WHERE t.run_id = p_run_id AND t.position BETWEEN p_base AND p_base + p_size - 1
    ) INTO v_is_open;
    RETURN v_is_open;
END//

DELIMITER ;
