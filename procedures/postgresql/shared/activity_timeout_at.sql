-- When the first of an activity's timeouts strikes.
--
-- p_activity  the activity.
-- Result      the earliest of schedule-to-close, schedule-to-start (while pending), start-to-close and heartbeat
--             (while running), or null.
-- Locks       none. Writes nothing.
create or replace function byssus.activity_timeout_at(p_activity byssus.activities)
returns timestamptz
language sql
stable
as $$
    select case p_activity.status
        when 'pending' then least(
            p_activity.schedule_to_close_deadline_at,
            p_activity.available_at + make_interval(secs => p_activity.schedule_to_start_timeout)
        )
        when 'running' then least(
            p_activity.schedule_to_close_deadline_at,
            p_activity.started_at + make_interval(secs => p_activity.start_to_close_timeout),
            coalesce(p_activity.last_heartbeat_at, p_activity.started_at)
            + make_interval(secs => p_activity.heartbeat_timeout)
        )
    end;
$$;

comment on function byssus.activity_timeout_at(byssus.activities) is 'The moment of an open activity''s earliest timeout.';
