-- Makes the polls that a completion carries, after it: first for a workflow task, then for an activity.
--
-- p_run_id        the run as the completion has left it; its row the caller has locked.
-- p_sequence      its last history sequence.
-- p_namespace, p_worker_id  the worker that calls, whose registration is locked in share mode.
-- p_carried       {workflow_poll?, activity_poll?}: polls as the claims take them (claim_workflow_task,
--                 claim_activity_task); activity_poll also with history_after_sequence?, and if_applied: only after a
--                 continuation that was applied.
-- p_is_continued  whether one was.
-- p_now           the moment.
-- p_body, p_hints  the completion's answer; it gets a member per poll.
-- Locks           tasks with their runs, and activities, skipping what others hold; the run's own task.
-- Writes          workflow_tasks, sticky_counts, worker_liveness, activities, affinities.
DELIMITER //

DROP PROCEDURE IF EXISTS carry_polls//

CREATE PROCEDURE carry_polls(
    p_run_id VARCHAR(36), p_sequence BIGINT, p_namespace VARCHAR(255), p_worker_id VARCHAR(255), p_carried LONGTEXT,
    p_is_continued BOOLEAN, p_now DATETIME(6), INOUT p_body LONGTEXT, INOUT p_hints LONGTEXT
)
MODIFIES SQL DATA
COMMENT 'Makes the polls that a completion carries, each in a savepoint of its own.'
BEGIN
    DECLARE v_workflow_poll, v_activity_poll, v_empty LONGTEXT;
    DECLARE v_if_applied BOOLEAN;
    DECLARE v_outcome VARCHAR(64);

    SELECT c.workflow_poll, c.activity_poll, c.if_applied INTO v_workflow_poll, v_activity_poll, v_if_applied
    FROM JSON_TABLE(
        p_carried, '$' COLUMNS (
            workflow_poll JSON PATH '$.workflow_poll',
            activity_poll JSON PATH '$.activity_poll',
            if_applied BOOLEAN PATH '$.activity_poll.if_applied'
        )
    ) AS c;

    IF v_workflow_poll IS NOT NULL THEN
        CALL carry_workflow_poll(
            p_run_id, p_sequence, p_namespace, p_worker_id, v_workflow_poll, p_now, p_body, p_hints
        );
    END IF;
    IF v_activity_poll IS NOT NULL THEN
        IF v_if_applied AND NOT p_is_continued THEN
            CALL empty_poll(v_outcome, v_empty);
            SET p_body = with_part(p_body, 'activity_poll', v_empty);
        ELSE
            CALL carry_activity_poll(
                p_run_id, p_sequence, p_namespace, p_worker_id, v_activity_poll, p_now, p_body, p_hints
            );
        END IF;
    END IF;
END//

DELIMITER ;
