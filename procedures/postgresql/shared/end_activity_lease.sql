-- Ends the lease of an activity attempt that was not answered: the activity is pending again. The attempt stays
-- counted, so that its holder, if it still lives, is fenced off.
--
-- p_activity  the running activity, whose row the caller has locked.
-- p_now       when the lease ends.
-- Locks       the activity (already held).
-- Writes      activities.
create or replace function byssus.end_activity_lease(p_activity byssus.activities, p_now timestamptz)
returns void
language plpgsql
as $$
declare
    v_next byssus.activities := p_activity;
begin
    v_next.status := 'pending';
    v_next.available_at := p_now;
    update byssus.activities as a
    set status = 'pending', available_at = p_now, lease_owner = null, lease_expires_at = null,
        registration_token = null, poll_request_id = null, started_at = null, last_heartbeat_at = null,
        timeout_at = byssus.activity_timeout_at(v_next)
    where a.run_id = p_activity.run_id and a.position = p_activity.position;
end;
$$;

comment on function byssus.end_activity_lease(byssus.activities, timestamptz) is
'Makes a running activity pending again.';
