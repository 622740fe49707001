-- Claims a workflow task for the poll that a completion carries: the run's own next one, or what the queue has.
--
-- A speculative part: in a savepoint of its own. What fails in it is undone alone.
--
-- p_run           the run as the completion has left it; its row the caller has locked.
-- p_registration  the registration of the worker that calls, locked in share mode.
-- p_poll          the poll (see claim_workflow_task).
-- p_now           the moment.
-- p_answer        the completion's answer.
-- Result          the answer with the member workflow_poll: the ordinary answer of a poll, or poll_status failed.
-- Locks           the run's task; or another one with its run, skipping what others hold.
-- Writes          workflow_tasks, sticky_counts, worker_liveness.
create or replace function byssus.carry_workflow_poll(
    p_run byssus.runs, p_registration byssus.worker_registrations, p_poll json, p_now timestamptz,
    p_answer byssus.answer
)
returns byssus.answer
language plpgsql
as $$
declare
    v_task byssus.workflow_tasks;
    v_claim byssus.answer;
    v_answer byssus.answer := p_answer;
begin
    v_claim := byssus.refuse_poll(p_poll, p_registration);
    if v_claim.outcome is null then
        if p_registration.sticky_execution and (p_poll ->> 'sticky_execution')::boolean then
            perform byssus.record_poll(
                p_registration.namespace, p_registration.worker_id, (p_poll ->> 'polling_seconds')::integer, p_now
            );
        end if;
        v_claim := byssus.repeat_workflow_claim(p_poll, p_registration, p_now);
    end if;
    if v_claim.outcome is null then
        v_task := byssus.claimable_task(p_run, p_registration, p_now);
        if v_task.run_id is not null then
            v_claim := byssus.grant_workflow_task(p_poll, p_registration, p_run, p_now);
        else
            v_claim := byssus.lease_workflow_task(p_poll, p_registration, p_now);
        end if;
        if v_task.available_at = p_now then
            v_answer.hints := byssus.without_hint(p_answer.hints, byssus.held_hint(
                v_task.namespace, v_task.task_queue, v_task.sticky_worker_id, v_task.held_until, p_now
            ));
        end if;
    end if;
    if v_claim.outcome is null then
        v_claim := byssus.empty_poll();
    end if;
    return byssus.with_part(v_answer, 'workflow_poll', v_claim.body);
exception
    when others then
        v_answer.hints := byssus.failure_hint(p_answer.hints, 'workflow_poll', sqlstate);
        return byssus.with_part(v_answer, 'workflow_poll', '{"task":null,"poll_status":"failed"}');
end;
$$;

comment on function byssus.carry_workflow_poll(
    byssus.runs, byssus.worker_registrations, json, timestamptz, byssus.answer
) is 'Claims a workflow task for a carried poll, in a savepoint of its own.';
