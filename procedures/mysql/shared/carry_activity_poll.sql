-- Claims an activity for the poll that a completion carries. A worker that holds the history of the completed run goes on
-- with that run first, and gets the rest of its history with the activity.
--
-- A speculative part: in a savepoint of its own. What fails in it is undone alone.
--
-- p_run_id         the run as the completion has left it; its row the caller has locked.
-- p_sequence       its last history sequence.
-- p_namespace, p_worker_id  the worker that calls, whose registration is locked in share mode.
-- p_poll           the poll (see claim_activity_task), and history_after_sequence?.
-- p_now            the moment.
-- p_body, p_hints  the completion's answer; it gets the member activity_poll: the ordinary answer of a poll, with
--                  history_tail if that was asked for and can be had; or poll_status failed.
-- Errors           that of a fault that took the whole transaction with it, the completion too.
-- Locks            the claimed activity, skipping what others hold.
-- Writes           activities, affinities.
DELIMITER //

DROP PROCEDURE IF EXISTS carry_activity_poll//

CREATE PROCEDURE carry_activity_poll(
    p_run_id VARCHAR(36), p_sequence BIGINT, p_namespace VARCHAR(255), p_worker_id VARCHAR(255), p_poll LONGTEXT,
    p_now DATETIME(6), INOUT p_body LONGTEXT, INOUT p_hints LONGTEXT
)
MODIFIES SQL DATA
COMMENT 'Claims an activity for a carried poll, in a savepoint of its own.'
BEGIN
    DECLARE v_task_queue, v_build_id, v_poll_request_id VARCHAR(255);
    DECLARE v_lease_seconds, v_position INT;
    DECLARE v_after BIGINT;
    DECLARE v_is_lost BOOLEAN DEFAULT FALSE;
    DECLARE v_outcome VARCHAR(64);
    DECLARE v_claim, v_hint, v_tail, v_body LONGTEXT;
    DECLARE v_state CHAR(5);

    SAVEPOINT activity_poll;
    part: BEGIN
        DECLARE EXIT HANDLER FOR SQLEXCEPTION, 1265
        BEGIN
            -- What has undone the completion, too, has taken the savepoint away.
            DECLARE CONTINUE HANDLER FOR 1305 SET v_is_lost = TRUE;
            GET DIAGNOSTICS CONDITION 1 v_state = RETURNED_SQLSTATE;
            ROLLBACK TO SAVEPOINT activity_poll;
            IF v_is_lost THEN
                RESIGNAL;
            END IF;
            SET v_body = with_part(p_body, 'activity_poll', '{"task":null,"poll_status":"failed"}');
            SET v_hint = NULL;
            SET p_hints = failure_hint(p_hints, 'activity_poll', v_state);
        END;

        SELECT p.task_queue, p.build_id, p.poll_request_id, p.lease_seconds, p.history_after_sequence
        INTO v_task_queue, v_build_id, v_poll_request_id, v_lease_seconds, v_after
        FROM JSON_TABLE(
            p_poll, '$' COLUMNS (
                task_queue VARCHAR(255) PATH '$.task_queue',
                build_id VARCHAR(255) PATH '$.build_id',
                poll_request_id VARCHAR(255) PATH '$.poll_request_id',
                lease_seconds INT PATH '$.lease_seconds',
                history_after_sequence BIGINT PATH '$.history_after_sequence'
            )
        ) AS p;

        CALL refuse_poll(p_namespace, p_worker_id, v_task_queue, v_build_id, v_outcome, v_claim);
        IF v_outcome IS NULL THEN
            CALL repeat_activity_claim(p_namespace, p_worker_id, v_poll_request_id, p_now, v_outcome, v_claim);
        END IF;
        IF v_outcome IS NULL THEN
            IF v_after IS NOT NULL THEN
                SET v_position = claimable_activity(p_run_id, p_namespace, p_worker_id, p_now);
            END IF;
            IF v_position IS NOT NULL THEN
                CALL grant_activity(
                    p_namespace, p_worker_id, v_poll_request_id, v_lease_seconds, p_run_id, v_position, p_now, v_outcome,
                    v_claim
                );
            ELSE
                CALL lease_activity(
                    p_namespace, p_worker_id, v_poll_request_id, v_lease_seconds, p_now, v_outcome, v_claim
                );
            END IF;
        END IF;
        IF v_outcome IS NULL THEN
            CALL empty_poll(v_outcome, v_claim);
        ELSEIF v_outcome = 'leased' THEN
            SET v_position = polled_activity(p_namespace, p_worker_id, v_poll_request_id, p_run_id, p_now);
            SELECT ready_hint('activity', a.namespace, a.task_queue, NULL) INTO v_hint FROM activities AS a
            WHERE a.run_id = p_run_id AND a.position = v_position AND a.available_at = p_now;
            CALL history_tail(
                IF(v_position IS NULL, NULL, p_run_id), p_namespace, p_worker_id, v_after, p_sequence, p_now, v_tail
            );
            IF v_tail IS NOT NULL THEN
                UPDATE affinities AS a SET a.delivered_sequence = p_sequence WHERE a.run_id = p_run_id;
            END IF;
        END IF;
        -- Here, since an answer may become larger than a packet.
        SET v_body = with_part(p_body, 'activity_poll', with_tail(v_claim, v_tail));
    END part;
    RELEASE SAVEPOINT activity_poll;

    IF v_hint IS NOT NULL THEN
        SET p_hints = without_hint(p_hints, v_hint);
    END IF;
    SET p_body = v_body;
END//

DELIMITER ;
