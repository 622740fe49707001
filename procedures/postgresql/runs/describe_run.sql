-- Describes a run: its state, its input and output, and what may be done with it.
--
-- p_namespace    the namespace.
-- p_workflow_id  the workflow.
-- p_run_id       one of its runs; null: the current one.
-- Outcomes       described; instance_not_found, run_not_found, namespace_not_found.
-- Locks          none. Writes nothing.
create or replace function byssus.describe_run(p_namespace text, p_workflow_id text, p_run_id text)
returns byssus.answer
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
    v_workflow byssus.workflows;
    v_run byssus.runs;
    v_payloads byssus.run_payloads;
    v_task byssus.workflow_tasks;
    v_open text;
begin
    select * into v_workflow from byssus.workflows as w
    where w.namespace = p_namespace and w.workflow_id = p_workflow_id;
    if v_workflow.workflow_id is null then
        return byssus.refuse_missing(
            p_namespace, 'instance_not_found', ',"workflow_id":' || byssus.json_string(p_workflow_id)
        );
    end if;

    select * into v_run from byssus.runs as r
    where r.run_id = coalesce(p_run_id, v_workflow.current_run_id)
        and r.namespace is not distinct from p_namespace and r.workflow_id is not distinct from p_workflow_id;
    if v_run.run_id is null then
        return byssus.refuse(
            'run_not_found',
            ',"workflow_id":' || byssus.json_string(p_workflow_id) || ',"run_id":' || byssus.json_string(p_run_id)
        );
    end if;

    select * into v_payloads from byssus.run_payloads as p where p.run_id = v_run.run_id;
    select * into v_task from byssus.workflow_tasks as t where t.run_id = v_run.run_id;
    v_open := (v_run.closed_at is null and v_run.run_id = v_workflow.current_run_id)::text;

    return (
        'described',
        '{' || byssus.run_summary(v_run)
        || ',"is_terminal":' || (v_run.closed_at is not null)
        || ',"closed_reason":' || coalesce(byssus.json_string(v_run.closed_reason), 'null')
        || ',"run_number":' || v_run.run_number
        || ',"run_count":' || v_workflow.run_count
        || ',"is_current_run":' || (v_run.run_id = v_workflow.current_run_id)
        || ',"priority":' || v_run.priority
        || ',"payload_codec":"avro"'
        || ',"execution_timeout_seconds":' || coalesce(v_run.execution_timeout_seconds::text, 'null')
        || ',"run_timeout_seconds":' || coalesce(v_run.run_timeout_seconds::text, 'null')
        || ',"execution_deadline_at":' || coalesce(byssus.json_string(byssus.wire_time(v_run.execution_deadline_at)), 'null')
        || ',"run_deadline_at":' || coalesce(byssus.json_string(byssus.wire_time(v_run.run_deadline_at)), 'null')
        || ',"last_progress_at":"' || byssus.wire_time(v_run.last_progress_at)
        || '","last_history_sequence":' || v_run.last_history_sequence
        || ',"history_size_bytes":' || v_run.history_size_bytes
        || ',"continued_from_run_id":' || coalesce(byssus.json_string(v_run.continued_from_run_id), 'null')
        || ',"continued_to_run_id":' || coalesce(byssus.json_string(v_run.continued_to_run_id), 'null')
        || ',"wait_kind":' || case
            when v_run.closed_at is not null then 'null'
            when v_task.status is not null then '"workflow_task"'
            when v_run.open_wait_position is not null then '"condition"'
            else '"operation"'
        end
        || ',"workflow_task":' || coalesce(byssus.open_task_summary(v_task), 'null')
        || ',"input_envelope":' || coalesce(v_payloads.input::text, 'null')
        || ',"output_envelope":' || coalesce(v_payloads.output::text, 'null')
        || ',"memo":' || coalesce(v_payloads.memo::text, '{}')
        || ',"search_attributes":' || coalesce(v_payloads.search_attributes::text, '{}')
        || ',"actions":{"can_signal":' || v_open || ',"can_query":false,"can_update":false,"can_cancel":' || v_open
        || ',"can_terminate":' || v_open || ',"can_repair":false,"can_archive":false}}',
        null
    )::byssus.answer;
end;
$$;

comment on function byssus.describe_run(text, text, text) is 'The state of a run, with its payloads.';
