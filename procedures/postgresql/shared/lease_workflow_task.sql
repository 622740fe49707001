-- Leases the first due workflow task of a queue that a worker can run.
--
-- p_poll          the poll.
-- p_registration  the worker's registration.
-- p_now           the moment.
-- Result          the task with its first page of history, or null.
-- Locks           run and task together, skipping what others hold.
-- Writes          workflow_tasks.
create or replace function byssus.lease_workflow_task(
    p_poll json, p_registration byssus.worker_registrations, p_now timestamptz
)
returns byssus.answer
language plpgsql
as $$
declare
    v_run byssus.runs;
    v_task byssus.workflow_tasks;
begin
    -- By priority from the outside, so that each probe is one range of the index, up to the present moment.
    select c.* into v_run
    from generate_series(0, 9) as p (priority)
    cross join lateral (
        select r.*
        from byssus.workflow_tasks as t
        inner join byssus.runs as r on t.run_id = r.run_id
        where t.namespace = p_registration.namespace and t.task_queue = p_registration.task_queue
            and t.status = 'ready' and t.priority = p.priority and t.available_at <= p_now
            and t.workflow_type = any (p_registration.workflow_types)
            and (t.build_id is null or t.build_id = p_registration.build_id)
            and (r.deadline_at is null or r.deadline_at > p_now)
        order by t.available_at, t.run_id
        limit 1
        for no key update of r skip locked
        for update of t skip locked
    ) as c
    limit 1;
    if v_run.run_id is null then
        return null;
    end if;

    update byssus.workflow_tasks as t
    set status = 'leased', attempt = t.attempt + 1, lease_owner = p_registration.worker_id,
        lease_expires_at = p_now + make_interval(secs => (p_poll ->> 'lease_seconds')::integer),
        registration_token = p_registration.registration_token,
        poll_request_id = p_poll ->> 'poll_request_id', claimed_sequence = v_run.last_history_sequence
    where t.run_id = v_run.run_id
    returning t.* into v_task;

    return byssus.leased_workflow_task(v_run, v_task, (p_poll ->> 'page_size')::integer);
end;
$$;

comment on function byssus.lease_workflow_task(json, byssus.worker_registrations, timestamptz) is
'Leases the first due workflow task that a worker can run, or returns null.';
