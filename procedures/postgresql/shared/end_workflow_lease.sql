-- Ends the lease of a workflow task that was not answered: what was held meanwhile enters history, and the task
-- is ready again, its attempt to be raised by the next claim. The run's affinity stays as it is.
--
-- p_run           the run, whose row the caller has locked.
-- p_now           when the lease ends.
-- p_available_at  when the task may be claimed again.
-- Result          the hint for the run's queue, or for the worker that the task is held for.
-- Locks           the run's row (already held).
-- Writes          inbox, runs, history_events, workflow_tasks.
create or replace function byssus.end_workflow_lease(
    p_run byssus.runs, p_now timestamptz, p_available_at timestamptz
)
returns text
language plpgsql
as $$
declare
    v_hold record;
begin
    perform byssus.release_held_events(p_run, p_now);
    v_hold := byssus.sticky_hold(p_run.run_id, p_available_at, p_now);
    update byssus.workflow_tasks as t
    set status = 'ready', available_at = p_available_at, lease_owner = null, lease_expires_at = null,
        registration_token = null, poll_request_id = null, claimed_sequence = null, sticky_replay_mode = null,
        sticky_claimed_at = null, after_sequence = null, delivered_sequence = null,
        sticky_worker_id = v_hold.sticky_worker_id, sticky_registration_token = v_hold.registration_token,
        sticky_until = v_hold.sticky_until, held_until = v_hold.held_until
    where t.run_id = p_run.run_id;

    if p_available_at > p_now then
        return byssus.ready_hint('workflow', p_run.namespace, p_run.task_queue, p_available_at);
    end if;
    return byssus.held_hint(
        p_run.namespace, p_run.task_queue, v_hold.sticky_worker_id, v_hold.held_until, p_now
    );
end;
$$;

comment on function byssus.end_workflow_lease(byssus.runs, timestamptz, timestamptz) is
'Makes a leased workflow task ready again and appends what was held meanwhile.';
