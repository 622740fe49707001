-- An activity that the present transition has scheduled, if a worker may have it before what waits in the queue.
--
-- p_run_id        the run, whose row the caller has locked.
-- p_registration  the registration of the worker.
-- p_now           the moment of the transition.
-- Result          the first one, by priority and position; null when there is none that the worker can run, or when
--                 something of a higher priority waits for it.
-- Locks           none: nobody else sees the activity yet. Writes nothing.
create or replace function byssus.claimable_activity(
    p_run_id text, p_registration byssus.worker_registrations, p_now timestamptz
)
returns byssus.activities
language plpgsql
stable
as $$
declare
    v_activity byssus.activities;
begin
    -- By priority from the outside, so that each probe is one range of the index.
    select c.* into v_activity
    from generate_series(0, 9) as p (priority)
    cross join lateral (
        select a.*
        from byssus.activities as a
        where a.namespace = p_registration.namespace and a.task_queue = p_registration.task_queue
            and a.status = 'pending' and a.priority = p.priority and a.available_at = p_now and a.run_id = p_run_id
            and a.attempt_number = 0
            and a.activity_type = any (p_registration.activity_types)
            and (a.build_id is null or a.build_id = p_registration.build_id)
        order by a.position
        limit 1
    ) as c
    limit 1;

    if exists (
        select
        from generate_series(0, v_activity.priority - 1) as p (priority)
        cross join lateral (
            select
            from byssus.activities as a
            where a.namespace = p_registration.namespace and a.task_queue = p_registration.task_queue
                and a.status = 'pending' and a.priority = p.priority and a.available_at <= p_now
                and a.activity_type = any (p_registration.activity_types)
                and (a.build_id is null or a.build_id = p_registration.build_id)
                and (a.timeout_at is null or a.timeout_at > p_now)
            order by a.available_at
            limit 1
        ) as higher
    ) then
        return null;
    end if;
    return v_activity;
end;
$$;

comment on function byssus.claimable_activity(text, byssus.worker_registrations, timestamptz) is
'The activity that a transition has just scheduled if a worker may have it first, or null.';
