-- The command schedule_activity: a pending activity at the run's new authored position.
--
-- p_run      the run, its last authored position already that of this command.
-- p_command  the command.
-- p_now      the moment.
-- Result     types, payloads: its events; hint: for its queue; wakes: false.
-- Locks      none of its own. Writes activities.
create or replace function byssus.schedule_activity(
    p_run byssus.runs, p_command json, p_now timestamptz,
    out types text[], out payloads text[], out hint text, out wakes boolean
)
language plpgsql
as $$
declare
    v_activity byssus.activities;
begin
    v_activity.run_id := p_run.run_id;
    v_activity.position := p_run.last_authored_position;
    v_activity.namespace := p_run.namespace;
    v_activity.activity_type := p_command ->> 'activity_type';
    v_activity.task_queue := p_command ->> 'task_queue';
    v_activity.build_id := p_run.build_id;
    v_activity.priority := p_run.priority;
    v_activity.status := 'pending';
    v_activity.available_at := p_now;
    v_activity.attempt_number := 0;
    v_activity.arguments := (p_command ->> 'arguments')::json;
    v_activity.retry_policy := (p_command ->> 'retry_policy')::json;
    v_activity.max_attempts := (p_command ->> 'max_attempts')::integer;
    v_activity.backoff_seconds := p_command -> 'backoff_seconds';
    v_activity.non_retryable_error_types := p_command -> 'non_retryable_error_types';
    v_activity.schedule_to_start_timeout := (p_command ->> 'schedule_to_start_timeout')::integer;
    v_activity.start_to_close_timeout := (p_command ->> 'start_to_close_timeout')::integer;
    v_activity.heartbeat_timeout := (p_command ->> 'heartbeat_timeout')::integer;
    v_activity.schedule_to_close_deadline_at
        := p_now + make_interval(secs => (p_command ->> 'schedule_to_close_timeout')::integer);
    v_activity.group_members := byssus.json_members(p_command ->> 'group');
    v_activity.group_base := (p_command ->> 'group_base')::integer;
    v_activity.group_size := (p_command ->> 'group_size')::integer;
    v_activity.timeout_at := byssus.activity_timeout_at(v_activity);
    insert into byssus.activities values (v_activity.*);

    types := array['ActivityScheduled'];
    payloads := array[
        '{"sequence":' || v_activity.position
        || ',"activity_execution_id":"' || p_run.run_id || ':a' || v_activity.position || '"'
        || byssus.json_members(p_command ->> 'fields') || v_activity.group_members || '}'
    ];
    hint := byssus.ready_hint('activity', v_activity.namespace, v_activity.task_queue);
    wakes := false;
end;
$$;

comment on function byssus.schedule_activity(byssus.runs, json, timestamptz) is
'Inserts the pending activity of a schedule_activity command and makes its event.';
