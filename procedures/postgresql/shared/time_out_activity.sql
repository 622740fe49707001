-- Times out an activity, if one of its timeouts has truly struck: heartbeats have moved on since its row said so.
--
-- p_run       its run, whose row the caller has locked.
-- p_position  its authored position.
-- p_now       the moment.
-- Result      the wake-up hints, as elements joined by commas; null when no timeout had struck.
-- Locks       the run's row (already held), then the activity.
-- Writes      activities; inbox, or runs, history_events, workflow_tasks.
create or replace function byssus.time_out_activity(p_run byssus.runs, p_position integer, p_now timestamptz)
returns text
language plpgsql
as $$
declare
    v_activity byssus.activities;
    v_timeout_at timestamptz;
    v_kind text;
    v_end record;
begin
    select * into v_activity from byssus.activities as a
    where a.run_id = p_run.run_id and a.position = p_position and a.closed_at is null
    for update skip locked;
    v_timeout_at := byssus.activity_timeout_at(v_activity);

    if v_activity.run_id is null then
        return null;
    elsif v_timeout_at > p_now then
        update byssus.activities as a set timeout_at = v_timeout_at
        where a.run_id = p_run.run_id and a.position = p_position;
        return null;
    end if;

    v_kind := case
        when v_activity.schedule_to_close_deadline_at <= p_now then 'schedule_to_close'
        when v_activity.status = 'pending' then 'schedule_to_start'
        when coalesce(v_activity.last_heartbeat_at, v_activity.started_at)
            + make_interval(secs => v_activity.heartbeat_timeout) <= p_now then 'heartbeat'
        else 'start_to_close'
    end;
    v_end := byssus.retry_or_close_activity(
        p_run, v_activity, p_now, v_kind in ('heartbeat', 'start_to_close'), 'timed_out', 'ActivityTimedOut',
        ',"timeout_kind":"' || v_kind || '","message":"The activity''s ' || replace(v_kind, '_', '-')
        || ' timeout has passed.","exception_type":"ActivityTimedOut","failure_category":"timeout"'
    );
    return v_end.hints;
end;
$$;

comment on function byssus.time_out_activity(byssus.runs, integer, timestamptz) is
'Retries or ends an activity whose timeout has struck.';
