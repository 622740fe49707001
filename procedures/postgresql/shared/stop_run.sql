-- Closes a run on a client's word: what cancel_run and terminate_run have in common.
--
-- p_namespace .. p_digest  as of those two.
-- p_status      cancelled or terminated.
-- p_command     cancel or terminate.
-- p_requested   CancelRequested or TerminateRequested.
-- p_terminal    WorkflowCancelled or WorkflowTerminated.
-- Outcomes      p_status; target_refusal's refusals, request_id_conflict.
-- Locks         the run, then its activities.
-- Writes        through close_run; receipts.
create or replace function byssus.stop_run(
    p_namespace text, p_workflow_id text, p_run_id text, p_reason text, p_request_id text, p_digest text,
    p_status text, p_command text, p_requested text, p_terminal text
)
returns byssus.answer
language plpgsql
as $$
declare
    v_run byssus.runs;
    v_now timestamptz;
    v_answer byssus.answer;
    v_subject text := p_command || ':' || p_request_id;
    v_payload text;
begin
    v_run := byssus.lock_target_run(p_namespace, p_workflow_id, p_run_id);
    v_now := byssus.current_instant();

    v_answer := byssus.repeated_answer(
        v_run.first_run_id, v_subject, p_command, p_digest, 'request_id_conflict',
        ',"workflow_id":' || byssus.json_string(p_workflow_id) || ',"request_id":' || byssus.json_string(p_request_id)
    );
    if v_answer.outcome is null then
        v_answer := byssus.target_refusal(v_run, p_namespace, p_workflow_id, p_run_id);
    end if;
    if v_answer.outcome is not null then
        return v_answer;
    end if;

    v_payload := '{"closed_reason":"' || p_status || '"'
        || byssus.json_member('reason', byssus.json_string(p_reason)) || '}';
    perform byssus.close_run(
        v_run, v_now, p_status, p_status, array[p_requested], array[v_payload], p_terminal, v_payload, false
    );

    v_answer := (
        p_status,
        '{"workflow_id":' || byssus.json_string(p_workflow_id)
        || ',"run_id":"' || v_run.run_id
        || '","workflow_type":' || byssus.json_string(v_run.workflow_type)
        || ',"outcome":"' || p_status
        || '","command_status":"accepted","command_source":"control_plane","target_scope":"'
        || case when p_run_id is null then 'instance' else 'run' end || '"'
        || byssus.json_member('request_id', byssus.json_string(p_request_id)) || '}',
        '[["run","' || v_run.run_id || '"]]'
    )::byssus.answer;
    if p_request_id is not null then
        perform byssus.record_receipt(v_run.first_run_id, v_subject, p_command, p_digest, v_now, v_answer);
    end if;
    return v_answer;
end;
$$;

comment on function byssus.stop_run(text, text, text, text, text, text, text, text, text, text) is
'Cancels or terminates a run: the common body of cancel_run and terminate_run.';
