-- Reads a further page of the history of a claim. It ends where the claim found the history: an event that was
-- appended later is never delivered to it. What the page delivers raises the lease's delivered boundary.
--
-- p_namespace       the namespace.
-- p_task_id         the workflow task.
-- p_lease_owner     who calls.
-- p_attempt         the attempt that was claimed.
-- p_after_sequence  the page begins behind this history sequence.
-- p_page_size       how many events at most.
-- Outcomes          page; the fence's refusals (workflow_task_refusal), namespace_not_found.
-- Locks             the run. Writes workflow_tasks, when the page goes beyond what had been delivered.
create or replace function byssus.read_history_page(
    p_namespace text, p_task_id text, p_lease_owner text, p_attempt integer, p_after_sequence integer,
    p_page_size integer
)
returns byssus.answer
language plpgsql
security definer
set search_path = ''
as $$
declare
    v_run byssus.runs;
    v_task byssus.workflow_tasks;
    v_reason text;
    v_page record;
begin
    select * into v_run from byssus.runs as r
    where r.run_id = split_part(p_task_id, ':k', 1) and r.namespace is not distinct from p_namespace
    for no key update;
    select * into v_task from byssus.workflow_tasks as t where t.run_id = v_run.run_id;

    v_reason := byssus.workflow_task_refusal(
        v_run, v_task, byssus.workflow_task_number(p_task_id), p_lease_owner, p_attempt, byssus.current_instant()
    );
    if v_reason is not null then
        return byssus.refuse_workflow_task(p_namespace, v_reason, v_run, p_task_id, p_attempt);
    end if;

    v_page := byssus.history_page(v_run.run_id, p_after_sequence, v_task.claimed_sequence, p_page_size);
    perform byssus.record_delivery(v_task, v_page.last);
    return (
        'page',
        '{"task_id":' || byssus.json_string(p_task_id)
        || ',"workflow_task_attempt":' || p_attempt
        || ',"history_events":[' || coalesce(v_page.events, '')
        || '],"next_history_page_token":' || coalesce(byssus.json_string(v_page.token), 'null')
        || ',"total_history_events":' || v_task.claimed_sequence || '}',
        null
    )::byssus.answer;
end;
$$;

comment on function byssus.read_history_page(text, text, text, integer, integer, integer) is
'A further page of a claim''s history, bounded where the claim found it.';
