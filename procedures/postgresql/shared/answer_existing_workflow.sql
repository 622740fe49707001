-- What a start gets when its workflow id is taken.
--
-- p_namespace, p_workflow_id  the workflow, which exists.
-- p_workflow_type     the type that was to be started.
-- p_duplicate_policy  fail or use-existing.
-- p_request_id        the request, or null.
-- p_digest            digest of its body.
-- Result              started_new again for a repeated request; returned_existing_active;
--                     instance_already_started, workflow_type_mismatch, request_id_conflict.
-- Locks               none of its own. Writes nothing.
create or replace function byssus.answer_existing_workflow(
    p_namespace text, p_workflow_id text, p_workflow_type text, p_duplicate_policy text, p_request_id text,
    p_digest text
)
returns byssus.answer
language plpgsql
stable
as $$
declare
    v_workflow byssus.workflows;
    v_run byssus.runs;
    v_members text := ',"workflow_id":' || byssus.json_string(p_workflow_id)
        || ',"command_status":"rejected","command_source":"control_plane"';
begin
    select * into v_workflow from byssus.workflows as w
    where w.namespace = p_namespace and w.workflow_id = p_workflow_id;
    select * into v_run from byssus.runs as r where r.run_id = v_workflow.current_run_id;

    if v_workflow.start_request_id = p_request_id then
        if v_workflow.start_digest <> p_digest then
            return byssus.refuse('request_id_conflict', v_members || ',"request_id":' || byssus.json_string(p_request_id));
        end if;
        return (
            'started_new',
            byssus.started_body(
                p_namespace, p_workflow_id, v_workflow.first_run_id, v_workflow.workflow_type, 'pending', 'started_new'
            ) || ',"retained":true}',
            null
        )::byssus.answer;
    end if;

    v_members := v_members || ',"run_id":"' || v_run.run_id || '","outcome":"rejected_duplicate"';
    if p_duplicate_policy = 'fail' or v_run.closed_at is not null then
        return byssus.refuse('instance_already_started', v_members);
    elsif v_run.workflow_type <> p_workflow_type then
        return byssus.refuse('workflow_type_mismatch', v_members);
    end if;
    return (
        'returned_existing_active',
        byssus.started_body(
            p_namespace, p_workflow_id, v_run.run_id, v_run.workflow_type, v_run.status, 'returned_existing_active'
        ) || '}',
        null
    )::byssus.answer;
end;
$$;

comment on function byssus.answer_existing_workflow(text, text, text, text, text, text) is
'Answers a start whose workflow id is taken, by duplicate policy and request id.';
