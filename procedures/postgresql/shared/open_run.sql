-- Makes a run with its first event and its first workflow task.
--
-- p_run       the run's row, its history still empty.
-- p_payloads  its input, memo and search attributes.
-- p_now       when it starts.
-- Result      the wake-up hints, as elements joined by commas.
-- Locks       none: nobody else knows the run yet.
-- Writes      runs, run_payloads, history_events, workflow_tasks.
create or replace function byssus.open_run(p_run byssus.runs, p_payloads byssus.run_payloads, p_now timestamptz)
returns text
language plpgsql
as $$
declare
    v_started text;
begin
    insert into byssus.runs (
        run_id, namespace, workflow_id, run_number, first_run_id, workflow_type, task_queue, build_id, priority,
        fairness_key, fairness_weight, business_key, status, continued_from_run_id, execution_timeout_seconds,
        run_timeout_seconds, execution_deadline_at, run_deadline_at, started_at, last_progress_at
    ) values (
        p_run.run_id, p_run.namespace, p_run.workflow_id, p_run.run_number, p_run.first_run_id, p_run.workflow_type,
        p_run.task_queue, p_run.build_id, p_run.priority, p_run.fairness_key, p_run.fairness_weight, p_run.business_key, 'pending',
        p_run.continued_from_run_id, p_run.execution_timeout_seconds, p_run.run_timeout_seconds,
        p_run.execution_deadline_at, p_run.run_deadline_at, p_now, p_now
    );
    insert into byssus.run_payloads (run_id, input, memo, search_attributes)
    values (p_run.run_id, p_payloads.input, p_payloads.memo, p_payloads.search_attributes);

    v_started := '{"workflow_type":' || byssus.json_string(p_run.workflow_type)
        || ',"workflow_id":' || byssus.json_string(p_run.workflow_id)
        || ',"run_id":"' || p_run.run_id
        || '","run_number":' || p_run.run_number
        || ',"task_queue":' || byssus.json_string(p_run.task_queue)
        || ',"payload_codec":"avro"'
        || byssus.json_member('build_id', byssus.json_string(p_run.build_id))
        || byssus.json_member('business_key', byssus.json_string(p_run.business_key))
        || byssus.json_member('memo', p_payloads.memo::text)
        || byssus.json_member('search_attributes', p_payloads.search_attributes::text)
        || byssus.json_member('execution_timeout_seconds', p_run.execution_timeout_seconds::text)
        || byssus.json_member('run_timeout_seconds', p_run.run_timeout_seconds::text)
        || byssus.json_member('execution_deadline_at', byssus.json_string(byssus.wire_time(p_run.execution_deadline_at)))
        || byssus.json_member('run_deadline_at', byssus.json_string(byssus.wire_time(p_run.run_deadline_at)))
        || byssus.json_member('continued_from_run_id', byssus.json_string(p_run.continued_from_run_id))
        || '}';
    return '["run","' || p_run.run_id || '"],' || byssus.wake_run(
        p_run,
        byssus.append_history(p_run.run_id, 0, p_now, array['WorkflowStarted'], array[v_started]),
        p_now
    );
end;
$$;

comment on function byssus.open_run(byssus.runs, byssus.run_payloads, timestamptz) is
'Inserts a run, its WorkflowStarted event and its first workflow task.';
