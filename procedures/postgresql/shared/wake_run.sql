-- Makes sure that the run has an open workflow task; an open one takes the news along.
--
-- p_run       the run, whose row the caller has locked.
-- p_sequence  the run's last history sequence, which names the task.
-- p_now       from when on the task may be claimed.
-- Result      the hint for the run's queue.
-- Locks       the run's row (already held).
-- Writes      workflow_tasks.
create or replace function byssus.wake_run(p_run byssus.runs, p_sequence bigint, p_now timestamptz)
returns text
language plpgsql
as $$
begin
    insert into byssus.workflow_tasks (
        run_id, task_number, namespace, task_queue, workflow_type, build_id, priority, status, available_at
    ) values (
        p_run.run_id, p_sequence, p_run.namespace, p_run.task_queue, p_run.workflow_type, p_run.build_id,
        p_run.priority, 'ready', p_now
    )
    on conflict (run_id) do nothing;

    return byssus.ready_hint('workflow', p_run.namespace, p_run.task_queue);
end;
$$;

comment on function byssus.wake_run(byssus.runs, bigint, timestamptz) is
'Opens a workflow task for a run unless one is open, inheriting queue, build and priority from the run.';
