-- The answer to a caller that does not hold the workflow task.
--
-- p_namespace  the namespace of the request.
-- p_reason     the fence's reason.
-- p_run        the run, or null.
-- p_task_id    the task the caller named.
-- p_attempt    the attempt the caller named.
-- Result       the refusal, saying that nothing was recorded. Locks none, writes nothing.
create or replace function byssus.refuse_workflow_task(
    p_namespace text, p_reason text, p_run byssus.runs, p_task_id text, p_attempt integer
)
returns byssus.answer
language plpgsql
stable
as $$
declare
    v_members text := ',"task_id":' || byssus.json_string(p_task_id)
        || ',"workflow_task_attempt":' || p_attempt
        || ',"outcome":"rejected","recorded":false,"can_continue":false'
        || byssus.json_member('run_status', byssus.json_string(p_run.status))
        || case when p_run.status in ('cancelled', 'terminated') then ',"cancel_requested":true' else '' end;
begin
    if p_reason = 'task_not_found' then
        return byssus.refuse_missing(p_namespace, p_reason, v_members);
    end if;
    return byssus.refuse(p_reason, v_members);
end;
$$;

comment on function byssus.refuse_workflow_task(text, text, byssus.runs, text, integer) is
'The refusal of a call on a workflow task, with the run''s status.';
