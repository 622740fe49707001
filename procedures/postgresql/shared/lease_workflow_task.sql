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
    v_is_sticky boolean := (p_poll ->> 'sticky_execution')::boolean;
    v_run byssus.runs;
    v_task byssus.workflow_tasks;
    v_affinity byssus.affinities;
    v_mode text;
    v_after bigint;
    v_page record;
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

    if v_is_sticky then
        select * into v_affinity from byssus.affinities as a where a.run_id = v_run.run_id;
    end if;
    v_mode := byssus.sticky_replay_mode(v_affinity, p_registration, v_run.last_history_sequence, p_now);
    v_after := byssus.select_history_suffix(v_affinity, p_registration, v_mode, v_run.last_history_sequence);
    v_page := byssus.history_page(
        v_run.run_id, v_after, v_run.last_history_sequence, (p_poll ->> 'page_size')::integer
    );
    if v_is_sticky then
        perform byssus.count_sticky_claim(v_run.namespace, v_mode, v_after, v_affinity.history_size_bytes, p_now);
    end if;

    -- The delivered boundary begins with the page that goes out with the lease; record_delivery raises it.
    update byssus.workflow_tasks as t
    set status = 'leased', attempt = t.attempt + 1, lease_owner = p_registration.worker_id,
        lease_expires_at = p_now + make_interval(secs => (p_poll ->> 'lease_seconds')::integer),
        registration_token = p_registration.registration_token,
        poll_request_id = p_poll ->> 'poll_request_id', sticky_replay_mode = v_mode, sticky_claimed_at = p_now,
        after_sequence = v_after, claimed_sequence = v_run.last_history_sequence,
        delivered_sequence = coalesce(v_page.last, v_after)
    where t.run_id = v_run.run_id
    returning t.* into v_task;

    return byssus.leased_workflow_task(
        v_run, v_task, p_registration.sticky_history_suffix, v_page.events, v_page.token
    );
end;
$$;

comment on function byssus.lease_workflow_task(json, byssus.worker_registrations, timestamptz) is
'Leases the first due workflow task that a worker can run, or returns null.';
