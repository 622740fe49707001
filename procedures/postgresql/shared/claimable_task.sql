-- A run's workflow task, if a worker may have it now.
--
-- p_run           the run, whose row the caller has locked.
-- p_registration  the registration of the worker.
-- p_now           the moment.
-- Result          the task; null when there is none, or when it is leased, not due, held for another, or not one that the
--                 worker can run.
-- Locks           none of its own. Writes nothing.
create or replace function byssus.claimable_task(
    p_run byssus.runs, p_registration byssus.worker_registrations, p_now timestamptz
)
returns byssus.workflow_tasks
language plpgsql
stable
as $$
declare
    v_task byssus.workflow_tasks;
begin
    select * into v_task from byssus.workflow_tasks as t
    where t.run_id = p_run.run_id and t.status = 'ready' and t.available_at <= p_now
        and (
            t.held_until <= p_now
            or (t.sticky_registration_token = p_registration.registration_token and t.sticky_until > p_now)
        )
        and t.namespace = p_registration.namespace and t.task_queue = p_registration.task_queue
        and t.workflow_type = any (p_registration.workflow_types)
        and (t.build_id is null or t.build_id = p_registration.build_id)
        and (p_run.deadline_at is null or p_run.deadline_at > p_now);
    return v_task;
end;
$$;

comment on function byssus.claimable_task(byssus.runs, byssus.worker_registrations, timestamptz) is
'The workflow task of a run if a worker may claim it now, or null.';
