-- Sends a signal to a run. It reaches workflow code at its next workflow task; until the first task has been
-- answered, and while one is leased, it is held.
--
-- p_namespace    the namespace.
-- p_workflow_id  the workflow.
-- p_run_id       one of its runs; null: the current one.
-- p_signal_name  the signal.
-- p_input        its arguments as a payload envelope, or null.
-- p_request_id   repeats of one request get one answer; null: not repeatable.
-- p_digest       digest of the request's body.
-- Outcomes       signal_received; instance_not_found, run_not_found, historical_run_command_rejected,
--                request_id_conflict, run_not_active, structural_limit_exceeded, namespace_not_found.
-- Locks          the run.
-- Writes         receipts; inbox, or runs, history_events, workflow_tasks.
create or replace function byssus.signal_run(
    p_namespace text, p_workflow_id text, p_run_id text, p_signal_name text, p_input json, p_request_id text,
    p_digest text
)
returns byssus.answer
language plpgsql
security definer
set search_path = ''
as $$
declare
    v_run byssus.runs;
    v_now timestamptz;
    v_answer byssus.answer;
    v_subject text := 'signal:' || p_request_id;
    v_signal_id text;
    v_held integer;
    v_hints text;
begin
    v_run := byssus.lock_target_run(p_namespace, p_workflow_id, p_run_id);
    v_now := byssus.current_instant();

    v_answer := byssus.repeated_answer(
        v_run.first_run_id, v_subject, p_signal_name, p_digest, 'request_id_conflict',
        ',"workflow_id":' || byssus.json_string(p_workflow_id) || ',"request_id":' || byssus.json_string(p_request_id)
    );
    if v_answer.outcome is null then
        v_answer := byssus.target_refusal(v_run, p_namespace, p_workflow_id, p_run_id);
    end if;
    if v_answer.outcome is not null then
        return v_answer;
    end if;

    select count(*)::integer into v_held from byssus.inbox as i where i.run_id = v_run.run_id and i.kind = 'signal';
    if v_held >= 5000 then
        return byssus.refuse(
            'structural_limit_exceeded',
            ',"workflow_id":' || byssus.json_string(p_workflow_id)
            || ',"limit_kind":"pending_signal_count","current_value":' || v_held || ',"configured_limit":5000'
        );
    end if;

    v_signal_id := v_run.run_id || ':s' || replace(gen_random_uuid()::text, '-', '');
    v_hints := byssus.record_event(
        v_run, v_now, 'signal', 'SignalReceived',
        '{"signal_id":"' || v_signal_id
        || '","signal_name":' || byssus.json_string(p_signal_name)
        || byssus.json_member('arguments', p_input::text)
        || case when p_input is null then '' else ',"payload_codec":"avro"' end || '}',
        true
    );

    v_answer := (
        'signal_received',
        '{"workflow_id":' || byssus.json_string(p_workflow_id)
        || ',"run_id":"' || v_run.run_id
        || '","workflow_type":' || byssus.json_string(v_run.workflow_type)
        || ',"signal_name":' || byssus.json_string(p_signal_name)
        || ',"signal_id":"' || v_signal_id
        || '","outcome":"signal_received","command_status":"accepted","command_source":"control_plane","target_scope":"'
        || case when p_run_id is null then 'instance' else 'run' end || '"'
        || byssus.json_member('request_id', byssus.json_string(p_request_id)) || '}',
        '[' || v_hints || ']'
    )::byssus.answer;
    if p_request_id is not null then
        perform byssus.record_receipt(v_run.first_run_id, v_subject, p_signal_name, p_digest, v_now, v_answer);
    end if;
    return v_answer;
end;
$$;

comment on function byssus.signal_run(text, text, text, text, json, text, text) is
'Records a signal for a run, at once or held, and wakes it.';
