-- What the polls that a repeated completion carries were given, as far as that lives. Nothing new is claimed.
--
-- p_run_id   the run, whose row the caller has locked.
-- p_namespace, p_worker_id  the worker that calls.
-- p_carried  {workflow_poll?, activity_poll?} (see carry_polls).
-- p_now      the moment.
-- p_body     the recorded answer; it gets a member per poll.
-- Locks      none of its own. Writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS repeat_polls//

CREATE PROCEDURE repeat_polls(
    p_run_id VARCHAR(36), p_namespace VARCHAR(255), p_worker_id VARCHAR(255), p_carried LONGTEXT, p_now DATETIME(6),
    INOUT p_body LONGTEXT
)
READS SQL DATA
COMMENT 'The claims that the polls of a repeated completion were given, as far as they live.'
BEGIN
    DECLARE v_polls_workflows, v_polls_activities BOOLEAN;
    DECLARE v_workflow_request_id, v_activity_request_id VARCHAR(255);
    DECLARE v_page_size, v_position INT;
    DECLARE v_after BIGINT;
    DECLARE v_takes_suffix BOOLEAN DEFAULT FALSE;
    DECLARE v_outcome VARCHAR(64);
    DECLARE v_claim, v_tail LONGTEXT;

    SELECT
        c.polls_workflows, c.workflow_request_id, c.page_size, c.polls_activities, c.activity_request_id,
        c.history_after_sequence
    INTO v_polls_workflows, v_workflow_request_id, v_page_size, v_polls_activities, v_activity_request_id, v_after
    FROM JSON_TABLE(
        p_carried, '$' COLUMNS (
            polls_workflows BOOLEAN EXISTS PATH '$.workflow_poll',
            workflow_request_id VARCHAR(255) PATH '$.workflow_poll.poll_request_id',
            page_size INT PATH '$.workflow_poll.page_size',
            polls_activities BOOLEAN EXISTS PATH '$.activity_poll',
            activity_request_id VARCHAR(255) PATH '$.activity_poll.poll_request_id',
            history_after_sequence BIGINT PATH '$.activity_poll.history_after_sequence'
        )
    ) AS c;

    IF v_polls_workflows THEN
        SELECT w.sticky_history_suffix INTO v_takes_suffix FROM worker_registrations AS w
        WHERE w.namespace = p_namespace AND w.worker_id = p_worker_id;
        CALL repeat_workflow_claim(
            p_namespace, p_worker_id, v_workflow_request_id, v_page_size, v_takes_suffix, p_now, v_outcome, v_claim
        );
        IF v_outcome IS NULL THEN
            CALL empty_poll(v_outcome, v_claim);
        END IF;
        SET p_body = with_part(p_body, 'workflow_poll', v_claim);
    END IF;
    IF v_polls_activities THEN
        CALL repeat_activity_claim(p_namespace, p_worker_id, v_activity_request_id, p_now, v_outcome, v_claim);
        IF v_outcome IS NULL THEN
            CALL empty_poll(v_outcome, v_claim);
        END IF;
        SET v_position = polled_activity(p_namespace, p_worker_id, v_activity_request_id, p_run_id, p_now);
        CALL history_tail(
            IF(v_position IS NULL, NULL, p_run_id), p_namespace, p_worker_id, v_after, NULL, p_now, v_tail
        );
        SET p_body = with_part(p_body, 'activity_poll', with_tail(v_claim, v_tail));
    END IF;
END//

DELIMITER ;
