-- Reads a page of a run's history for a client.
--
-- p_namespace       the namespace.
-- p_workflow_id     the workflow.
-- p_run_id          its run.
-- p_after_sequence  the page begins behind this history sequence.
-- p_page_size       how many events at most.
-- Outcomes          page; end_of_page (nothing there yet), end_of_history (nothing will come: the run is closed);
--                   instance_not_found, run_not_found, namespace_not_found.
-- Locks             none. Writes nothing.
create or replace function byssus.read_history(
    p_namespace text, p_workflow_id text, p_run_id text, p_after_sequence integer, p_page_size integer
)
returns byssus.answer
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
    v_run byssus.runs;
    v_page record;
    v_missing text := ',"workflow_id":' || byssus.json_string(p_workflow_id)
        || ',"run_id":' || byssus.json_string(p_run_id);
begin
    select * into v_run from byssus.runs as r
    where r.run_id = p_run_id and r.namespace is not distinct from p_namespace
        and r.workflow_id is not distinct from p_workflow_id;
    if v_run.run_id is null then
        return byssus.refuse_missing(
            p_namespace,
            case when exists (
                select from byssus.workflows as w
                where w.namespace = p_namespace and w.workflow_id = p_workflow_id
            ) then 'run_not_found' else 'instance_not_found' end,
            v_missing
        );
    end if;

    v_page := byssus.history_page(p_run_id, p_after_sequence, v_run.last_history_sequence, p_page_size);

    return (
        case
            when v_page.last is not null then 'page'
            when v_run.closed_at is null then 'end_of_page'
            else 'end_of_history'
        end,
        '{' || substr(v_missing, 2)
        || ',"events":[' || coalesce(v_page.events, '') || '],"last_history_sequence":' || v_run.last_history_sequence
        || ',"next_page_token":' || coalesce(byssus.json_string(v_page.token), 'null') || '}',
        null
    )::byssus.answer;
end;
$$;

comment on function byssus.read_history(text, text, text, integer, integer) is 'A page of a run''s history.';
