-- What a worker is told of a workflow task that it holds, with the first page of history.
--
-- p_run            the run.
-- p_task           its leased task.
-- p_takes_suffix   whether the worker knows history suffixes: it is told where its history begins and ends.
-- p_events         the first page: its events joined by commas, null when there are none.
-- p_token          what fetches the next page, or null.
-- Result           the answer of a poll. History ends where the claim found it.
-- Locks            none. Writes nothing.
create or replace function byssus.leased_workflow_task(
    p_run byssus.runs, p_task byssus.workflow_tasks, p_takes_suffix boolean, p_events text, p_token text
)
returns byssus.answer
language plpgsql
stable
as $$
declare
    v_input text;
begin
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
        || '","sticky_replay_mode":"' || p_task.sticky_replay_mode
        || '","run_status":"' || p_run.status
        || '","cancel_requested":false,"history_size_bytes":' || p_run.history_size_bytes
        || ',"last_history_sequence":' || p_task.claimed_sequence
        || ',"total_history_events":' || p_task.claimed_sequence
        || case
            when p_takes_suffix
                then ',"history_after_sequence":' || p_task.after_sequence
                    || ',"history_last_sequence":' || p_task.claimed_sequence
            else ''
        end
        || ',"history_events":[' || coalesce(p_events, '')
        || '],"next_history_page_token":' || coalesce(byssus.json_string(p_token), 'null')
        || '},"poll_status":"leased"}',
        null
    )::byssus.answer;
end;
$$;

comment on function byssus.leased_workflow_task(byssus.runs, byssus.workflow_tasks, boolean, text, text) is
'A leased workflow task in wire form, with its first page of history.';
