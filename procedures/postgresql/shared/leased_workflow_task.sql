-- What a worker is told of a workflow task that it holds, with the first page of history.
--
-- p_run        the run.
-- p_task       its leased task.
-- p_page_size  how many events the page holds at most.
-- Result       the answer of a poll. History ends where the claim found it.
-- Locks        none. Writes nothing.
create or replace function byssus.leased_workflow_task(
    p_run byssus.runs, p_task byssus.workflow_tasks, p_page_size integer
)
returns byssus.answer
language plpgsql
stable
as $$
declare
    v_page record;
    v_input text;
begin
    v_page := byssus.history_page(p_run.run_id, 0, p_task.claimed_sequence, p_page_size);
    select p.input::text into v_input from byssus.run_payloads as p where p.run_id = p_run.run_id;

    return (
        'leased',
        '{"task":{"task_id":"' || p_run.run_id || ':k' || p_task.task_number
        || '","task_kind":"workflow","namespace":' || byssus.json_string(p_run.namespace)
        || ',"workflow_id":' || byssus.json_string(p_run.workflow_id)
        || ',"run_id":"' || p_run.run_id
        || '","workflow_type":' || byssus.json_string(p_run.workflow_type)
        || ',"task_queue":' || byssus.json_string(p_run.task_queue)
        || ',"payload_codec":"avro","arguments":' || coalesce(v_input, 'null')
        || ',"workflow_task_attempt":' || p_task.attempt
        || ',"lease_owner":' || byssus.json_string(p_task.lease_owner)
        || ',"lease_expires_at":"' || byssus.wire_time(p_task.lease_expires_at)
        || '","run_status":"' || p_run.status
        || '","cancel_requested":false,"history_size_bytes":' || p_run.history_size_bytes
        || ',"last_history_sequence":' || p_task.claimed_sequence
        || ',"total_history_events":' || p_task.claimed_sequence
        || ',"history_events":[' || coalesce(v_page.events, '')
        || '],"next_history_page_token":' || coalesce(byssus.json_string(v_page.token), 'null')
        || '},"poll_status":"leased"}',
        null
    )::byssus.answer;
end;
$$;

comment on function byssus.leased_workflow_task(byssus.runs, byssus.workflow_tasks, integer) is
'A leased workflow task in wire form, with its first page of history.';
