-- The command start_timer: a pending timer at the run's new authored position.
--
-- p_run      the run, its last authored position already that of this command.
-- p_command  the command.
-- p_now      the moment.
-- Result     types, payloads: its events; hint: when it is due; wakes: false.
-- Locks      none of its own. Writes timers.
create or replace function byssus.start_timer(
    p_run byssus.runs, p_command json, p_now timestamptz,
    out types text[], out payloads text[], out hint text, out wakes boolean
)
language plpgsql
as $$
declare
    v_fire_at timestamptz := p_now + make_interval(secs => (p_command ->> 'delay_seconds')::double precision);
    v_members text := ',"timer_id":"' || p_run.run_id || ':t' || p_run.last_authored_position || '"'
        || byssus.json_members(p_command ->> 'fields')
        || ',"fire_at":"' || byssus.wire_time(v_fire_at) || '"'
        || byssus.json_members(p_command ->> 'group');
begin
    insert into byssus.timers (run_id, position, kind, fire_at, event_members, group_base, group_size)
    values (
        p_run.run_id, p_run.last_authored_position, 'timer', v_fire_at, v_members,
        (p_command ->> 'group_base')::integer, (p_command ->> 'group_size')::integer
    );
    types := array['TimerScheduled'];
    payloads := array['{"sequence":' || p_run.last_authored_position || v_members || '}'];
    hint := '["due","' || byssus.wire_time(v_fire_at) || '"]';
    wakes := false;
end;
$$;

comment on function byssus.start_timer(byssus.runs, json, timestamptz) is
'Inserts the timer of a start_timer command and makes its event.';
