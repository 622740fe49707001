-- Leases the first due workflow task of a queue that a worker can run: of each priority first those whose living
-- affinity is the worker's, then those that are held for nobody.
--
-- p_poll          the poll.
-- p_registration  the worker's registration.
-- p_now           the moment.
-- Result          the task with its first page of history, or null.
-- Locks           run and task together, skipping what others hold.
-- Writes          workflow_tasks, sticky_counts.
create or replace function byssus.lease_workflow_task(
    p_poll json, p_registration byssus.worker_registrations, p_now timestamptz
)
returns byssus.answer
language plpgsql
as $$
declare
    v_run byssus.runs;
begin
    -- By priority from the outside, so that each probe is one range of an index, up to the present moment.
    select c.* into v_run
    from generate_series(0, 9) as p (priority)
    cross join lateral (
        select own.*
        from (
            select r.*
            from byssus.workflow_tasks as t
            inner join byssus.runs as r on t.run_id = r.run_id
            where t.sticky_registration_token = p_registration.registration_token
                and t.status = 'ready' and t.priority = p.priority and t.available_at <= p_now
                and t.sticky_until > p_now
                and t.workflow_type = any (p_registration.workflow_types)
                and (t.build_id is null or t.build_id = p_registration.build_id)
                and (r.deadline_at is null or r.deadline_at > p_now)
            order by t.available_at, t.run_id
            limit 1
            for no key update of r skip locked
            for update of t skip locked
        ) as own
        union all
        select common.*
        from (
            select r.*
            from byssus.workflow_tasks as t
            inner join byssus.runs as r on t.run_id = r.run_id
            where t.namespace = p_registration.namespace and t.task_queue = p_registration.task_queue
                and t.status = 'ready' and t.priority = p.priority and t.held_until <= p_now
                and t.workflow_type = any (p_registration.workflow_types)
                and (t.build_id is null or t.build_id = p_registration.build_id)
                and (r.deadline_at is null or r.deadline_at > p_now)
            order by t.held_until, t.run_id
            limit 1
            for no key update of r skip locked
            for update of t skip locked
        ) as common
        limit 1
    ) as c
    limit 1;
    if v_run.run_id is null then
        return null;
    end if;

    return byssus.grant_workflow_task(p_poll, p_registration, v_run, p_now);
end;
$$;

comment on function byssus.lease_workflow_task(json, byssus.worker_registrations, timestamptz) is
'Leases the first due workflow task that a worker can run, or returns null.';
