-- Lists the runs of one workflow, oldest first.
--
-- p_namespace     the namespace.
-- p_workflow_id   the workflow.
-- p_after_number  the page begins behind the run with this number.
-- p_page_size     how many at most.
-- Outcomes        listed; instance_not_found, namespace_not_found.
-- Locks           none. Writes nothing.
create or replace function byssus.list_workflow_runs(
    p_namespace text, p_workflow_id text, p_after_number integer, p_page_size integer
)
returns byssus.answer
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
    v_workflow byssus.workflows;
    v_rows text;
    v_last integer;
begin
    select * into v_workflow from byssus.workflows as w
    where w.namespace = p_namespace and w.workflow_id = p_workflow_id;
    if v_workflow.workflow_id is null then
        return byssus.refuse_missing(
            p_namespace, 'instance_not_found', ',"workflow_id":' || byssus.json_string(p_workflow_id)
        );
    end if;

    select
        string_agg(
            '{' || byssus.run_summary(r)
            || ',"is_terminal":' || (r.closed_at is not null)
            || ',"run_number":' || r.run_number
            || ',"is_current_run":' || (r.run_id = v_workflow.current_run_id) || '}',
            ',' order by r.run_number
        ),
        max(r.run_number)
    into v_rows, v_last
    from (
        select p.* from byssus.runs as p
        where p.namespace = p_namespace and p.workflow_id = p_workflow_id and p.run_number > p_after_number
        order by p.run_number limit p_page_size
    ) as r;

    return (
        'listed',
        '{"workflow_id":' || byssus.json_string(p_workflow_id)
        || ',"run_count":' || v_workflow.run_count
        || ',"runs":[' || coalesce(v_rows, '') || '],"next_page_token":'
        || case
            when v_last < v_workflow.run_count
                then byssus.json_string(encode(convert_to(v_last::text, 'UTF8'), 'base64'))
            else 'null'
        end || '}',
        null
    )::byssus.answer;
end;
$$;

comment on function byssus.list_workflow_runs(text, text, integer, integer) is
'A page of the runs of one workflow, oldest first.';
