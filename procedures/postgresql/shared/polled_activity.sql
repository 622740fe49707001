-- The activity of a run that a poll was given, while its lease lives.
--
-- p_poll    the poll.
-- p_run_id  the run.
-- p_now     the moment.
-- Result    the activity, or null.
-- Locks     none. Writes nothing.
create or replace function byssus.polled_activity(p_poll json, p_run_id text, p_now timestamptz)
returns byssus.activities
language plpgsql
stable
as $$
declare
    v_activity byssus.activities;
begin
    select * into v_activity from byssus.activities as a
    where a.namespace = p_poll ->> 'namespace' and a.lease_owner = p_poll ->> 'worker_id'
        and a.poll_request_id = p_poll ->> 'poll_request_id' and a.lease_expires_at > p_now
        and a.run_id = p_run_id
    limit 1;
    return v_activity;
end;
$$;

comment on function byssus.polled_activity(json, text, timestamptz) is
'The activity of a run that a poll was given, or null.';
