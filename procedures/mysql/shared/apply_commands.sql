-- Applies the commands of a leased workflow task whose fence and positions have been checked.
--
-- An open condition wait is resolved first: that workflow code goes on means that it was satisfied, even when the
-- same wait is then opened again. Each command's events follow in order, each at the next authored position.
--
-- p_run_id    the run, whose row the caller has locked, and whose task is leased.
-- p_commands  the commands.
-- p_now       the moment.
-- p_outcome, p_body, p_hints  outcome completed.
-- Locks       the run's row (already held); its activities when it closes; its workflow when it continues as new.
-- Writes      runs, history_events, workflow_tasks, activities, timers, inbox, run_payloads; workflows and a new run.
DELIMITER //

DROP PROCEDURE IF EXISTS apply_commands//

CREATE PROCEDURE apply_commands(
    p_run_id VARCHAR(36), p_commands LONGTEXT, p_now DATETIME(6),
    OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT, OUT p_hints LONGTEXT
)
MODIFIES SQL DATA
COMMENT 'Applies the commands of a workflow task: their rows and events, and what becomes of the run.'
BEGIN
    DECLARE v_sequence, v_claimed_sequence BIGINT;
    DECLARE v_position, v_number, v_place, v_wait_position INT;
    DECLARE v_wait_fields, v_command, v_terminal, v_hint, v_hints LONGTEXT;
    DECLARE v_type VARCHAR(64);
    DECLARE v_keeps_wait, v_wakes, v_over, v_done BOOLEAN DEFAULT FALSE;
    -- In the order of the array, as JSON_TABLE has them: to sort them would take a buffer that holds each command.
    DECLARE v_commands CURSOR FOR
        SELECT c.number, c.type, c.place, c.command
        FROM JSON_TABLE(
            p_commands, '$[*]' COLUMNS (
                number FOR ORDINALITY,
                type VARCHAR(64) PATH '$.type',
                place INT PATH '$.group_position',
                command JSON PATH '$'
            )
        ) AS c;
    DECLARE CONTINUE HANDLER FOR NOT FOUND SET v_done = TRUE;

    SELECT
        r.last_history_sequence, r.last_authored_position, r.open_wait_position, r.open_wait_fields, t.claimed_sequence
    INTO v_sequence, v_position, v_wait_position, v_wait_fields, v_claimed_sequence
    FROM runs AS r
    INNER JOIN workflow_tasks AS t ON r.run_id = t.run_id
    WHERE r.run_id = p_run_id;
    SET v_hints = CONCAT('["run","', p_run_id, '"]');

    IF v_wait_position IS NOT NULL THEN
        SET v_keeps_wait = keeps_open_wait(p_run_id, p_commands);
    END IF;
    IF v_wait_position IS NOT NULL AND NOT v_keeps_wait THEN
        CALL append_history(
            p_run_id, v_sequence, p_now, 'ConditionWaitSatisfied',
            condition_wait_event(p_run_id, v_wait_position, v_wait_fields)
        );
        DELETE FROM timers WHERE run_id = p_run_id AND position = v_wait_position;
        SET v_wait_position = NULL;
        SET v_wait_fields = NULL;
    END IF;

    OPEN v_commands;
    commands: LOOP
        SET v_done = FALSE;
        FETCH v_commands INTO v_number, v_type, v_place, v_command;
        IF v_done THEN
            LEAVE commands;
        END IF;

        IF v_type IN ('complete_workflow', 'fail_workflow', 'continue_as_new') THEN
            SET v_terminal = v_command;
        ELSEIF v_place <= v_position OR (v_keeps_wait AND v_number = 1) THEN
            ITERATE commands;
        ELSE
            SET v_position = v_position + 1;
            SET v_hint = NULL;
            CASE v_type
                WHEN 'schedule_activity' THEN
                    CALL schedule_activity(p_run_id, v_position, v_sequence, v_command, p_now, v_hint);
                WHEN 'start_timer' THEN
                    CALL start_timer(p_run_id, v_position, v_sequence, v_command, p_now, v_hint);
                WHEN 'open_condition_wait' THEN
                    CALL open_condition_wait(p_run_id, v_position, v_sequence, v_command, p_now, v_hint, v_over);
                    SET v_wakes = v_wakes OR v_over;
                    SET v_wait_position = IF(v_over, NULL, v_position);
                    SET v_wait_fields = IF(v_over, NULL, JSON_UNQUOTE(JSON_EXTRACT(v_command, '$.fields')));
                WHEN 'record_side_effect' THEN
                    CALL record_side_effect(p_run_id, v_position, v_sequence, v_command, p_now);
                WHEN 'record_local_activity' THEN
                    CALL record_local_activity(p_run_id, v_position, v_sequence, v_command, p_now);
            END CASE;
            SET v_hints = CONCAT_WS(',', v_hints, v_hint);
        END IF;
    END LOOP;
    CLOSE v_commands;

    UPDATE runs AS r
    SET r.last_authored_position = v_position, r.applied_through_sequence = v_claimed_sequence,
        r.open_wait_position = v_wait_position, r.open_wait_fields = v_wait_fields, r.open_wait_has_news = FALSE
    WHERE r.run_id = p_run_id;
    IF v_terminal IS NOT NULL THEN
        CALL finish_run(p_run_id, v_sequence, v_terminal, p_now, p_outcome, p_body, p_hints);
    ELSE
        CALL suspend_run(p_run_id, v_sequence, p_now, v_hints, v_wakes, p_outcome, p_body, p_hints);
    END IF;
END//

DELIMITER ;
