-- Fires one timer, whose row is gone already. The timeout of a wait that is no longer open comes too late and
-- changes nothing.
--
-- p_run    the timer's run, whose row the caller has locked.
-- p_timer  the timer.
-- p_now    the moment.
-- Result   the wake-up hints, as elements joined by commas; empty when none.
-- Locks    the run's row (already held).
-- Writes   inbox, or runs, history_events, workflow_tasks.
create or replace function byssus.fire_timer(p_run byssus.runs, p_timer byssus.timers, p_now timestamptz)
returns text
language plpgsql
as $$
declare
    v_payload text := '{"sequence":' || p_timer.position || p_timer.event_members
        || ',"fired_at":"' || byssus.wire_time(p_now) || '"}';
begin
    if p_timer.kind = 'timer' then
        return byssus.record_event(
            p_run, p_now, 'result', 'TimerFired', v_payload,
            p_timer.group_base is null
            or not byssus.group_has_open_leaf(p_run.run_id, p_timer.group_base, p_timer.group_size)
        );
    elsif p_timer.position = p_run.open_wait_position then
        return byssus.record_event(
            p_run, p_now, 'condition_timeout', 'TimerFired', v_payload, true, p_timer.position
        );
    end if;
    return '';
end;
$$;

comment on function byssus.fire_timer(byssus.runs, byssus.timers, timestamptz) is
'Records that a timer fired, or that a condition wait timed out.';
