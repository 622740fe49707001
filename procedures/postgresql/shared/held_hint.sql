-- The hint that a queue has a workflow task: one that any worker may claim, or one that is held for a worker.
--
-- p_namespace, p_task_queue  the queue.
-- p_sticky_worker_id  whom it is held for.
-- p_held_until        when any worker may claim it.
-- p_now               the moment.
-- Result              one element of an answer's hints: ["held",namespace,task_queue,worker,until] while it is held.
-- Locks               none. Writes nothing.
create or replace function byssus.held_hint(
    p_namespace text, p_task_queue text, p_sticky_worker_id text, p_held_until timestamptz, p_now timestamptz
)
returns text
language sql
stable
as $$
    select case
        when p_held_until > p_now
            then '["held",' || byssus.json_string(p_namespace) || ',' || byssus.json_string(p_task_queue)
                || ',' || byssus.json_string(p_sticky_worker_id) || ',"' || byssus.wire_time(p_held_until) || '"]'
        else byssus.ready_hint('workflow', p_namespace, p_task_queue)
    end;
$$;

comment on function byssus.held_hint(text, text, text, timestamptz, timestamptz) is
'A wake-up hint for the pollers of a workflow task queue, or for the one worker that a task is held for.';
