-- Reads all that is kept of a run, at one moment, for an archive or a replay elsewhere.
--
-- p_namespace    the namespace.
-- p_workflow_id  the workflow.
-- p_run_id       its run.
-- Outcomes       exported; history_export_too_large (more than 20,000 events, or than 8 MiB of them),
--                instance_not_found, run_not_found, namespace_not_found.
-- Locks          none. Writes nothing.
create or replace function byssus.export_run(p_namespace text, p_workflow_id text, p_run_id text)
returns byssus.answer
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
    v_run byssus.runs;
    v_payloads byssus.run_payloads;
    v_task byssus.workflow_tasks;
    v_events text;
    v_activities text;
    v_timers text;
    v_members text := ',"workflow_id":' || byssus.json_string(p_workflow_id)
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
            v_members
        );
    elsif v_run.last_history_sequence > 20000 or v_run.history_size_bytes > 8388608 then
        return byssus.refuse(
            'history_export_too_large',
            v_members || ',"last_history_sequence":' || v_run.last_history_sequence
            || ',"history_size_bytes":' || v_run.history_size_bytes
        );
    end if;

    select * into v_payloads from byssus.run_payloads as p where p.run_id = p_run_id;
    select * into v_task from byssus.workflow_tasks as t where t.run_id = p_run_id;
    select string_agg(e.wire, ',' order by e.sequence) into v_events
    from byssus.history_events as e where e.run_id = p_run_id;
    select string_agg(
        '{"id":"' || a.run_id || ':a' || a.position
        || '","sequence":' || a.position
        || ',"activity_type":' || byssus.json_string(a.activity_type)
        || ',"queue":' || byssus.json_string(a.task_queue)
        || ',"status":"' || a.status
        || '","attempt_count":' || a.attempt_number
        || ',"closed_at":' || coalesce(byssus.json_string(byssus.wire_time(a.closed_at)), 'null') || '}',
        ',' order by a.position
    ) into v_activities
    from byssus.activities as a where a.run_id = p_run_id;
    select string_agg(
        '{"id":"' || t.run_id || ':t' || t.position
        || '","sequence":' || t.position
        || ',"kind":"' || t.kind
        || '","fire_at":"' || byssus.wire_time(t.fire_at) || '"}',
        ',' order by t.position
    ) into v_timers
    from byssus.timers as t where t.run_id = p_run_id;

    return (
        'exported',
        '{"exported_at":"' || byssus.wire_time(byssus.current_instant())
        || '","workflow":{' || byssus.run_summary(v_run)
        || ',"is_terminal":' || (v_run.closed_at is not null)
        || ',"closed_reason":' || coalesce(byssus.json_string(v_run.closed_reason), 'null')
        || ',"run_number":' || v_run.run_number
        || ',"last_history_sequence":' || v_run.last_history_sequence
        || ',"continued_from_run_id":' || coalesce(byssus.json_string(v_run.continued_from_run_id), 'null')
        || ',"continued_to_run_id":' || coalesce(byssus.json_string(v_run.continued_to_run_id), 'null')
        || ',"memo":' || coalesce(v_payloads.memo::text, '{}')
        || ',"search_attributes":' || coalesce(v_payloads.search_attributes::text, '{}')
        || '},"input":' || coalesce(v_payloads.input::text, 'null')
        || ',"output":' || coalesce(v_payloads.output::text, 'null')
        || ',"events":[' || coalesce(v_events, '')
        || '],"tasks":[' || coalesce(byssus.open_task_summary(v_task), '')
        || '],"activities":[' || coalesce(v_activities, '')
        || '],"timers":[' || coalesce(v_timers, '') || ']}',
        null
    )::byssus.answer;
end;
$$;

comment on function byssus.export_run(text, text, text) is 'All that is kept of a run, read at one moment.';
