-- Claims a workflow task for the poll that a completion carries: the run's own next one, or what the queue has.
--
-- A speculative part: in a savepoint of its own. What fails in it is undone alone.
--
-- p_run_id         the run as the completion has left it; its row the caller has locked.
-- p_sequence       its last history sequence.
-- p_namespace, p_worker_id  the worker that calls, whose registration is locked in share mode.
-- p_poll           the poll (see claim_workflow_task).
-- p_now            the moment.
-- p_body, p_hints  the completion's answer; it gets the member workflow_poll: the ordinary answer of a poll, or
--                  poll_status failed.
-- Errors           that of a fault that took the whole transaction with it, the completion too.
-- Locks            the run's task; or another one with its run, skipping what others hold.
-- Writes           workflow_tasks, sticky_counts, worker_liveness.
DELIMITER //

DROP PROCEDURE IF EXISTS carry_workflow_poll//

CREATE PROCEDURE carry_workflow_poll(
    p_run_id VARCHAR(36), p_sequence BIGINT, p_namespace VARCHAR(255), p_worker_id VARCHAR(255), p_poll LONGTEXT,
    p_now DATETIME(6), INOUT p_body LONGTEXT, INOUT p_hints LONGTEXT
)
MODIFIES SQL DATA
COMMENT 'Claims a workflow task for a carried poll, in a savepoint of its own.'
BEGIN
    DECLARE v_task_queue, v_build_id, v_poll_request_id VARCHAR(255);
    DECLARE v_page_size, v_lease_seconds, v_polling_seconds INT;
    DECLARE v_is_sticky, v_is_sticky_worker, v_takes_suffix, v_is_lost BOOLEAN DEFAULT FALSE;
    DECLARE v_task_number BIGINT;
    DECLARE v_outcome VARCHAR(64);
    DECLARE v_claim, v_hint, v_body LONGTEXT;
    DECLARE v_state CHAR(5);

    SAVEPOINT workflow_poll;
    part: BEGIN
        DECLARE EXIT HANDLER FOR SQLEXCEPTION, 1265
        BEGIN
            -- What has undone the completion, too, has taken the savepoint away.
            DECLARE CONTINUE HANDLER FOR 1305 SET v_is_lost = TRUE;
            GET DIAGNOSTICS CONDITION 1 v_state = RETURNED_SQLSTATE;
            ROLLBACK TO SAVEPOINT workflow_poll;
            IF v_is_lost THEN
                RESIGNAL;
            END IF;
            SET v_body = with_part(p_body, 'workflow_poll', '{"task":null,"poll_status":"failed"}');
            SET v_hint = NULL;
            SET p_hints = failure_hint(p_hints, 'workflow_poll', v_state);
        END;

        SELECT
            p.task_queue, p.build_id, p.poll_request_id, p.page_size, p.lease_seconds, p.sticky_execution,
            p.polling_seconds
        INTO
            v_task_queue, v_build_id, v_poll_request_id, v_page_size, v_lease_seconds, v_is_sticky, v_polling_seconds
        FROM JSON_TABLE(
            p_poll, '$' COLUMNS (
                task_queue VARCHAR(255) PATH '$.task_queue',
                build_id VARCHAR(255) PATH '$.build_id',
                poll_request_id VARCHAR(255) PATH '$.poll_request_id',
                page_size INT PATH '$.page_size',
                lease_seconds INT PATH '$.lease_seconds',
                sticky_execution BOOLEAN PATH '$.sticky_execution',
                polling_seconds INT PATH '$.polling_seconds'
            )
        ) AS p;
        SELECT w.sticky_execution, w.sticky_history_suffix INTO v_is_sticky_worker, v_takes_suffix
        FROM worker_registrations AS w
        WHERE w.namespace = p_namespace AND w.worker_id = p_worker_id;

        CALL refuse_poll(p_namespace, p_worker_id, v_task_queue, v_build_id, v_outcome, v_claim);
        IF v_outcome IS NULL THEN
            IF v_is_sticky_worker AND v_is_sticky THEN
                CALL record_poll(p_namespace, p_worker_id, v_polling_seconds, p_now);
            END IF;
            CALL repeat_workflow_claim(
                p_namespace, p_worker_id, v_poll_request_id, v_page_size, v_takes_suffix, p_now, v_outcome, v_claim
            );
        END IF;
        IF v_outcome IS NULL THEN
            SET v_task_number = claimable_task(p_run_id, p_namespace, p_worker_id, p_now);
            IF v_task_number IS NOT NULL THEN
                CALL grant_workflow_task(
                    p_namespace, p_worker_id, v_poll_request_id, v_page_size, v_lease_seconds, v_is_sticky, p_run_id,
                    p_sequence, p_now, v_outcome, v_claim
                );
                SELECT held_hint(t.namespace, t.task_queue, t.sticky_worker_id, t.held_until, p_now) INTO v_hint
                FROM workflow_tasks AS t
                WHERE t.run_id = p_run_id AND t.available_at = p_now;
            ELSE
                CALL lease_workflow_task(
                    p_namespace, p_worker_id, v_poll_request_id, v_page_size, v_lease_seconds, v_is_sticky, p_now,
                    v_outcome, v_claim
                );
            END IF;
        END IF;
        IF v_outcome IS NULL THEN
            CALL empty_poll(v_outcome, v_claim);
        END IF;
        -- Here, since an answer may become larger than a packet.
        SET v_body = with_part(p_body, 'workflow_poll', v_claim);
    END part;
    RELEASE SAVEPOINT workflow_poll;

    IF v_hint IS NOT NULL THEN
        SET p_hints = without_hint(p_hints, v_hint);
    END IF;
    SET p_body = v_body;
END//

DELIMITER ;
