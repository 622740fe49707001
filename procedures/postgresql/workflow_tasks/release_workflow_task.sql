-- Gives back a claim whose answer could not be delivered: the task is ready again at once.
--
-- p_namespace    the namespace.
-- p_task_id      the workflow task.
-- p_lease_owner  for whom it was claimed.
-- p_attempt      the attempt that was claimed.
-- Outcomes       released; the fence's refusals (workflow_task_refusal), namespace_not_found.
-- Locks          the run. Writes workflow_tasks, and what was held meanwhile: inbox, runs, history_events.
create or replace function byssus.release_workflow_task(
    p_namespace text, p_task_id text, p_lease_owner text, p_attempt integer
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
        return byssus.refuse_workflow_task(p_namespace, v_reason, v_run, p_task_id, p_attempt);
    end if;

    v_hint := byssus.end_workflow_lease(v_run, v_now, v_now);
    return (
        'released',
        '{"task_id":' || byssus.json_string(p_task_id) || ',"outcome":"released"}',
        '[' || v_hint || ']'
    )::byssus.answer;
end;
$$;

comment on function byssus.release_workflow_task(text, text, text, integer) is
'Offers a workflow task again whose claim did not reach its worker.';
