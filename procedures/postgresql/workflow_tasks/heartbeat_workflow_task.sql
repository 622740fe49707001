-- Renews the lease of a workflow task.
--
-- p_namespace      the namespace.
-- p_task_id        the workflow task.
-- p_lease_owner    who calls.
-- p_attempt        the attempt that was claimed.
-- p_lease_seconds  how long the lease lasts from now.
-- Outcomes         renewed; the fence's refusals (workflow_task_refusal), namespace_not_found.
-- Locks            the run. Writes workflow_tasks.
create or replace function byssus.heartbeat_workflow_task(
    p_namespace text, p_task_id text, p_lease_owner text, p_attempt integer, p_lease_seconds integer
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
    v_reason text;
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
        return byssus.refuse_workflow_task(p_namespace, v_reason, v_run, p_task_id, p_attempt);
    end if;

    update byssus.workflow_tasks as t
    set lease_expires_at = v_now + make_interval(secs => p_lease_seconds)
    where t.run_id = v_run.run_id
    returning t.* into v_task;
    return (
        'renewed',
        '{"task_id":' || byssus.json_string(p_task_id)
        || ',"workflow_task_attempt":' || p_attempt
        || ',"lease_owner":' || byssus.json_string(p_lease_owner)
        || ',"renewed":true,"lease_expires_at":"' || byssus.wire_time(v_task.lease_expires_at)
        || '","run_status":"' || v_run.status || '","cancel_requested":false}',
        null
    )::byssus.answer;
end;
$$;

comment on function byssus.heartbeat_workflow_task(text, text, text, integer, integer) is
'Renews the lease of a workflow task for its holder.';
