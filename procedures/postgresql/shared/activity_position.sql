-- Which activity of its run an activity task id names.
--
-- p_task_id  <run_id>:a<position>
-- Result     the authored position, or null for what is no such id.
-- Locks      none. Writes nothing.
create or replace function byssus.activity_position(p_task_id text)
returns integer
language sql
stable
as $$
    select substring(p_task_id from '^[0-9a-f-]{36}:a([0-9]{1,9})$')::integer;
$$;

comment on function byssus.activity_position(text) is 'The authored position in an activity task id, or null.';
