-- Whether a queue has an activity that is due. Takes no lock.
--
-- p_namespace, p_task_queue  the queue.
-- p_now    the moment.
-- Result   true if there is one. One index probe per priority, whatever waits for later.
-- Locks    none. Writes nothing.
create or replace function byssus.has_ready_activity(p_namespace text, p_task_queue text, p_now timestamptz)
returns boolean
language plpgsql
stable
as $$
begin
    return exists (
        select
        from generate_series(0, 9) as p (priority)
        cross join lateral (
            select from byssus.activities as a
            where a.namespace = p_namespace and a.task_queue = p_task_queue and a.status = 'pending'
                and a.priority = p.priority and a.available_at <= p_now
            limit 1
        ) as due
    );
end;
$$;

comment on function byssus.has_ready_activity(text, text, timestamptz) is 'Whether a queue has a due activity.';
