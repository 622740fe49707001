-- Records that a worker could not answer a workflow task. The run itself does not fail: the task is offered
-- again, later and later. A worker that merely waits for history is done with the task.
--
-- p_namespace    the namespace.
-- p_task_id      the workflow task.
-- p_lease_owner  who calls.
-- p_attempt      the attempt that was claimed.
-- p_failure      type?, message, reason?
-- p_digest       digest of the failure, for repeats.
-- Outcomes       failed, waiting_for_history; the fence's refusals (workflow_task_refusal), conflicting_completion,
--                namespace_not_found.
-- Locks          the run.
-- Writes         workflow_tasks, receipts, and what was held meanwhile: inbox, runs, history_events.
create or replace function byssus.fail_workflow_task(
    p_namespace text, p_task_id text, p_lease_owner text, p_attempt integer, p_failure json, p_digest text
)
returns byssus.answer
language plpgsql
security definer
set search_path = ''
as $$
declare
    v_run byssus.runs;
    v_task byssus.workflow_tasks;
    v_now timestamptz;
    v_answer byssus.answer;
    v_reason text;
    v_subject text := substr(p_task_id, 38) || '.' || p_attempt;
    v_available_at timestamptz;
    v_hint text;
begin
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
            v_run.run_id, v_subject, p_lease_owner, p_digest, 'conflicting_completion',
            ',"task_id":' || byssus.json_string(p_task_id) || ',"workflow_task_attempt":' || p_attempt
            || ',"outcome":"rejected","recorded":false'
        );
        if v_answer.outcome is not null then
            return v_answer;
        end if;
        return byssus.refuse_workflow_task(p_namespace, v_reason, v_run, p_task_id, p_attempt);
    end if;

    if p_failure ->> 'type' = 'WorkflowTaskWaitingForHistory' then
        v_answer := byssus.acknowledge_workflow_task(v_run, v_task, v_now);
    else
        v_available_at := v_now + make_interval(secs => case
            when p_failure ->> 'type' in ('NonDeterministicReplayError', 'WorkflowEntryArgumentsMismatchError') then 60
            else least(60, power(2, least(v_task.failure_count, 6)))
        end);
        v_hint := byssus.end_workflow_lease(v_run, v_now, v_available_at);
        update byssus.workflow_tasks as t
        set failure_count = t.failure_count + 1, last_failure = p_failure
        where t.run_id = v_run.run_id;
        v_answer := (
            'failed',
            '{"task_id":' || byssus.json_string(p_task_id)
            || ',"outcome":"failed","recorded":true,"run_status":"' || v_run.status
            || '","retry_available_at":"' || byssus.wire_time(v_available_at) || '"}',
            '[' || v_hint || ',["run","' || v_run.run_id || '"]]'
        )::byssus.answer;
    end if;
    perform byssus.record_receipt(v_run.run_id, v_subject, p_lease_owner, p_digest, v_now, v_answer);
    return v_answer;
end;
$$;

comment on function byssus.fail_workflow_task(text, text, text, integer, json, text) is
'Records a failed workflow task and offers it again later, or acknowledges that its worker waits for history.';
