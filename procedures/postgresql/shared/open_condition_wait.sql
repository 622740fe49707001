-- The command open_condition_wait: workflow code waits until something makes its condition true, or for a time.
--
-- p_run      the run, its last authored position already that of this command.
-- p_command  the command.
-- p_now      the moment.
-- Result     types, payloads: its events; hint: when its timeout is due, or null; wakes: whether the wait is over at
--            once, because its timeout is 0.
-- Locks      none of its own. Writes timers.
create or replace function byssus.open_condition_wait(
    p_run byssus.runs, p_command json, p_now timestamptz,
    out types text[], out payloads text[], out hint text, out wakes boolean
)
language plpgsql
as $$
declare
    v_timeout integer := (p_command ->> 'timeout_seconds')::integer;
    v_fire_at timestamptz := p_now + make_interval(secs => v_timeout);
    v_members text := ',"condition_wait_id":"' || p_run.run_id || ':w' || p_run.last_authored_position || '"'
        || byssus.json_members(p_command ->> 'fields');
    v_payload text := '{"sequence":' || p_run.last_authored_position || v_members || '}';
begin
    types := array['ConditionWaitOpened'];
    payloads := array[v_payload];
    wakes := coalesce(v_timeout = 0, false);

    if wakes then
        types := types || 'ConditionWaitTimedOut'::text;
        payloads := payloads || v_payload;
    elsif v_timeout is not null then
        v_members := ',"timer_id":"' || p_run.run_id || ':t' || p_run.last_authored_position
            || '","timer_kind":"condition_timeout","delay_seconds":' || v_timeout
            || v_members || ',"fire_at":"' || byssus.wire_time(v_fire_at) || '"';
        insert into byssus.timers (run_id, position, kind, fire_at, event_members)
        values (p_run.run_id, p_run.last_authored_position, 'condition_timeout', v_fire_at, v_members);
        types := types || 'TimerScheduled'::text;
        payloads := payloads || ('{"sequence":' || p_run.last_authored_position || v_members || '}');
        hint := '["due","' || byssus.wire_time(v_fire_at) || '"]';
    end if;
end;
$$;

comment on function byssus.open_condition_wait(byssus.runs, json, timestamptz) is
'Makes the events of an open_condition_wait command and the timer of its timeout.';
