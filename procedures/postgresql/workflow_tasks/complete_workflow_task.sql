-- Applies what workflow code decided: the events of its commands, in their order, then what was held meanwhile.
--
-- p_namespace    the namespace.
-- p_task_id      the workflow task.
-- p_lease_owner  who calls.
-- p_attempt      the attempt that was claimed.
-- p_commands     the commands (docs/commands.md), at most one terminal one, last.
-- p_digest       digest of the commands and of sticky_cache but for its totals, for repeats.
-- p_sticky       that the worker keeps the run in its cache: worker_id, workflow_id, run_id, build_id, ttl_seconds,
--                history_last_sequence?, hit, miss, eviction, forced_cold_replay; hold_seconds, protocol_version.
--                Null: it retains nothing.
-- p_carried      what the worker asks for next (see carry_polls), or null.
-- Outcomes       completed; the fence's refusals (workflow_task_refusal), conflicting_completion, that of what is carried
--                (carried_refusal), those of sticky_cache (sticky_refusal), invalid_commands, namespace_not_found.
-- Locks          when it carries something, the registration in share mode; the run; then its activities when it
--                closes; its workflow when it continues as new.
-- Writes         affinities, worker_liveness, runs, history_events, workflow_tasks, activities, timers, inbox,
--                run_payloads, receipts; when it continues as new also workflows and the new run; as carry_polls.
create or replace function byssus.complete_workflow_task(
    p_namespace text, p_task_id text, p_lease_owner text, p_attempt integer, p_commands json, p_digest text,
    p_sticky json, p_carried json default null
)
returns byssus.answer
language plpgsql
security definer
set search_path = ''
as $$
declare
    v_run byssus.runs;
    v_task byssus.workflow_tasks;
    v_registration byssus.worker_registrations;
    v_now timestamptz;
    v_answer byssus.answer;
    v_reason text;
    v_subject text := substr(p_task_id, 38) || '.' || p_attempt;
    v_members text := ',"task_id":' || byssus.json_string(p_task_id) || ',"workflow_task_attempt":' || p_attempt
        || ',"outcome":"rejected","recorded":false';
begin
    if p_carried is not null then
        select * into v_registration from byssus.worker_registrations as w
        where w.namespace = p_namespace and w.worker_id = p_lease_owner
        for share;
    end if;
    select * into v_run from byssus.runs as r
    where r.run_id = split_part(p_task_id, ':k', 1) and r.namespace is not distinct from p_namespace
    for no key update;
    select * into v_task from byssus.workflow_tasks as t where t.run_id = v_run.run_id;
    v_now := byssus.current_instant();

    v_reason := byssus.workflow_task_refusal(
        v_run, v_task, byssus.workflow_task_number(p_task_id), p_lease_owner, p_attempt, v_now
    );
    if v_reason is not null then
        -- Whoever holds the lease has not answered yet, so a receipt can only be there for another.
        v_answer := byssus.repeated_answer(
            v_run.run_id, v_subject, p_lease_owner, p_digest, 'conflicting_completion', v_members
        );
        if v_answer.outcome = 'completed' and p_carried is not null then
            return byssus.repeat_polls(v_run, v_registration, p_carried, v_now, v_answer);
        elsif v_answer.outcome is not null then
            return v_answer;
        end if;
        return byssus.refuse_workflow_task(p_namespace, v_reason, v_run, p_task_id, p_attempt);
    end if;
    if p_carried is not null then
        v_answer := byssus.carried_refusal(v_registration, v_members);
        if v_answer.outcome is not null then
            return v_answer;
        end if;
    elsif p_sticky is not null then
        select * into v_registration from byssus.worker_registrations as w
        where w.namespace = p_namespace and w.worker_id = p_lease_owner;
    end if;

    v_answer := byssus.answer_workflow_task(v_run, v_task, v_registration, p_commands, p_sticky, v_now);
    if v_answer.outcome <> 'completed' then
        return v_answer;
    end if;
    perform byssus.record_receipt(v_run.run_id, v_subject, p_lease_owner, p_digest, v_now, v_answer);
    if p_sticky is not null then
        perform byssus.record_sticky_metrics(p_namespace, p_lease_owner, p_sticky);
    end if;
    if p_carried is not null then
        select * into v_run from byssus.runs as r where r.run_id = v_run.run_id;
        v_answer := byssus.carry_polls(v_run, v_registration, p_carried, false, v_now, v_answer);
    end if;
    return v_answer;
end;
$$;

comment on function byssus.complete_workflow_task(text, text, text, integer, json, text, json, json) is
'Completes a workflow task with its commands, in one transaction with the history that they make.';
