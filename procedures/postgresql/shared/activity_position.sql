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
    -- One expression for the whole id would take ten times as long.
    select case
        when left(p_task_id, 36) !~ '[^0-9a-f-]' and substr(p_task_id, 37) ~ '^:a[0-9]{1,9}$'
            then substr(p_task_id, 39)::integer
    end;
$$;

comment on function byssus.activity_position(text) is 'The authored position in an activity task id, or null.';
