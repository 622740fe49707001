-- Why a client's command may not act on the run that it means.
--
-- p_run          the run, or null.
-- p_namespace    the namespace of the command.
-- p_workflow_id  its workflow.
-- p_run_id       the run the client named; null: the current one.
-- Result         instance_not_found, run_not_found, namespace_not_found, historical_run_command_rejected or
--                run_not_active; null when it may.
-- Locks          none. Writes nothing.
create or replace function byssus.target_refusal(
    p_run byssus.runs, p_namespace text, p_workflow_id text, p_run_id text
)
returns byssus.answer
language plpgsql
stable
as $$
declare
    v_members text := ',"workflow_id":' || byssus.json_string(p_workflow_id)
        || byssus.json_member('run_id', byssus.json_string(coalesce(p_run_id, p_run.run_id)))
        || ',"command_status":"rejected","command_source":"control_plane","target_scope":"'
        || case when p_run_id is null then 'instance' else 'run' end || '"';
begin
    if p_run.run_id is null and exists (
        select from byssus.workflows as w where w.namespace = p_namespace and w.workflow_id = p_workflow_id
    ) then
        return byssus.refuse('run_not_found', v_members);
    elsif p_run.run_id is null then
        return byssus.refuse_missing(p_namespace, 'instance_not_found', v_members);
    elsif p_run.continued_to_run_id is not null then
        return byssus.refuse('historical_run_command_rejected', v_members || ',"outcome":"rejected_not_current"');
    elsif p_run.closed_at is not null then
        return byssus.refuse(
            'run_not_active',
            v_members || ',"run_status":"' || p_run.status
            || '","is_terminal":true,"outcome":"rejected_not_active","rejection_reason":"run_not_active"'
        );
    end if;
    return null;
end;
$$;

comment on function byssus.target_refusal(byssus.runs, text, text, text) is
'The refusal of a command on a run that is missing, not current, or closed; or null.';
