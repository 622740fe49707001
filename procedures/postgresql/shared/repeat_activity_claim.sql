-- The claim that a repeated poll was given before, while its lease lives.
--
-- p_poll   the poll.
-- p_now    the moment.
-- Result   the same attempt again, or null.
-- Locks    none. Writes nothing.
create or replace function byssus.repeat_activity_claim(p_poll json, p_now timestamptz)
returns byssus.answer
language plpgsql
stable
as $$
declare
    v_activity byssus.activities;
begin
    select * into v_activity from byssus.activities as a
    where a.namespace = p_poll ->> 'namespace' and a.lease_owner = p_poll ->> 'worker_id'
        and a.poll_request_id = p_poll ->> 'poll_request_id' and a.lease_expires_at > p_now
    limit 1;
    if v_activity.run_id is null then
        return null;
    end if;
    return byssus.leased_activity(v_activity);
end;
$$;

comment on function byssus.repeat_activity_claim(json, timestamptz) is
'The living claim of a poll that is repeated, or null.';
