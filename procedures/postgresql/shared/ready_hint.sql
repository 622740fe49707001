-- The hint that a queue has something to claim.
--
-- p_kind          workflow or activity.
-- p_namespace     the queue's namespace.
-- p_task_queue    the queue.
-- p_available_at  when it can be claimed; null: at once.
-- Result          one element of an answer's hints.
-- Locks           none. Writes nothing.
create or replace function byssus.ready_hint(
    p_kind text, p_namespace text, p_task_queue text, p_available_at timestamptz default null
)
returns text
language sql
stable
as $$
    select '["' || p_kind || '",' || byssus.json_string(p_namespace) || ',' || byssus.json_string(p_task_queue)
        || coalesce(',"' || byssus.wire_time(p_available_at) || '"', '') || ']';
$$;

comment on function byssus.ready_hint(text, text, text, timestamptz) is 'A wake-up hint for the pollers of a task queue.';
