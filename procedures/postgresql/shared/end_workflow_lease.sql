-- Ends the lease of a workflow task that was not answered: what was held meanwhile enters history, and the task
-- is ready again, its attempt to be raised by the next claim.
--
-- p_run           the run, whose row the caller has locked.
-- p_now           when the lease ends.
-- p_available_at  when the task may be claimed again.
-- Locks           the run's row (already held).
-- Writes          inbox, runs, history_events, workflow_tasks.
create or replace function byssus.end_workflow_lease(
    p_run byssus.runs, p_now timestamptz, p_available_at timestamptz
)
returns void
language plpgsql
as $$
begin
    perform byssus.release_held_events(p_run, p_now);
    update byssus.workflow_tasks as t
    set status = 'ready', available_at = p_available_at, lease_owner = null, lease_expires_at = null,
        registration_token = null, poll_request_id = null, claimed_sequence = null
    where t.run_id = p_run.run_id;
end;
$$;

comment on function byssus.end_workflow_lease(byssus.runs, timestamptz, timestamptz) is
'Makes a leased workflow task ready again and appends what was held meanwhile.';
