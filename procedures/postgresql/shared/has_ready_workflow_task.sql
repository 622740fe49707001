-- Whether a queue has a workflow task that is due, be it held for one worker. Takes no lock.
--
-- p_namespace, p_task_queue  the queue.
-- p_now           the moment.
-- p_hold_seconds  the longest hold to look behind.
-- Result   true if there is one. One index probe per priority, whatever waits for later.
-- Locks    none. Writes nothing.
create or replace function byssus.has_ready_workflow_task(
    p_namespace text, p_task_queue text, p_now timestamptz, p_hold_seconds integer
)
returns boolean
language plpgsql
stable
as $$
begin
    return exists (
        select
        from generate_series(0, 9) as p (priority)
        cross join lateral (
            select from byssus.workflow_tasks as t
            where t.namespace = p_namespace and t.task_queue = p_task_queue and t.status = 'ready'
                and t.priority = p.priority and t.held_until <= p_now + make_interval(secs => p_hold_seconds)
                and t.available_at <= p_now
            -- In the index's order, or a plan for any values would take a scan of the table for as cheap.
            order by t.held_until
            limit 1
        ) as due
    );
end;
$$;

comment on function byssus.has_ready_workflow_task(text, text, timestamptz, integer) is
'Whether a queue has a due workflow task.';
