-- Starts the next attempt of an activity for a worker.
--
-- p_poll          the poll.
-- p_registration  the worker's registration.
-- p_activity      the activity, whose row the caller has locked; it is pending, and the worker may have it.
-- p_now           the moment.
-- Result          the attempt.
-- Locks           the activity's row (already held).
-- Writes          activities.
create or replace function byssus.grant_activity(
    p_poll json, p_registration byssus.worker_registrations, p_activity byssus.activities, p_now timestamptz
)
returns byssus.answer
language plpgsql
as $$
declare
    v_activity byssus.activities := p_activity;
begin
    v_activity.status := 'running';
    v_activity.attempt_number := v_activity.attempt_number + 1;
    v_activity.started_at := p_now;
    v_activity.last_heartbeat_at := null;
    -- A worker need not renew, so the lease outlasts the attempt's own timeout.
    v_activity.lease_expires_at := p_now + make_interval(
        secs => (p_poll ->> 'lease_seconds')::double precision + coalesce(v_activity.start_to_close_timeout, 0)
    );
    update byssus.activities as a
    set status = 'running', attempt_number = v_activity.attempt_number, started_at = p_now,
        last_heartbeat_at = null, heartbeat_details = null,
        lease_owner = p_registration.worker_id, lease_expires_at = v_activity.lease_expires_at,
        registration_token = p_registration.registration_token,
        poll_request_id = p_poll ->> 'poll_request_id', timeout_at = byssus.activity_timeout_at(v_activity)
    where a.run_id = v_activity.run_id and a.position = v_activity.position
    returning a.* into v_activity;
    return byssus.leased_activity(v_activity);
end;
$$;

comment on function byssus.grant_activity(json, byssus.worker_registrations, byssus.activities, timestamptz) is
'Starts the next attempt of a pending activity for a worker.';
