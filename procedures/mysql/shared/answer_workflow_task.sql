-- Answers a leased workflow task whose fence has been checked: what its worker keeps of the run, and its commands.
--
-- p_run_id    the run, whose row the caller has locked, and whose task is leased.
-- p_commands  the commands.
-- p_sticky    sticky_cache (see complete_workflow_task), or null.
-- p_now       the moment.
-- p_outcome, p_body, p_hints  completed; or the refusals of sticky_cache (sticky_refusal), invalid_commands: then nothing
--             was written.
-- Locks       as apply_commands.
-- Writes      affinities; as apply_commands.
DELIMITER //

DROP PROCEDURE IF EXISTS answer_workflow_task//

CREATE PROCEDURE answer_workflow_task(
    p_run_id VARCHAR(36), p_commands LONGTEXT, p_sticky LONGTEXT, p_now DATETIME(6),
    OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT, OUT p_hints LONGTEXT
)
MODIFIES SQL DATA
COMMENT 'Answers a leased workflow task with what its worker keeps and its commands, or refuses them.'
steps: BEGIN
    DECLARE v_misplaced INT;
    DECLARE v_members LONGTEXT;

    SET p_outcome = NULL;
    SET p_body = NULL;
    SET p_hints = NULL;
    IF p_sticky IS NOT NULL THEN
        CALL sticky_refusal(p_run_id, p_sticky, p_outcome, p_body);
        IF p_outcome IS NOT NULL THEN
            LEAVE steps;
        END IF;
    END IF;
    IF LOCATE('"group_position"', p_commands) > 0 THEN
        SET v_misplaced = misplaced_command(p_run_id, p_commands);
    END IF;
    IF v_misplaced IS NOT NULL THEN
        SELECT CONCAT(
            ',"task_id":"', t.run_id, ':k', t.task_number, '","workflow_task_attempt":', t.attempt,
            ',"outcome":"rejected","recorded":false,"command_index":', v_misplaced,
            ',"field":"commands.', v_misplaced, '.parallel_group_base_sequence"'
        )
        INTO v_members
        FROM workflow_tasks AS t WHERE t.run_id = p_run_id;
        CALL refuse('invalid_commands', v_members, p_outcome, p_body);
        LEAVE steps;
    END IF;

    IF p_sticky IS NULL THEN
        CALL clear_affinity(p_run_id);
    ELSE
        CALL record_affinity(p_run_id, p_sticky, p_now);
    END IF;
    CALL apply_commands(p_run_id, p_commands, p_now, p_outcome, p_body, p_hints);
END//

DELIMITER ;
