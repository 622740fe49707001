-- Completes the workflow task that an activity's completion asks for, with commands that its worker computed ahead: the
-- task is made, leased and answered before anybody could claim it.
--
-- A speculative part: in a savepoint of its own. What fails in it is undone alone; the completion stands, and so does what
-- the caller remembers of the run. All constraints are checked at once here, so nothing is left to fail at the commit.
--
-- p_run_id         the run as the completion has left it; its row the caller has locked.
-- p_namespace, p_worker_id  the worker that calls, whose registration is locked in share mode.
-- p_continuation   basis_sequence: through which history sequence the worker has computed; commands; sticky? (see
--                  complete_workflow_task); the last two as they are given to that, as JSON text in strings.
-- p_asks           whether the completion asked for a workflow task.
-- p_now            the moment.
-- p_sequence       the run's last history sequence; as the part has left it afterwards.
-- p_is_applied     whether the continuation was applied.
-- p_body, p_hints  the completion's answer; it gets the member continuation.
-- Errors           that of a fault that took the whole transaction with it, the completion too.
-- Locks            as apply_commands.
-- Writes           affinities, worker_liveness; as apply_commands.
DELIMITER //

DROP PROCEDURE IF EXISTS carry_continuation//

CREATE PROCEDURE carry_continuation(
    p_run_id VARCHAR(36), p_namespace VARCHAR(255), p_worker_id VARCHAR(255), p_continuation LONGTEXT, p_asks BOOLEAN,
    p_now DATETIME(6), INOUT p_sequence BIGINT, OUT p_is_applied BOOLEAN, INOUT p_body LONGTEXT, INOUT p_hints LONGTEXT
)
MODIFIES SQL DATA
COMMENT 'Completes the workflow task that an activity completion asks for, in a savepoint of its own.'
BEGIN
    -- The task that the continuation answers is named after the event that made it.
    DECLARE v_sequence BIGINT DEFAULT p_sequence;
    DECLARE v_basis BIGINT;
    DECLARE v_commands, v_sticky, v_refusal, v_hints LONGTEXT;
    DECLARE v_status VARCHAR(16);
    DECLARE v_reason, v_outcome VARCHAR(64);
    DECLARE v_is_lost BOOLEAN DEFAULT FALSE;
    DECLARE v_state CHAR(5);

    SAVEPOINT continuation;
    part: BEGIN
        DECLARE EXIT HANDLER FOR SQLEXCEPTION, 1265
        BEGIN
            -- What has undone the completion, too, has taken the savepoint away.
            DECLARE CONTINUE HANDLER FOR 1305 SET v_is_lost = TRUE;
            GET DIAGNOSTICS CONDITION 1 v_state = RETURNED_SQLSTATE;
            ROLLBACK TO SAVEPOINT continuation;
            IF v_is_lost THEN
                RESIGNAL;
            END IF;
            -- The savepoint has undone rows, not variables.
            SET p_sequence = v_sequence;
            SET v_reason = 'failed';
            SET v_hints = failure_hint(p_hints, 'continuation', v_state);
        END;

        SELECT c.basis_sequence, c.commands, c.sticky INTO v_basis, v_commands, v_sticky
        FROM JSON_TABLE(
            p_continuation, '$' COLUMNS (
                basis_sequence BIGINT PATH '$.basis_sequence',
                commands LONGTEXT PATH '$.commands',
                sticky LONGTEXT PATH '$.sticky'
            )
        ) AS c;
        SET v_reason = continuation_refusal(p_run_id, p_namespace, p_worker_id, v_basis, v_commands, p_asks, p_now);
        IF v_reason IS NOT NULL THEN
            LEAVE part;
        END IF;

        INSERT INTO workflow_tasks (
            run_id, task_number, namespace, task_queue, workflow_type, build_id, priority, status, available_at, attempt,
            lease_owner, lease_expires_at, registration_token, held_until, sticky_replay_mode, sticky_claimed_at,
            after_sequence, claimed_sequence, delivered_sequence
        )
        SELECT
            r.run_id, p_sequence, r.namespace, r.task_queue, r.workflow_type, r.build_id, r.priority, 'leased', p_now, 1,
            p_worker_id, p_now, w.registration_token, p_now, 'sticky_hit_expected', p_now, v_basis, p_sequence, v_basis
        FROM runs AS r CROSS JOIN worker_registrations AS w
        WHERE r.run_id = p_run_id AND w.namespace = p_namespace AND w.worker_id = p_worker_id;
        CALL answer_workflow_task(p_run_id, v_commands, v_sticky, p_now, v_outcome, v_refusal, v_hints);
        IF v_outcome <> 'completed' THEN
            SET v_reason = v_outcome;
            -- Undoes the lease.
            ROLLBACK TO SAVEPOINT continuation;
            LEAVE part;
        END IF;
        SELECT r.last_history_sequence, r.status INTO p_sequence, v_status FROM runs AS r WHERE r.run_id = p_run_id;
        IF v_sticky IS NOT NULL THEN
            CALL record_sticky_metrics(p_namespace, p_worker_id, v_sticky);
        END IF;
    END part;
    RELEASE SAVEPOINT continuation;

    SET p_is_applied = v_reason IS NULL;
    SET p_hints = COALESCE(v_hints, p_hints);
    SET p_body = with_part(p_body, 'continuation', IF(
        p_is_applied,
        CONCAT(
            '{"outcome":"applied","reason":null,"task_id":"', p_run_id, ':k', v_sequence, '","run_status":"', v_status,
            '","history_last_sequence":', p_sequence, '}'
        ),
        CONCAT('{"outcome":"refused","reason":"', v_reason, '"}')
    ));
END//

DELIMITER ;
