-- Makes sure that the run has an open workflow task; an open one takes the news along. A new one waits a while for the
-- worker that has the run in its cache.
--
-- p_run       the run, whose row the caller has locked.
-- p_sequence  the run's last history sequence, which names the task.
-- p_now       from when on the task may be claimed.
-- Result      the hint for the run's queue, or for the worker that the task is held for.
-- Locks       the run's row (already held).
-- Writes      workflow_tasks.
create or replace function byssus.wake_run(p_run byssus.runs, p_sequence bigint, p_now timestamptz)
returns text
language plpgsql
as $$
declare
    v_hold record;
begin
    v_hold := byssus.sticky_hold(p_run.run_id, p_now, p_now);
    insert into byssus.workflow_tasks (
        run_id, task_number, namespace, task_queue, workflow_type, build_id, priority, status, available_at,
        sticky_worker_id, sticky_registration_token, sticky_until, held_until
    ) values (
        p_run.run_id, p_sequence, p_run.namespace, p_run.task_queue, p_run.workflow_type, p_run.build_id,
        p_run.priority, 'ready', p_now,
        v_hold.sticky_worker_id, v_hold.registration_token, v_hold.sticky_until, v_hold.held_until
    )
    on conflict (run_id) do nothing;

    return byssus.held_hint(
        p_run.namespace, p_run.task_queue, v_hold.sticky_worker_id, v_hold.held_until, p_now
    );
end;
$$;

comment on function byssus.wake_run(byssus.runs, bigint, timestamptz) is
'Opens a workflow task for a run unless one is open, inheriting queue, build, priority and affinity from the run.';
