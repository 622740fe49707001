-- Starts the next attempt of the first due activity of a queue that a worker can run.
--
-- p_poll          the poll.
-- p_registration  the worker's registration.
-- p_now           the moment.
-- Result          the attempt, or null.
-- Locks           the activity, skipping what others hold; no run, since whoever closes a run waits for this.
-- Writes          activities.
create or replace function byssus.lease_activity(
    p_poll json, p_registration byssus.worker_registrations, p_now timestamptz
)
returns byssus.answer
language plpgsql
as $$
declare
    v_activity byssus.activities;
begin
    -- By priority from the outside, so that each probe is one range of the index, up to the present moment.
    select c.* into v_activity
    from generate_series(0, 9) as p (priority)
    cross join lateral (
        select a.*
        from byssus.activities as a
        where a.namespace = p_registration.namespace and a.task_queue = p_registration.task_queue
            and a.status = 'pending' and a.priority = p.priority and a.available_at <= p_now
            and a.activity_type = any (p_registration.activity_types)
            and (a.build_id is null or a.build_id = p_registration.build_id)
            and (a.timeout_at is null or a.timeout_at > p_now)
        order by a.available_at, a.run_id, a.position
        limit 1
        for update skip locked
    ) as c
    limit 1;
    if v_activity.run_id is null then
        return null;
    end if;

    return byssus.grant_activity(p_poll, p_registration, v_activity, p_now);
end;
$$;

comment on function byssus.lease_activity(json, byssus.worker_registrations, timestamptz) is
'Starts the next attempt of the first due activity that a worker can run, or returns null.';
