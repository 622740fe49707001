-- Which task of its run a workflow task id names.
--
-- p_task_id  <run_id>:k<number>
-- Result     the number, or null for what is no such id.
-- Locks      none. Writes nothing.
create or replace function byssus.workflow_task_number(p_task_id text)
returns bigint
language sql
stable
as $$
    -- One expression for the whole id would take ten times as long.
    select case
        when left(p_task_id, 36) !~ '[^0-9a-f-]' and substr(p_task_id, 37) ~ '^:k[0-9]{1,18}$'
            then substr(p_task_id, 39)::bigint
    end;
$$;

comment on function byssus.workflow_task_number(text) is 'The number in a workflow task id, or null.';
