-- Leases a workflow task to a worker, with its first page of history: behind what the worker holds, or from the beginning.
--
-- p_poll          the poll.
-- p_registration  the worker's registration.
-- p_run           the run, whose row the caller has locked; its task is ready, and the worker may have it.
-- p_now           the moment.
-- Result          the task with its first page of history.
-- Locks           the run's row and task (already held).
-- Writes          workflow_tasks, sticky_counts.
create or replace function byssus.grant_workflow_task(
    p_poll json, p_registration byssus.worker_registrations, p_run byssus.runs, p_now timestamptz
)
returns byssus.answer
language plpgsql
as $$
declare
    v_is_sticky boolean := (p_poll ->> 'sticky_execution')::boolean;
    v_task byssus.workflow_tasks;
    v_affinity byssus.affinities;
    v_mode text;
    v_after bigint;
    v_page record;
begin
    if v_is_sticky then
        select * into v_affinity from byssus.affinities as a where a.run_id = p_run.run_id;
    end if;
    v_mode := byssus.sticky_replay_mode(v_affinity, p_registration, p_run.last_history_sequence, p_now);
    v_after := byssus.select_history_suffix(v_affinity, p_registration, v_mode, p_run.last_history_sequence);
    v_page := byssus.history_page(
        p_run.run_id, v_after, p_run.last_history_sequence, (p_poll ->> 'page_size')::integer
    );
    if v_is_sticky then
        perform byssus.count_sticky_claim(p_run.namespace, v_mode, v_after, v_affinity.history_size_bytes, p_now);
    end if;

    -- The delivered boundary begins with the page that goes out with the lease; record_delivery raises it.
    update byssus.workflow_tasks as t
    set status = 'leased', attempt = t.attempt + 1, lease_owner = p_registration.worker_id,
        lease_expires_at = p_now + make_interval(secs => (p_poll ->> 'lease_seconds')::integer),
        registration_token = p_registration.registration_token,
        poll_request_id = p_poll ->> 'poll_request_id', sticky_replay_mode = v_mode, sticky_claimed_at = p_now,
        after_sequence = v_after, claimed_sequence = p_run.last_history_sequence,
        delivered_sequence = coalesce(v_page.last, v_after)
    where t.run_id = p_run.run_id
    returning t.* into v_task;

    return byssus.leased_workflow_task(
        p_run, v_task, p_registration.sticky_history_suffix, v_page.events, v_page.token
    );
end;
$$;

comment on function byssus.grant_workflow_task(json, byssus.worker_registrations, byssus.runs, timestamptz) is
'Leases a ready workflow task to a worker.';
